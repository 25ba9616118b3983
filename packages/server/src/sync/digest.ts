import type { Digests } from '@saldo/core'
import type { Point, RecordStore, UserId } from '../store/store.ts'

/** The digests of the live records at a point of a user's history (D10). */
export interface DigestsAt {
  point: Point
  digests: Digests
}

/** Reads the digests that each write keeps. */
export function readDigests(store: RecordStore, user: UserId): Promise<DigestsAt> {
  return store.read(user, async (reader) => ({ point: await reader.point(), digests: await reader.digests() }))
}
