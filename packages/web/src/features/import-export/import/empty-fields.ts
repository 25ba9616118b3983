import type { Profile, ProfilePatch } from '@saldo/core'

/** Returns the fields of an exported profile that the own profile leaves empty. */
export function emptyFieldsFrom(own: Profile, exported: ProfilePatch): ProfilePatch {
  return Object.fromEntries(Object.entries(exported).filter(([field]) => own[field as keyof Profile] === ''))
}
