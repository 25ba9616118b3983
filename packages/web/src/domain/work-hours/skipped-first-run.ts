const keyOf = (user: number) => `saldo.skipped-first-run.${user}`

/** True if the user skipped the first run on this device. */
export function hasSkipped(user: number): boolean {
  return localStorage.getItem(keyOf(user)) !== null
}

export function rememberSkip(user: number): void {
  localStorage.setItem(keyOf(user), '1')
}

/** Shows the first run again at the next start. */
export function forgetSkip(user: number): void {
  localStorage.removeItem(keyOf(user))
}
