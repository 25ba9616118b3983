import type { Profile, UserNumber } from '@saldo/core'

const EMPTY: Profile = { name: '', personnel_number: '', employer: '' }
const keyOf = (user: UserNumber) => `saldo.own-profile.${user}`
const listeners = new Set<() => void>()
const keptByUser = new Map<UserNumber, Profile>()

/** Returns the profile as this device last got it, so that a sheet can be printed without a network. */
export function keptProfile(user: UserNumber): Profile {
  const kept = keptByUser.get(user) ?? {
    ...EMPTY,
    ...(JSON.parse(localStorage.getItem(keyOf(user)) ?? '{}') as Partial<Profile>),
  }
  keptByUser.set(user, kept)
  return kept
}

export function keepProfile(user: UserNumber, { name, personnel_number, employer }: Profile): void {
  const profile = { name, personnel_number, employer }
  localStorage.setItem(keyOf(user), JSON.stringify(profile))
  keptByUser.set(user, profile)
  for (const listener of listeners) listener()
}

export function onKeptProfile(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
