import type { Month, UserNumber } from '@saldo/core'

/** The digests of the sheets that this page has shown, by viewer, month and person. */
const digestsByKey = new Map<string, string>()

const keyOf = (viewer: UserNumber, month: Month, person: number) => `${viewer} ${month} ${person}`

/** Notes what a sheet has shown, in place of what it showed before; null of a locked month. */
export function noteSheetRead(viewer: UserNumber, month: Month, person: number, digest: string | null): void {
  const key = keyOf(viewer, month, person)
  if (digest === null) digestsByKey.delete(key)
  else digestsByKey.set(key, digest)
}

/** Returns the digests of the sheets that were read, which locking names: no other figures are locked (D27.20). */
export function digestsRead(viewer: UserNumber, month: Month, people: readonly UserNumber[]) {
  return people.flatMap((user_id) => {
    const digest = digestsByKey.get(keyOf(viewer, month, user_id))
    return digest === undefined ? [] : [{ user_id, digest }]
  })
}
