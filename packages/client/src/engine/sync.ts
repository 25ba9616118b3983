import {
  type Instant,
  isJsonObject,
  type JsonObject,
  matches,
  type Problem,
  type PullAnswer,
  type PushAnswer,
  type PushResult,
  type RecordKind,
  RecordStamp,
  recordKinds,
} from '@saldo/core'
import { notTheService, problemIn, type Reply, type Transport } from '../host/transport.ts'
import { type LocalStore, recordKey, type Tables } from '../store/store.ts'
import {
  checked,
  type Held,
  hold,
  holdAnswered,
  holdPulled,
  isForeign,
  type PageEnd,
  type Replacement,
  replacementOf,
} from './base-record.ts'
import { firstBatch, halve } from './batch.ts'
import { type Edit, type Pending, release, send, sendable } from './outbox.ts'
import { type Answer, type Settlement, settle } from './settle.ts'

/** What a step of the sync needs. */
export interface SyncContext {
  store: LocalStore
  transport: Transport
  now: () => number
  /** Names this tab in the rows that it sends. */
  tab: () => string
  /** The tabs that there are. */
  alive: () => Promise<ReadonlySet<string>>
}

/** What came of a request, other than an answer. */
export type Failure =
  | Exclude<Reply, { outcome: 'answered' }>
  /** The service failed at these changes; another time it may not. */
  | { outcome: 'defect'; batch: readonly Pending[]; retryAfterMs: number; problem: Problem }

/** Sends the first rows of the outbox that can be sent, `most` of them. `all` where there was nothing to send. */
export async function pushOnce(context: SyncContext, most: number): Promise<'some' | 'all' | 'replaced' | Failure> {
  const { store } = context
  const tab = context.tab()
  const alive = await context.alive()
  const { batch, device } = await store.run(async (tables) => {
    const rows = firstBatch(sendable(await tables.outbox.all(), alive), bytesOf, most, MOST_BYTES)
    const sent = rows.map((row) => send(row, tab))
    await tables.outbox.put(sent)
    return { batch: sent, device: (await tables.meta()).device }
  })
  if (batch.length === 0) return 'all'
  const failure = await pushBatch(context, device, batch)
  if (!failure) return 'some'
  await store.run((tables) => releaseRows(tables, batch))
  return failure
}

/** What a push carries: a network of 30 kbit/s brings that up before it is given up, and the largest change is smaller. */
export const MOST_BYTES = 100_000

export function bytesOf(edit: Edit): number {
  return new TextEncoder().encode(JSON.stringify(changeOf(edit))).byteLength + 1
}

/** Pushes rows; where they are refused whole, the halves of them, until the culprit is alone and goes to the tray. */
async function pushBatch(
  context: SyncContext,
  device: string,
  batch: readonly Pending[],
): Promise<'replaced' | Failure | undefined> {
  const askedMs = context.now()
  const reply = await context.transport({
    method: 'POST',
    path: '/api/sync/push',
    body: { device, changes: batch.map(changeOf) },
  })
  if (reply.outcome === 'answered') {
    if (!isPushAnswer(reply.body, batch)) return notTheService
    const { body } = reply
    const offsetMs = offsetOf(body.server_time, askedMs, context.now())
    return context.store.run((tables) => applyResults(tables, batch, body, offsetMs, context.now()))
  }
  if (reply.outcome === 'unreachable' && reply.problem?.status === 500) {
    return { ...reply, outcome: 'defect', batch, problem: reply.problem }
  }
  if (reply.outcome !== 'refused' || ![400, 413, 422].includes(reply.status)) return reply
  const next = halve(batch)
  if ('culprit' in next) {
    const answer: Answer = { status: 'rejected', problem: reply.problem }
    await context.store.run((tables) => settleRow(tables, next.culprit, answer, context.now()))
    return undefined
  }
  for (const half of next.batches) {
    const failure = await pushBatch(context, device, half)
    if (failure) return failure
  }
  return undefined
}

/** A change as push takes it (D6). */
export function changeOf({ kind, id, content, updatedAt, seq }: Edit): object {
  if (content === null) return { kind, op: 'delete', seq, id, updated_at: updatedAt }
  return { kind, op: 'upsert', seq, record: { ...content, id, updated_at: updatedAt } }
}

/**
 * Writes down what became of a batch. An answer that says nothing any more, since another tab has sent the rows again, is as none:
 * two tabs that sent at once whatever the other had overtaken would do so for ever.
 */
async function applyResults(
  tables: Tables,
  batch: readonly Pending[],
  { results }: PushAnswer,
  offsetMs: number | undefined,
  nowMs: number,
): Promise<'replaced' | Failure | undefined> {
  let outcome: 'replaced' | Failure | undefined = notTheService
  const before = await tables.meta()
  await tables.setMeta({ ...before, offsetMs: offsetMs ?? before.offsetMs })
  for (const [index, sent] of batch.entries()) {
    const { counts, isForeign } = await settleRow(tables, sent, answerOf(sent, results[index] as PushResult), nowMs)
    if (isForeign) outcome = 'replaced'
    else if (counts && outcome !== 'replaced') outcome = undefined
  }
  return outcome
}

/** What the result of a change says of it. */
export function answerOf({ kind, id, content }: Edit, result: PushResult): Answer {
  const named = result as Named
  const { version, updated_at: updatedAt } = named
  const stands = { kind, id, version, updatedAt, unconfirmed: true }
  switch (result.status) {
    case 'applied':
    case 'unchanged': {
      const record = content && { id, ...content, updated_at: updatedAt, version }
      return { status: 'stored', stands: { ...stands, record } }
    }
    case 'superseded': {
      return { status: 'superseded', stands: heldFromWrite(kind, named, (result.record ?? null) as JsonObject | null) }
    }
    case 'skipped':
      return { status: 'skipped' }
    case 'rejected':
      return {
        status: 'rejected',
        problem: problemIn(result.problem, 422, 'The service refused it.'),
      }
  }
}

/** Writes down what an answer to an edit means. */
export async function settleRow(tables: Tables, sent: Pending, answer: Answer, nowMs: number): Promise<Settlement> {
  const key = recordKey(sent)
  const before = await tables.outbox.get(key)
  const settlement = settle(before, sent, answer)
  if (before && settlement.stands && (await tellsOfAnother(tables, settlement.stands))) {
    const pending = release(before)
    await tables.outbox.put([pending])
    return { counts: false, isForeign: true, pending }
  }
  const { pending, stands, overridden, refused } = settlement
  if (pending) await tables.outbox.put([pending])
  else if (before) await tables.outbox.delete([key])
  if (stands) await holdNews(tables, stands)
  const atMs = nowMs + (await tables.meta()).offsetMs
  if (overridden) await tables.overridden.put([{ ...overridden, overriddenAtMs: atMs }])
  if (refused) await tables.refused.put([{ ...refused, refusedAtMs: atMs }])
  return settlement
}

async function tellsOfAnother(tables: Tables, told: Held): Promise<boolean> {
  const { point } = await tables.meta()
  return isForeign(await tables.held.get(recordKey(told)), told, point?.version ?? 0)
}

async function holdNews(tables: Tables, told: Held): Promise<void> {
  const meta = await tables.meta()
  const before = await tables.held.get(recordKey(told))
  const after = holdAnswered(before, told, meta.point?.version ?? 0)
  if (after && after !== before) await tables.held.put([{ ...after, was: before?.was ?? before }])
  if (told.version > meta.knownVersion) await tables.setMeta({ ...meta, knownVersion: told.version })
}

/** Has rows wait again that a request carried, where no other has carried them since. */
export async function releaseRows(tables: Tables, rows: readonly Pending[]): Promise<void> {
  const released: Pending[] = []
  for (const row of rows) {
    const now = await tables.outbox.get(recordKey(row))
    if (now?.attempts === row.attempts) released.push(release(now))
  }
  await tables.outbox.put(released)
}

/** Thrown inside a transaction, so that nothing of it is kept. */
class ReplacedError extends Error {
  readonly reason: Replacement

  constructor(reason: Replacement) {
    super(`the service's history was replaced: ${reason}`)
    this.name = 'ReplacedError'
    this.reason = reason
  }
}

/** Asks for a page, behind a version where one is told: where more follows, it must be a step towards that, or it would go on for ever. */
export async function askPage(
  { transport }: SyncContext,
  query: string,
  since?: number,
): Promise<PullAnswer | Failure> {
  const reply = await transport({ method: 'GET', path: `/api/sync/pull?${query}` })
  if (reply.outcome !== 'answered') return reply
  return isPullAnswer(reply.body, since) ? reply.body : notTheService
}

/** Pulls one page behind the last version (R5.4). `stale` where there is none yet, or the log does not reach back to it. */
export async function pullOnce(
  context: SyncContext,
): Promise<'some' | 'all' | 'stale' | { replaced: Replacement } | Failure> {
  const { store } = context
  const { point, knownVersion } = await store.read((tables) => tables.meta())
  if (!point) return 'stale'
  const askedMs = context.now()
  const body = await askPage(context, `since=${point.version}`, point.version)
  if (!('changes' in body)) return body.outcome === 'refused' && body.status === 410 ? 'stale' : body
  const offsetMs = offsetOf(body.server_time, askedMs, context.now())
  try {
    await store.run(async (tables) => {
      const meta = await tables.meta()
      // Another tab pulled meanwhile: the page is not the next one any more.
      if (meta.point?.version !== point.version || meta.point.tag !== point.tag) return
      await holdPage(tables, recordsIn(body))
      const replaced = replacementOf(pageEnd(body), point, knownVersion, await tables.held.unconfirmed())
      if (replaced) throw new ReplacedError(replaced)
      await tables.setMeta({
        ...meta,
        offsetMs: offsetMs ?? meta.offsetMs,
        point: { version: body.version, tag: body.tag },
        knownVersion: Math.max(meta.knownVersion, body.version),
        syncedAtMs: body.has_more ? meta.syncedAtMs : context.now(),
      })
    })
  } catch (error) {
    if (error instanceof ReplacedError) return { replaced: error.reason }
    throw error
  }
  return body.has_more ? 'some' : 'all'
}

async function holdPage(tables: Tables, page: readonly Held[]): Promise<void> {
  const changed: Held[] = []
  for (const incoming of page) {
    const before = await tables.held.get(recordKey(incoming))
    const after = holdPulled(before, incoming)
    if (after.replaced) throw new ReplacedError(after.replaced)
    if (after.held !== before) changed.push(after.held)
  }
  await hold(tables.held, changed)
}

/** How a pull's answer ends. */
export function pageEnd({ version, since_tag, has_more }: PullAnswer): PageEnd {
  return { version, sinceTag: since_tag ?? null, hasMore: has_more }
}

/** The records of a pull's answer: live ones as they came, and tombstones. */
export function recordsIn({ changes, deleted }: PullAnswer): Held[] {
  return [
    ...entriesOf(changes).map(([kind, record]) => held(kind, record, record as JsonObject)),
    ...entriesOf(deleted).map(([kind, tombstone]) => held(kind, tombstone, null)),
  ]
}

export type Named = { id: string; version: number; updated_at: Instant }

type Lists = { readonly [K in RecordKind]?: readonly unknown[] | undefined }

/** What stands in place of a list is one entry of it, for `RecordStamp` to refuse. */
function entriesOf(lists: Lists): [RecordKind, Named][] {
  return recordKinds.flatMap((kind) =>
    [lists[kind] ?? []].flat().map((row) => [kind, row as Named] as [RecordKind, Named]),
  )
}

/** What the answer to a write tells of a record. */
export function heldFromWrite(kind: RecordKind, named: Named, record: JsonObject | null): Held {
  return checked({ ...held(kind, named, record), unconfirmed: true })
}

function held(kind: RecordKind, { id, version, updated_at }: Named, record: JsonObject | null): Held {
  return { kind, id, version, updatedAt: updated_at, record, unconfirmed: false }
}

/** An answer that took longer says nothing of clocks: this one may have slept, or been set. */
const MOST_ANSWER_MS = 60_000

/** How far the service's clock is ahead, when it told its time between two moments of ours, if they tell anything. */
function offsetOf(serverTime: Instant, askedMs: number, answeredMs: number): number | undefined {
  const tookMs = answeredMs - askedMs
  if (tookMs < 0 || tookMs > MOST_ANSWER_MS) return undefined
  return Math.round(Date.parse(serverTime) - (askedMs + answeredMs) / 2)
}

// Of an answer only what the sync itself relies on is checked: a record that this version cannot read is kept as it came,
// and must not fail the page.

/** In the year 9892: so much before the last that can be written, clocks may differ. */
const LAST_MS = 25e13

export function isPushAnswer(body: unknown, batch: readonly Edit[]): body is PushAnswer {
  if (!isJsonObject(body) || !isTime(body.server_time) || !Array.isArray(body.results)) return false
  return body.results.length === batch.length && body.results.every((result, index) => isResult(result, batch[index]))
}

function isResult(result: unknown, edit: Edit | undefined): boolean {
  const { status, id, record = result } = Object(result) as JsonObject
  if (['skipped', 'rejected'].includes(status as string)) return true
  return (
    ['applied', 'unchanged', 'superseded'].includes(status as string) &&
    id === edit?.id &&
    [result, record].every((value) => matches(RecordStamp, value))
  )
}

function isPullAnswer(body: unknown, since = -1): body is PullAnswer {
  return (
    isJsonObject(body) &&
    Number.isSafeInteger(body.version) &&
    [false, (body.version as number) > since].includes(body.has_more as boolean) &&
    (body.tag === null || typeof body.tag === 'string') &&
    isTime(body.server_time) &&
    isLists(body.changes) &&
    isLists(body.deleted)
  )
}

function isLists(value: unknown): boolean {
  return isJsonObject(value) && entriesOf(value as Lists).every(([, row]) => matches(RecordStamp, row))
}

/** Whether something can be read as a time that can be written; what is none is not below anything. */
function isTime(value: unknown): boolean {
  return Date.parse(value as string) < LAST_MS
}
