import type { RecordId } from '@saldo/core'

/**
 * Returns a function that derives the id of each name once. A derivation takes some microseconds, and an account can
 * have thousands of entries of one date.
 */
export function derivedOnce<Name extends string>(derive: (name: Name) => RecordId): (name: Name) => RecordId {
  const ids = new Map<Name, RecordId>()
  return (name) => {
    const id = ids.get(name) ?? derive(name)
    ids.set(name, id)
    return id
  }
}
