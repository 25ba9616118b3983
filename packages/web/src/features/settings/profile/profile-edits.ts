import type { Profile } from '@saldo/core'

/** Returns the edits of a form that are left once some were saved: what was typed since they were sent. */
export function editsLeft(edited: Partial<Profile>, saved: Partial<Profile>): Partial<Profile> {
  return Object.fromEntries(Object.entries(edited).filter(([field, value]) => saved[field as keyof Profile] !== value))
}
