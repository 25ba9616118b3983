import { DAY_MS, DigestSum, type EpochMs, recordKinds } from '@saldo/core'
import { isSamePosition } from '../store/rows.ts'
import type { ReadTables } from '../store/store.ts'
import type { SyncContext } from './exchange.ts'
import { type DigestResponse, parseDigestResponse } from './responses.ts'

/**
 * Compares the base records with the service, once a day and after a cold start (D10). If they differ at the same
 * version, the sync position is forgotten, so that the next pull leads to a cold start; once a day at most, because a
 * cold start that did not help will not help at once. `isAfterColdStart` says that the user waits for a first sync:
 * then only a cold start that was to heal is checked. Returns true if the sync position was forgotten.
 */
export async function compareDigests(
  { store, transport, now }: SyncContext,
  isAfterColdStart: boolean,
): Promise<boolean> {
  const { position, comparedAtMs, divergence } = await store.read((tables) => tables.meta())
  if (isWithinDay(comparedAtMs, now()) || (isAfterColdStart && divergence?.isHealed !== false)) return false
  const reply = await transport({ method: 'GET', path: '/api/sync/digest' })
  // A service without digests is asked again a day later.
  let differs: boolean | undefined = reply.outcome === 'rejected' ? false : undefined
  if (reply.outcome === 'answered') {
    const digests = parseDigestResponse(reply.body)
    differs = digests && (await store.read((tables) => differsFrom(tables, digests)))
  }
  if (differs === undefined) return false
  return store.write(async (tables) => {
    const meta = await tables.meta()
    if (!isSamePosition(meta.position, position)) return false
    const nowMs = now()
    const { divergence } = meta
    const heals = differs && !isWithinDay(divergence?.foundAtMs, nowMs)
    if (heals) {
      await tables.setMeta({ ...meta, position: null, divergence: { foundAtMs: nowMs, isHealed: false } })
    } else {
      const checked = divergence && { divergence: { ...divergence, isHealed: !differs } }
      await tables.setMeta({ ...meta, ...checked, comparedAtMs: nowMs })
    }
    return heals
  })
}

/** True if a time is less than a day away, in either direction: clocks may have been set. */
function isWithinDay(ms: EpochMs | null | undefined, nowMs: EpochMs): boolean {
  return Math.abs(nowMs - (ms ?? 0)) < DAY_MS
}

/**
 * True if the base records differ from the service; `undefined` if its digests are of another position. Unsent changes
 * do not matter, because they are not in the base records.
 */
async function differsFrom(tables: ReadTables, reply: DigestResponse): Promise<boolean | undefined> {
  const { position } = await tables.meta()
  if (!isSamePosition(position, reply)) return undefined
  if ((await tables.baseRecords.unconfirmed()).length > 0) return undefined
  const sum = new DigestSum()
  await tables.baseRecords.each(({ kind, record }) => record && sum.add(kind, record))
  const digests = sum.digests()
  return recordKinds.some((kind) => {
    const there = reply.kinds[kind]
    return there && (there.count !== digests[kind].count || there.digest !== digests[kind].digest)
  })
}
