import type { IsoWeek } from '@saldo/core'

const keyOf = (user: number) => `saldo.postponed-open-weeks.${user}`

/** Returns the newest open week at the time when the user postponed closing on this device. */
export function postponedWeek(user: number): string | null {
  return localStorage.getItem(keyOf(user))
}

/** Hides the reminder of open weeks until a newer week is over. */
export function postponeWeek(user: number, newest: IsoWeek): void {
  localStorage.setItem(keyOf(user), newest)
}
