import type { Preferences, UserNumber } from '@saldo/core'

const keyOf = (user: UserNumber) => `saldo.unsent-preferences.${user}`

/** Returns the preferences that were changed on this device and that the service does not have yet. */
export function unsentPreferences(user: UserNumber): Partial<Preferences> | undefined {
  const text = localStorage.getItem(keyOf(user))
  return text === null ? undefined : (JSON.parse(text) as Partial<Preferences>)
}

export function addUnsentPreferences(user: UserNumber, changed: Partial<Preferences>): void {
  localStorage.setItem(keyOf(user), JSON.stringify({ ...unsentPreferences(user), ...changed }))
}

/** Forgets what was sent, unless it was changed again meanwhile. */
export function forgetSentPreferences(user: UserNumber, sent: Partial<Preferences>): void {
  const left = Object.entries(unsentPreferences(user) ?? {}).filter(
    ([name, value]) => sent[name as keyof Preferences] !== value,
  )
  if (left.length === 0) localStorage.removeItem(keyOf(user))
  else localStorage.setItem(keyOf(user), JSON.stringify(Object.fromEntries(left)))
}
