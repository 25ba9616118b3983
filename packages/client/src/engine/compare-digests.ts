import { DAY_MS, DigestSum, type EpochMs, type ReceivedDigest, recordKinds } from '@saldo/core'
import { isSamePosition } from '../store/rows.ts'
import type { ReadTables } from '../store/store.ts'
import { requestDigests, type SyncContext } from './requests.ts'

/** The result of a comparison of digests. */
type Comparison =
  | 'same'
  | 'different'
  /** The service has no digests: it is asked again a day later. */
  | 'unsupported'
  /** There is no response, or the digests are of another position. */
  | 'notComparable'

/**
 * Compares the base records with the service, once a day and after a cold start (D10.6, D10.7). If they differ at the
 * same version, the sync position is forgotten, so that the next pull leads to a cold start; once a day at most,
 * because a cold start that did not help will not help at once. `isAfterColdStart` says that the user waits for a
 * first sync: then only a cold start that was to heal is checked. Returns true if the sync position was forgotten.
 */
export async function compareDigests(context: SyncContext, isAfterColdStart: boolean): Promise<boolean> {
  const { store, now } = context
  const { position, comparedAtMs, divergence } = await store.read((tables) => tables.meta())
  if (isWithinDay(comparedAtMs, now()) || (isAfterColdStart && divergence?.isHealed !== false)) return false
  const comparison = await requestComparison(context)
  if (comparison === 'notComparable') return false
  return store.write(async (tables) => {
    const meta = await tables.meta()
    if (!isSamePosition(meta.position, position)) return false
    const nowMs = now()
    const { divergence } = meta
    const startsCold = comparison === 'different' && !isWithinDay(divergence?.foundAtMs, nowMs)
    if (startsCold) {
      await tables.setMeta({ ...meta, position: null, divergence: { foundAtMs: nowMs, isHealed: false } })
    } else {
      const isCompared = comparison !== 'unsupported' && divergence
      const result = isCompared && { divergence: { ...divergence, isHealed: comparison === 'same' } }
      await tables.setMeta({ ...meta, ...result, comparedAtMs: nowMs })
    }
    return startsCold
  })
}

async function requestComparison({ store, transport }: SyncContext): Promise<Comparison> {
  const reply = await requestDigests(transport)
  if (reply.outcome === 'digests') return store.read((tables) => compareWith(tables, reply.digests))
  return reply.outcome === 'rejected' ? 'unsupported' : 'notComparable'
}

/** True if a time is less than a day away, in either direction: clocks may have been set. */
function isWithinDay(ms: EpochMs | null | undefined, nowMs: EpochMs): boolean {
  return Math.abs(nowMs - (ms ?? 0)) < DAY_MS
}

/** Compares the base records alone: unsent changes are not among them. */
async function compareWith(tables: ReadTables, response: ReceivedDigest): Promise<Comparison> {
  const { position } = await tables.meta()
  if (!isSamePosition(position, response)) return 'notComparable'
  if ((await tables.baseRecords.unconfirmed()).length > 0) return 'notComparable'
  const sum = new DigestSum()
  await tables.baseRecords.each(({ kind, record }) => record && sum.add(kind, record))
  const digests = sum.digests()
  const differs = recordKinds.some((kind) => {
    const theirs = response.kinds[kind]
    return theirs && (theirs.count !== digests[kind].count || theirs.digest !== digests[kind].digest)
  })
  return differs ? 'different' : 'same'
}
