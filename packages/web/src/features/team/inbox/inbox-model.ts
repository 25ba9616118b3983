import { absenceKinds, type InboxRow, isJsonObject } from '@saldo/core'

/** Returns a name of a request in the inbox that no other has. */
export function keyOf({ user, request_id }: Pick<InboxRow, 'user' | 'request_id'>): string {
  return `${user.user_id}/${request_id}`
}

/** Returns the request to show: the chosen one while it is there, else the one that took its place. */
export function shownRow(rows: readonly InboxRow[], chosen: string | undefined, place: number): InboxRow | undefined {
  return rows.find((row) => keyOf(row) === chosen) ?? rows[Math.min(place, rows.length - 1)]
}

/** Returns the request that is some steps from another; the ends of the list hold. */
export function rowBeside(rows: readonly InboxRow[], row: InboxRow | undefined, steps: number): InboxRow | undefined {
  const index = row ? rows.findIndex((each) => keyOf(each) === keyOf(row)) : -1
  return rows[Math.min(Math.max(index + steps, 0), rows.length - 1)]
}

/** True if a change that is asked for makes, changes or deletes an absence: then who else is away matters. */
export function isAboutAbsence(changes: readonly unknown[], present: readonly unknown[]): boolean {
  const records = changes.map((change) => (isJsonObject(change) ? change.record : undefined))
  return [...records, ...present].some((one) => isJsonObject(one) && absenceKinds.some((kind) => kind === one.kind))
}
