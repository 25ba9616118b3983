import { type AccountTrailPage, seenTrailState, type TrailPosition, type UserNumber } from '@saldo/core'

/** A trail that lacks the row which this device has seen, with its last row now. */
interface LostTrail {
  state: 'cut_off' | 'rewritten'
  last: TrailPosition
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

const keyOf = (user: UserNumber) => `saldo.seen-trail.${user}`

/** Keeps the last row of the trail on this device, for longer than any answer of the team. */
export function keepSeenRow(storage: Storage, user: UserNumber, { number, hash }: TrailPosition): void {
  storage.setItem(keyOf(user), JSON.stringify({ number, hash }))
}

/** Compares the trail with the row that this device has seen, and keeps the last one if it holds it (D29.4). */
export async function lookAtTrail(
  storage: Storage,
  user: UserNumber,
  read: (after: string | null) => Promise<AccountTrailPage>,
): Promise<LostTrail | undefined> {
  const kept = storage.getItem(keyOf(user))
  const seen = kept === null ? undefined : (JSON.parse(kept) as TrailPosition)
  const { items, last } = await read(seen && seen.number > 1 ? String(seen.number - 1) : null)
  const state = seen ? seenTrailState(seen, items, last) : 'held'
  if (state !== 'held') return { state, last }
  keepSeenRow(storage, user, last)
  return undefined
}
