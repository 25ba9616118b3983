import type { Closings } from '@saldo/client'

export type ClosingAction = 'close' | 'reopen'

/** Returns the step that closes or reopens a week or day; its undo does the other. */
export function stepOfClosing<Period>(closings: Closings<Period>, period: Period, action: ClosingAction) {
  const inverse = action === 'close' ? 'reopen' : 'close'
  return { make: () => closings[action](period), takeBack: () => closings[inverse](period) }
}
