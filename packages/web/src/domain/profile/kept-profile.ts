import type { Profile, UserNumber } from '@saldo/core'

const EMPTY: Profile = { name: '', personnel_number: '', employer: '' }
const keyOf = (user: UserNumber) => `saldo.own-profile.${user}`

/** Returns the profile as this device last got it, so that a sheet can be printed without a network. */
export function keptProfile(user: UserNumber): Profile {
  return { ...EMPTY, ...(JSON.parse(localStorage.getItem(keyOf(user)) ?? '{}') as Partial<Profile>) }
}

export function keepProfile(user: UserNumber, profile: Profile): void {
  localStorage.setItem(keyOf(user), JSON.stringify(profile))
}
