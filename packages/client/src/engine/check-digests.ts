import { DAY_MS, DigestSum, type EpochMs, type ReceivedDigest, recordKinds } from '@saldo/core'
import { isSamePosition, type Meta } from '../store/rows.ts'
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
 * Compares the base records with the service if that is due by `before`, the meta row after a pull. If they differ at
 * the same version, the sync position is forgotten, so that the next pull leads to a cold start. Returns true if one is
 * due.
 */
export async function checkDigests(context: SyncContext, before: Meta, isAfterColdStart: boolean): Promise<boolean> {
  const { store, now } = context
  if (!isComparisonDue(before, now(), isAfterColdStart)) return false
  const comparison = await requestComparison(context)
  if (comparison === 'notComparable') return false
  return store.write(async (tables) => {
    const meta = await tables.meta()
    if (!isSamePosition(meta.position, before.position)) return false
    const compared = metaAfterComparison(meta, comparison, now())
    await tables.setMeta(compared)
    return compared.position === null
  })
}

/** True once a day (D10.6), and after a cold start only if it was to heal: after others the user waits (D10.7). */
function isComparisonDue({ comparedAtMs, divergence }: Meta, nowMs: EpochMs, isAfterColdStart: boolean): boolean {
  const isHealing = divergence?.isHealed === false
  return !isWithinDay(comparedAtMs, nowMs) && (isHealing || !isAfterColdStart)
}

/** Returns the meta row without a sync position if a cold start is due: once a day, because another does not help. */
function metaAfterComparison(meta: Meta, comparison: Comparison, nowMs: EpochMs): Meta {
  const { divergence } = meta
  if (comparison === 'different' && !isWithinDay(divergence?.foundAtMs, nowMs)) {
    return { ...meta, position: null, divergence: { foundAtMs: nowMs, isHealed: false } }
  }
  const compared = { ...meta, comparedAtMs: nowMs }
  if (comparison === 'unsupported' || !divergence) return compared
  return { ...compared, divergence: { ...divergence, isHealed: comparison === 'same' } }
}

async function requestComparison({ store, transport }: SyncContext): Promise<Comparison> {
  const response = await requestDigests(transport)
  if (response.outcome === 'digests') return store.read((tables) => compareWith(tables, response.digests))
  return response.outcome === 'rejected' ? 'unsupported' : 'notComparable'
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
