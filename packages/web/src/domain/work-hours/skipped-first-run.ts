import type { UserNumber } from '@saldo/core'

const keyOf = (user: UserNumber) => `saldo.skipped-first-run.${user}`

/** True if the user skipped the first run on this device. */
export function hasSkipped(user: UserNumber): boolean {
  return localStorage.getItem(keyOf(user)) !== null
}

export function rememberSkip(user: UserNumber): void {
  localStorage.setItem(keyOf(user), '1')
}

/** Shows the first run again at the next start. */
export function forgetSkip(user: UserNumber): void {
  localStorage.removeItem(keyOf(user))
}
