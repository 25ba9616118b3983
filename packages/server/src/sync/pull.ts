import {
  appendMember,
  type Clock,
  DAY_MS,
  type EpochMs,
  instantOf,
  recordKinds,
  type SyncPosition,
  type UserNumber,
  Uuid,
} from '@saldo/core'
import * as v from 'valibot'
import { UnavailableError } from '../errors.ts'
import type { LiveRecord, LogState, RecordKey, RecordStore, StoredRecord, UserReader } from '../store/store.ts'
import { formatCursor, parseCursor, readPage } from './pages.ts'

/** The time for which the log keeps a row (R4.1). */
const RETENTION_MS = 30 * DAY_MS

/** The response to a pull as JSON, or the reason why there is none. */
export type PullResult =
  | { outcome: 'pulled'; body: string }
  | { outcome: 'stale'; marker: SyncPosition }
  | { outcome: 'invalid_cursor' }

/** Pulls what changed after a version (R3.3 to R3.6, D5.1, D5.2). */
export async function pullSince(
  store: RecordStore,
  clock: Clock,
  user: UserNumber,
  since: number,
  limit: number,
): Promise<PullResult> {
  const nowMs = clock.now()
  return readPruned(store, user, nowMs, since, async (reader, { marker, tag }) => {
    if (marker && since < marker.version) return { outcome: 'stale', marker }
    const { records, last } = await readPage<StoredRecord & SyncPosition>(
      (after, count) => reader.changesSince(after?.version ?? since, count),
      limit,
    )
    const end = last ?? (await reader.position())
    const body = jsonWithRecords(records, {
      version: end.version,
      tag: end.tag,
      since_tag: tag,
      has_more: last !== undefined,
      server_time: instantOf(nowMs),
      deleted: tombstonesByKind(records),
    })
    return { outcome: 'pulled', body }
  })
}

/** Pulls a page of the snapshot of all live records: the first, or the one after a cursor (D5.7, D5.8). */
export async function pullSnapshot(
  store: RecordStore,
  clock: Clock,
  user: UserNumber,
  cursorText: string | undefined,
  limit: number,
): Promise<PullResult> {
  const cursor = cursorText === undefined ? undefined : readCursor(cursorText)
  if (cursorText !== undefined && !cursor) return { outcome: 'invalid_cursor' }
  const nowMs = clock.now()
  return readPruned(store, user, nowMs, cursor?.at.version ?? 0, async (reader, log) => {
    if (cursor && !canPullFrom(log, cursor.at)) return { outcome: 'invalid_cursor' }
    const at = cursor?.at ?? (await reader.position())
    const { records, last } = await readPage<LiveRecord>(
      (after, count) => reader.snapshot(after ?? cursor?.after, count),
      limit,
    )
    const body = jsonWithRecords(records, {
      version: at.version,
      tag: at.tag,
      has_more: last !== undefined,
      cursor: last ? formatCursor([at.version, at.tag, last.kind, last.id]) : null,
      server_time: instantOf(nowMs),
      deleted: {},
    })
    return { outcome: 'pulled', body }
  })
}

/**
 * Reads from a log without rows that are due (R3.4). Hardly ever is one due, so the read that looks for one goes on,
 * with the state of the log and the tag of `version`.
 * Where pruning fails, as on a full disk, the response is correct without it.
 */
async function readPruned(
  store: RecordStore,
  user: UserNumber,
  nowMs: EpochMs,
  version: number,
  body: (reader: UserReader, log: LogState) => Promise<PullResult>,
): Promise<PullResult> {
  const beforeMs = nowMs - RETENTION_MS
  const result = await store.read(user, async (reader) => {
    const log = await reader.logState(version)
    return log.oldestMs !== null && log.oldestMs < beforeMs ? undefined : body(reader, log)
  })
  if (result) return result
  try {
    while (await store.write(user, (writer) => writer.prune(beforeMs)));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  }
  return store.read(user, async (reader) => body(reader, await reader.logState(version)))
}

function tombstonesByKind(records: readonly StoredRecord[]): object {
  const byKind = Map.groupBy(
    records.filter(({ deleted }) => deleted),
    ({ kind }) => kind,
  )
  const tombstone = ({ id, updatedAt, version }: StoredRecord) => ({ id, updated_at: updatedAt, version })
  return Object.fromEntries([...byKind].map(([kind, those]) => [kind, those.map(tombstone)]))
}

/** Returns a response as JSON with the live records as `changes`, whose stored JSON goes out without being parsed. */
function jsonWithRecords(records: readonly StoredRecord[], response: object): string {
  const live = records.filter(({ deleted }) => !deleted)
  const lists = [...Map.groupBy(live, ({ kind }) => kind)].map(
    ([kind, those]) => `"${kind}":[${those.map(({ body }) => body).join()}]`,
  )
  return appendMember(JSON.stringify(response), 'changes', `{${lists.join()}}`)
}

/** Says how a snapshot goes on: the position that all its pages carry, and the last record of a page. */
interface SnapshotCursor {
  at: SyncPosition
  after: RecordKey
}

/** True if a client that ends a snapshot at a position can pull on from there. `log` has the tag of its version. */
function canPullFrom(log: LogState, { version, tag }: SyncPosition): boolean {
  return log.tag === tag && (log.marker?.version ?? 0) <= version
}

const Cursor = v.tuple([v.pipe(v.number(), v.safeInteger()), v.string(), v.picklist(recordKinds), Uuid])

function readCursor(text: string): SnapshotCursor | undefined {
  const values = parseCursor(Cursor, text)
  if (!values) return undefined
  const [version, tag, kind, id] = values
  return { at: { version, tag }, after: { kind, id } }
}
