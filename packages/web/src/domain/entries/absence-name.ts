import type { AbsenceRecord } from '@saldo/client/entries'

/** Returns the own name of an absence, which only a public holiday has; `undefined` if its kind names it. */
export function ownNameOf({ kind, note }: Pick<AbsenceRecord, 'kind' | 'note'>): string | undefined {
  return kind === 'public_holiday' && note !== '' ? note : undefined
}
