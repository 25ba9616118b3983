import { DAY_MS, DigestSum, type EpochMs, isJsonObject, recordKinds } from '@saldo/core'
import { isSamePoint, type ReadTables } from '../store/store.ts'
import type { SyncContext } from './sync.ts'

/**
 * Compares what is held with what the service has, once a day and with the sync that follows a cold start (D10). Where they
 * differ at the same version, something went wrong that nothing else tells, such as a disk that forgot. Then the last version
 * is forgotten, so that the next pull begins with a cold start; but once a day at most, since what did not help will not help
 * at once. `isNew` says that this sync began with a cold start: the user waits for that, and only one that heals is to be
 * looked at yet. Returns whether the last version was forgotten.
 */
export async function compare({ store, transport, now }: SyncContext, isNew: boolean): Promise<boolean> {
  const { point, comparedAtMs, divergence } = await store.read((tables) => tables.meta())
  if (isOfToday(comparedAtMs, now()) || (isNew && divergence?.isHealed !== false)) return false
  const reply = await transport({ method: 'GET', path: '/api/sync/digest' })
  // A service that knows no digests is asked again in a day.
  let differs: boolean | undefined = reply.outcome === 'refused' ? false : undefined
  if (reply.outcome === 'answered') differs = await store.read((tables) => differsFrom(tables, reply.body))
  if (differs === undefined) return false
  return store.run(async (tables) => {
    const meta = await tables.meta()
    if (!isSamePoint(meta.point, point)) return false
    const nowMs = now()
    const { divergence } = meta
    const heals = differs && !isOfToday(divergence?.foundAtMs, nowMs)
    if (heals) await tables.setMeta({ ...meta, point: null, divergence: { foundAtMs: nowMs, isHealed: false } })
    else {
      const after = divergence && { divergence: { ...divergence, isHealed: !differs } }
      await tables.setMeta({ ...meta, ...after, comparedAtMs: nowMs })
    }
    return heals
  })
}

/** Less than a day away, whichever way a clock was set. */
function isOfToday(ms: EpochMs | null | undefined, nowMs: EpochMs): boolean {
  return Math.abs(nowMs - (ms ?? 0)) < DAY_MS
}

/**
 * Whether what is held differs from an answer; `undefined` where that is of another version, as what is unconfirmed is of a
 * later one. What is unsent does not matter, since it is not held yet.
 */
async function differsFrom(tables: ReadTables, body: unknown): Promise<boolean | undefined> {
  const { point } = await tables.meta()
  if (!isJsonObject(body) || !isJsonObject(body.kinds) || !isSamePoint(point, body)) return undefined
  if ((await tables.held.unconfirmed()).length > 0) return undefined
  const { kinds } = body
  const sum = new DigestSum()
  await tables.held.each(({ kind, record }) => record && sum.add(kind, record))
  const held = sum.digests()
  return recordKinds.some((kind) => {
    const there = kinds[kind]
    return isJsonObject(there) && (there.count !== held[kind].count || there.digest !== held[kind].digest)
  })
}
