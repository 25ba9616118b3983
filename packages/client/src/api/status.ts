import type { DurationMs, EpochMs } from '@saldo/core'
import type { SyncError } from '../engine/errors.ts'
import type { SyncEngine } from '../engine/sync-engine.ts'
import { isBusy, type Phase } from '../engine/sync-state.ts'
import type { StoreErrorCode } from '../store/errors.ts'
import type { Divergence } from '../store/rows.ts'
import type { LocalStore } from '../store/store.ts'

/** Sync status of this device. Times are by its clock; counts are null if the local store cannot be read. */
export interface Status {
  state: Phase
  /** False if the service did not respond, or if the device has no network. */
  online: boolean
  syncing: boolean
  /** True while change notifications arrive; otherwise the device polls. */
  live: boolean
  /** The number of records with unsent changes. */
  unsent: number | null
  oldestUnsentAtMs: EpochMs | null
  /** The number of rejected changes. */
  rejected: number | null
  /** The number of conflicts. */
  conflicts: number | null
  /** The number of records that this program is too old to read. */
  unreadable: number | null
  lastSuccessMs: EpochMs | null
  /** The time by which the service's clock is ahead of this device's, as last measured; 0 until it is. */
  clockOffsetMs: DurationMs
  lastError: SyncError | null
  /** The last divergence from the service; null if there never was one. */
  divergence: Divergence | null
  needsSignIn: boolean
  /** The time of the last sync, while sync does not work; null while it does. */
  staleSinceMs: EpochMs | null
  /** Why the local store cannot be used. */
  storeError: StoreErrorCode | null
}

const stale: ReadonlySet<Phase> = new Set(['waiting', 'offline', 'signInNeeded'])

export async function readStatus(engine: SyncEngine, store: LocalStore): Promise<Status> {
  const stored = await readStored(store).catch(() => unknown)
  const { phase: state, lastError, isConnected } = engine.activity()
  return {
    ...stored,
    state,
    online: state !== 'offline' && !(state === 'waiting' && lastError?.code === 'unreachable'),
    syncing: isBusy(state),
    live: isConnected,
    lastError,
    needsSignIn: state === 'signInNeeded',
    staleSinceMs: stale.has(state) ? stored.lastSuccessMs : null,
    storeError: store.error()?.code ?? null,
  }
}

const unknown = {
  unsent: null,
  oldestUnsentAtMs: null,
  rejected: null,
  conflicts: null,
  unreadable: null,
  lastSuccessMs: null,
  clockOffsetMs: 0,
  divergence: null,
}

function readStored(store: LocalStore) {
  return store.read(async (tables) => {
    const [oldest] = await tables.outbox.first(1)
    const meta = await tables.meta()
    return {
      unsent: await tables.outbox.count(),
      oldestUnsentAtMs: oldest?.queuedAtMs ?? null,
      rejected: await tables.rejectedChanges.count(),
      conflicts: await tables.conflicts.count(),
      unreadable: (await tables.baseRecords.unreadable()).length,
      lastSuccessMs: meta.syncedAtMs,
      clockOffsetMs: meta.offsetMs,
      divergence: meta.divergence ?? null,
    }
  })
}
