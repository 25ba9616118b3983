import { contentOf, isWritableKind, limits, type PushResult, type RecordKind, weekOf } from '@saldo/core'
import { notTheService } from '../host/transport.ts'
import { editKey, isSamePoint, type LostClosings, type Refused, recordKey, type Tables } from '../store/store.ts'
import { type Held, hold, holdPulled, replacementOf } from './base-record.ts'
import { firstBatch } from './batch.ts'
import { disown, type Edit } from './outbox.ts'
import {
  answerOf,
  askPage,
  bytesOf,
  changeOf,
  type Failure,
  isPushAnswer,
  MOST_BYTES,
  pageEnd,
  recordsIn,
  type SyncContext,
} from './sync.ts'

/** What the service has, and where it stood then. */
interface Snapshot {
  point: { version: number; tag: string | null }
  held: Map<string, Held>
  /** What the service was offered, by `editKey`: once, whatever its clock made of it. */
  offered: Set<string>
  /** What it would not take. */
  refused: Refused[]
}

/**
 * Begins anew from a snapshot (R5.6, D7). The service is offered what it lacks and this device still has, until it lacks
 * nothing; then, in one transaction, what the service has takes the place of everything. What is unsent, refused or
 * overridden stays. `isOther` says that the history was replaced, as by a restored backup; `replaced` that it must have
 * been, or was meanwhile: then it is to be begun again. A crash leaves the old state or the new.
 */
export async function coldStart(context: SyncContext, isOther: boolean): Promise<'done' | 'replaced' | Failure> {
  const before = await context.store.read((tables) => tables.meta())
  const snapshot = await fetchSnapshot(context)
  if ('outcome' in snapshot) return snapshot
  const failure = await fetchBehind(context, snapshot, isOther ? 0 : before.knownVersion)
  if (failure) return failure
  for (;;) {
    // An answer to a direct write may have come since the last look, so the last look is in the transaction that replaces.
    const { device, offers } = await context.store.run(async (tables) => {
      const { device, point } = await tables.meta()
      // Another tab took over meanwhile, and has got further.
      if (!isSamePoint(point, before.point)) return { device, offers: [] }
      const offers = await offersOf(tables, snapshot, isOther)
      if (offers.length === 0) await replaceAll(tables, snapshot, isOther)
      return { device, offers }
    })
    if (offers.length === 0) return 'done'
    const failed = await offer(context, snapshot, device, offers)
    if (failed) return failed
  }
}

async function fetchSnapshot(context: SyncContext): Promise<Snapshot | Failure> {
  const held = new Map<string, Held>()
  for (let cursor = ''; ; ) {
    const more = cursor && `&cursor=${encodeURIComponent(cursor)}`
    const body = await askPage(context, `limit=${limits.pull_max}${more}`)
    if (!('changes' in body)) return body
    const { version, tag } = body
    const before = held.size
    for (const row of recordsIn(body)) held.set(recordKey(row), { ...row, unconfirmed: row.version > version })
    if (!body.cursor) return { point: { version, tag }, held, offered: new Set(), refused: [] }
    // Each page brings other records, or they would never end.
    if (held.size === before) return notTheService
    cursor = body.cursor
  }
}

/** Brings a snapshot to what the service has now: its pages carry what changed between them only in part. */
async function fetchBehind(
  context: SyncContext,
  snapshot: Snapshot,
  knownVersion: number,
): Promise<'replaced' | Failure | undefined> {
  for (;;) {
    const { point, held } = snapshot
    const body = await askPage(context, `since=${point.version}`, point.version)
    if (!('changes' in body)) return body
    for (const row of recordsIn(body)) {
      const after = holdPulled(held.get(recordKey(row)), row)
      if (after.replaced) return 'replaced'
      held.set(recordKey(row), after.held)
    }
    const unconfirmed = [...held.values()].filter((row) => row.unconfirmed)
    if (replacementOf(pageEnd(body), point, knownVersion, unconfirmed)) return 'replaced'
    snapshot.point = { version: body.version, tag: body.tag }
    if (!body.has_more) return undefined
  }
}

/**
 * The states that the snapshot lacks or has from earlier, with their times. Of tombstones that it lacks, which all
 * snapshots do, only those that no pull has confirmed; all of them after a replaced history. Offers are numbered as a
 * new edit, so that no claim of this device stands against them (D6).
 */
async function offersOf(tables: Tables, { held, offered }: Snapshot, isOther: boolean): Promise<Edit[]> {
  const meta = await tables.meta()
  const seq = meta.seq + 1
  const offers = (await tables.held.all())
    .flatMap((row) => offerOf(row, held.get(recordKey(row)), seq, isOther))
    .filter((edit) => !offered.has(editKey(edit)))
  if (offers.length > 0) await tables.setMeta({ ...meta, seq })
  return offers
}

function offerOf(row: Held, there: Held | undefined, seq: number, isOther: boolean): Edit[] {
  const { kind, id, updatedAt, record, unconfirmed } = row
  if (!isWritableKind(kind)) return []
  const isWanted = there ? there.updatedAt < updatedAt : record !== null || unconfirmed || isOther
  return isWanted ? [{ kind, id, content: record && contentOf(record), updatedAt, seq }] : []
}

/** Offers states; what stands afterwards is laid into the snapshot, to be brought by a pull. */
async function offer(
  { transport }: SyncContext,
  { held, offered, refused }: Snapshot,
  device: string,
  offers: readonly Edit[],
): Promise<Failure | undefined> {
  for (let left = offers; left.length > 0; ) {
    const batch = firstBatch(left, bytesOf, limits.push_changes, MOST_BYTES)
    const body = { device, changes: batch.map(changeOf) }
    const reply = await transport({ method: 'POST', path: '/api/sync/push', body })
    if (reply.outcome !== 'answered') return reply
    if (!isPushAnswer(reply.body, batch)) return notTheService
    for (const [index, edit] of batch.entries()) {
      offered.add(editKey(edit))
      const answer = answerOf(edit, reply.body.results[index] as PushResult)
      if ('stands' in answer) held.set(recordKey(edit), answer.stands)
      else if ('problem' in answer)
        refused.push({ edit, problem: answer.problem, refusedAtMs: Date.parse(reply.body.server_time) })
    }
    left = left.slice(batch.length)
  }
  return undefined
}

async function replaceAll(tables: Tables, { held, point, refused }: Snapshot, isOther: boolean): Promise<void> {
  const meta = await tables.meta()
  const [known, outbox, tray, overridden] = await Promise.all([
    tables.held.all(),
    tables.outbox.all(),
    tables.refused.all(),
    tables.overridden.all(),
  ])
  const snapshot = [...held.values()].map((row) => ({ ...row, unconfirmed: row.version > point.version }))
  // No snapshot brings tombstones. Their versions may be of another history, and only their times are of use.
  const tombstones = known
    .filter((row) => row.record === null && isWritableKind(row.kind) && !held.has(recordKey(row)))
    .map((row) => ({ ...row, version: Math.min(row.version, point.version), unconfirmed: false }))
  await tables.wipe()
  await hold(tables.held, [...snapshot, ...tombstones])
  // What is under way may have been sent to another history.
  await tables.outbox.put(outbox.map((row) => (row.sender === null ? row : disown(row))))
  await tables.refused.put([...tray, ...refused])
  await tables.overridden.put(overridden)
  const knownVersion = snapshot.reduce((most, { version }) => Math.max(most, version), point.version)
  const lostClosings = isOther ? closingsLost(meta.lostClosings, known, held) : meta.lostClosings
  await tables.setMeta({ ...meta, point, knownVersion, lostClosings, comparedAtMs: null })
}

/** The closings that are not there any more, beside those of which the user has been told already. */
function closingsLost(before: LostClosings, known: readonly Held[], there: ReadonlyMap<string, Held>): LostClosings {
  const lost = known.filter((row) => row.record !== null && !there.has(recordKey(row)))
  const values = (kind: RecordKind, field: string) =>
    lost.filter((row) => row.kind === kind).map(({ record }) => record?.[field] as string)
  const weeks = [...new Set([...before.weeks, ...values('closed_weeks', 'week')])].sort()
  const days = [...new Set([...before.days, ...values('closed_days', 'date')])].sort()
  return { weeks, days: days.filter((date) => !weeks.includes(weekOf(date))) }
}
