import type { Digests, UserNumber } from '@saldo/core'
import type { RecordStore, SyncPosition } from '../store/store.ts'

/** The digests of the live records at a position in a user's history (D10). */
export interface DigestsAt {
  position: SyncPosition
  digests: Digests
}

/** Reads the digests that each write keeps. */
export function readDigests(store: RecordStore, user: UserNumber): Promise<DigestsAt> {
  return store.read(user, async (reader) => ({ position: await reader.position(), digests: await reader.digests() }))
}
