import { type Clock, DAY_MS, instantOf, isRecordKind, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { UnavailableError } from '../store/sql.ts'
import type { LogState, Point, RecordKey, RecordStore, StoredRecord, UserId, UserReader } from '../store/store.ts'
import { type Page, readPage } from './pages.ts'

/** How long the log keeps a row (R4.1). */
const RETENTION_MS = 30 * DAY_MS

/** The body of an answer, already JSON, or the reason why there is none. */
export type PullOutcome =
  | { outcome: 'answer'; body: string }
  | { outcome: 'stale'; marker: Point }
  | { outcome: 'invalid_cursor' }

/** What changed since a version (R3.3 to R3.6, D5). */
export function pullSince(
  store: RecordStore,
  clock: Clock,
  user: UserId,
  since: number,
  limit: number,
): Promise<PullOutcome> {
  return readPruned(store, clock, user, since, async (reader, { tag, marker }, nowMs) => {
    if (marker && since < marker.version) return { outcome: 'stale', marker }
    const found = await readPage<Change>((last, count) => reader.changesSince(last?.version ?? since, count), limit)
    return { outcome: 'answer', body: changesBody(found, await reader.point(), tag, nowMs) }
  })
}

/**
 * Runs the pruning rule if a log row is due (R3.4), then reads, given the log's state at a version. If the rule cannot
 * run, as on a full disk, the log still holds the rows that it would remove, and the answer is correct without it.
 */
async function readPruned<T>(
  store: RecordStore,
  clock: Clock,
  user: UserId,
  version: number,
  body: (reader: UserReader, log: LogState, nowMs: number) => Promise<T>,
): Promise<T> {
  const nowMs = clock.now()
  const pruneBeforeMs = nowMs - RETENTION_MS
  for (let hasTriedToPrune = false; ; hasTriedToPrune = true) {
    const answer = await store.read(user, async (reader) => {
      const log = await reader.logState(version, pruneBeforeMs)
      if (log.hasBefore && !hasTriedToPrune) return undefined
      return { value: await body(reader, log, nowMs) }
    })
    if (answer) return answer.value
    await store
      .write(user, (writer) => writer.prune(pruneBeforeMs))
      .catch((error) => {
        if (!(error instanceof UnavailableError)) throw error
      })
  }
}

/** A changed record with the tag of its version. */
type Change = StoredRecord & { tag: string }

function changesBody({ records, hasMore }: Page<Change>, counter: Point, tag: string | null, nowMs: number): string {
  const end: Point = hasMore ? (records.at(-1) as Change) : counter
  const head = { version: end.version, tag: end.tag, since_tag: tag, has_more: hasMore }
  const live = records.filter(({ deleted }) => !deleted)
  const dead = records.filter(({ deleted }) => deleted)
  const tombstone = ({ id, updatedAt, version }: StoredRecord) =>
    `{"id":"${id}","updated_at":"${updatedAt}","version":${version}}`
  const changes = listsByKind(live, ({ body }) => body)
  return `${opening(head, nowMs)},"changes":${changes},"deleted":${listsByKind(dead, tombstone)}}`
}

/** The start of an answer's JSON, up to what changed. */
function opening(head: object, nowMs: number): string {
  return JSON.stringify({ ...head, server_time: instantOf(nowMs) }).slice(0, -1)
}

/** Records by kind, as JSON that is put together from theirs without reading it. */
function listsByKind(records: readonly StoredRecord[], json: (record: StoredRecord) => string): string {
  const byKind = Map.groupBy(records, ({ kind }) => kind)
  return `{${[...byKind].map(([kind, those]) => `"${kind}":[${those.map(json).join(',')}]`).join(',')}}`
}

/** A page of the snapshot of all live records (D5): the first, or the one behind a cursor. */
export async function pullSnapshot(
  store: RecordStore,
  clock: Clock,
  user: UserId,
  cursorText: string | undefined,
  limit: number,
): Promise<PullOutcome> {
  const cursor = cursorText === undefined ? undefined : readCursor(cursorText)
  if (cursorText !== undefined && !cursor) return { outcome: 'invalid_cursor' }
  return readPruned(store, clock, user, cursor?.at.version ?? 0, async (reader, log, nowMs) => {
    if (cursor && !isInHistory(log, cursor.at)) return { outcome: 'invalid_cursor' }
    const at = cursor?.at ?? (await reader.point())
    const { records, hasMore } = await readPage((last, count) => reader.snapshot(last ?? cursor?.after, count), limit)
    const last = hasMore ? records.at(-1) : undefined
    const head = {
      version: at.version,
      tag: at.tag,
      has_more: hasMore,
      cursor: last ? writeCursor({ at, after: last }) : null,
    }
    const changes = listsByKind(records, ({ body }) => body)
    return { outcome: 'answer', body: `${opening(head, nowMs)},"changes":${changes},"deleted":{}}` }
  })
}

/** Whether a client that ends a snapshot at this point can go on pulling from there. */
function isInHistory({ tag, marker }: LogState, at: Point): boolean {
  return tag === at.tag && (marker?.version ?? 0) <= at.version
}

/** Where a snapshot goes on: the point that all its pages carry, and the last record of the page before. */
interface Cursor {
  at: Point
  after: RecordKey
}

function writeCursor({ at, after }: Cursor): string {
  return Buffer.from(JSON.stringify([at.version, at.tag, after.kind, after.id])).toString('base64url')
}

function readCursor(text: string): Cursor | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (!Array.isArray(parts)) return undefined
  const [version, tag, kind, id] = parts
  const isCursor = Number.isSafeInteger(version) && typeof tag === 'string' && isRecordKind(kind) && v.is(Uuid, id)
  return isCursor ? { at: { version, tag }, after: { kind, id } } : undefined
}
