import type { TimerState } from '@saldo/client/entries'

type Key = 'S' | 'B'

/** Returns the keys of the timer's buttons. During a break the main button ends it, so it has the key that began it. */
export function timerKeys(kind: TimerState['kind']): { main: Key; other: Key } {
  return kind === 'break' ? { main: 'B', other: 'S' } : { main: 'S', other: 'B' }
}
