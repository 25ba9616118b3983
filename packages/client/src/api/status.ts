import type { EpochMs } from '@saldo/core'
import type { Device } from '../engine/sync-engine.ts'
import type { SyncError } from '../engine/sync-error.ts'
import { isBusy, type State } from '../engine/sync-state.ts'
import type { StoreTrouble } from '../store/errors.ts'
import type { Divergence, LocalStore } from '../store/store.ts'

/**
 * What a device tells of itself. Times are in milliseconds since 1970, by the device's clock; counts are null where the
 * store cannot be read, and nobody can tell.
 */
export interface Status {
  state: State
  /** False where the service could not be reached, or the device is known to have no network. */
  online: boolean
  syncing: boolean
  /** Whether the service tells of news at once; otherwise it is asked from time to time. */
  live: boolean
  /** How many records have changes that the service does not have. */
  pending: number | null
  oldestPendingAtMs: EpochMs | null
  /** How many changes the service refused. */
  rejected: number | null
  /** How many changes another device overrode. */
  overridden: number | null
  /** How many records this program is too old to read. */
  unreadable: number | null
  lastSuccessMs: EpochMs | null
  lastError: SyncError | null
  /** When it was last found that what is held here was not what the service has, and whether that is healed; null if never. */
  divergence: Divergence | null
  needsSignIn: boolean
  /** Since when nothing has been heard of the service, where it should have been; null while all is well. */
  staleSinceMs: EpochMs | null
  /** What keeps the local store from being used. */
  trouble: StoreTrouble | null
}

const unreached: ReadonlySet<State> = new Set(['waiting', 'offline'])
const stale: ReadonlySet<State> = new Set(['waiting', 'offline', 'signInNeeded', 'broken'])

export async function statusOf(device: Device, store: LocalStore): Promise<Status> {
  const kept = await keptIn(store).catch(() => unknown)
  const { state, lastError, isLive } = device.doing()
  return {
    ...kept,
    state,
    online: !unreached.has(state),
    syncing: isBusy(state),
    live: isLive,
    lastError,
    needsSignIn: state === 'signInNeeded',
    staleSinceMs: stale.has(state) ? kept.lastSuccessMs : null,
    trouble: store.trouble()?.trouble ?? null,
  }
}

const unknown = {
  pending: null,
  oldestPendingAtMs: null,
  rejected: null,
  overridden: null,
  unreadable: null,
  lastSuccessMs: null,
  divergence: null,
}

function keptIn(store: LocalStore) {
  return store.read(async (tables) => {
    const [outbox, refused, overridden, unreadable, meta] = await Promise.all([
      tables.outbox.all(),
      tables.refused.all(),
      tables.overridden.all(),
      tables.held.unreadable(),
      tables.meta(),
    ])
    return {
      pending: outbox.length,
      oldestPendingAtMs: outbox.length > 0 ? Math.min(...outbox.map(({ queuedAtMs }) => queuedAtMs)) : null,
      rejected: refused.length,
      overridden: overridden.length,
      unreadable: unreadable.length,
      lastSuccessMs: meta.syncedAtMs,
      divergence: meta.divergence ?? null,
    }
  })
}
