import type { Cause, Claims, DateRange, Digests, Instant, JsonObject, RecordKind } from '@saldo/core'

/** A user's number: the first part of every key. */
export type UserId = number

/** A version of a user's history, with the tag that tells one history from another (D4). */
export interface SyncPosition {
  version: number
  /** Null only at version 0. */
  tag: string | null
}

/** A record as it stands: live, or a tombstone. */
export interface StoredRecord {
  kind: RecordKind
  id: string
  version: number
  updatedAt: Instant
  deleted: boolean
  /** The record's JSON exactly as it goes out, `version` included; of a tombstone, what is still known of it. */
  body: string
  claims: Claims
}

/** A state to store: the whole record but its `version`, which the store adds. */
export interface NewState {
  kind: RecordKind
  id: string
  updatedAt: Instant
  deleted: boolean
  /** With `id` and `updated_at`. */
  fields: JsonObject
  claims: Claims
}

/** A stretch of the number line on which records lie: milliseconds in UTC, dates as their UTC day. */
export interface Span {
  /** Included. */
  from: number
  /** Not included. */
  to: number
}

/** Where a page of records in time order ended; the next begins behind it. */
export interface TimeKey {
  startsMs: number
  id: string
}

/** What the log of a user says. */
export interface LogState {
  /** The tag of the version; null where the log has no such row. */
  tag: string | null
  /** The `_pruned` marker, where rows were ever pruned. */
  marker: SyncPosition | undefined
  /** Whether its oldest row behind the marker was logged before the time. */
  hasBefore: boolean
}

/** What names a record of a user. */
export interface RecordKey {
  kind: RecordKind
  id: string
}

/** What a job is to do, besides when. */
export type JobTask =
  /** Recompute the closed days of these ranges, in order. */
  | { kind: 'recompute'; ranges: (DateRange & { cause: Pick<Cause, 'kind' | 'id' | 'op'> })[] }
  /** Close what has become due; everything before `dayFrom` and `weekFrom` (a Monday) is done. */
  | { kind: 'auto_close'; dayFrom: string; weekFrom: string }

/** Work of one user that is still to be done, in transactions of its own. */
export interface Job {
  id: string
  /** Milliseconds since 1970; not before then. */
  dueMs: number
  task: JobTask
}

/**
 * What can be read of one user. All of it belongs to one consistent snapshot: what a write that had been
 * acknowledged before the read began has stored is in it, and of no write only a part.
 */
export interface UserReader {
  /** Returns the user's counter: version and tag of the last change. */
  position(): Promise<SyncPosition>
  /** What the log says of a version and a time in milliseconds; as many index probes as there are answers. */
  logState(version: number, ms: number): Promise<LogState>
  /** Returns count and digest of the live records of each kind (D10). */
  digests(): Promise<Digests>
  /** The records of these keys that exist, tombstones included. */
  find(keys: readonly RecordKey[]): Promise<StoredRecord[]>
  /** The live records of a kind that meet a span, in order of their start, then id. A running entry has no end. */
  meeting(kind: RecordKind, span: Span, page?: { after?: TimeKey | undefined; limit: number }): Promise<StoredRecord[]>
  /** All live records of a kind, in order of their start, then id. */
  live(kind: RecordKind): Promise<StoredRecord[]>
  /** How many live records of a kind begin in a span. */
  count(kind: RecordKind, span: Span): Promise<number>
  /** Sum of `delta_ms`, and of its absolute values, over the live records of a kind that begin in a span. */
  sumDeltas(kind: RecordKind, span: Span): Promise<{ sum: number; absolute: number }>
  /**
   * What changed after `since`, in version order, each record once in its latest state, tombstones included; at most
   * `limit`. Each with the tag of its version.
   */
  changesSince(since: number, limit: number): Promise<(StoredRecord & { tag: string })[]>
  /** Returns the live records after a key in order of kind and id, at most `limit`: a page of a snapshot. */
  snapshot(after: RecordKey | undefined, limit: number): Promise<StoredRecord[]>
  /** The user's jobs. */
  jobs(): Promise<Job[]>
}

/**
 * One write of a user. Writes of one user are serialised by the lock on the user's counter, taken before anything is
 * read, so version order is commit order on every engine and no reader ever sees version n + 1 without n.
 */
export interface UserWriter extends UserReader {
  /**
   * Stores states under the next versions, one each, consecutive and in their order, each with a row in the log, which is
   * logged no earlier than those before it, whatever the clock says. Of several states of one record the last one stands.
   * Returns them as stored, in the same order.
   */
  put(states: readonly NewState[]): Promise<StoredRecord[]>
  /**
   * Removes the log rows logged before `ms` (R4.1) and moves the `_pruned` marker to the highest version removed (R4.2).
   * Writes nothing if there are none. Records, tombstones and the counter stay as they are.
   */
  prune(ms: number): Promise<void>
  putJob(job: Job): Promise<void>
  deleteJob(id: string): Promise<void>
}

/** There is no such user: never was, or deleted meanwhile. */
export class UnknownUserError extends Error {
  constructor() {
    super('there is no such user')
    this.name = 'UnknownUserError'
  }
}

/**
 * Where the records of all users live. Every method names one user; no user ever sees another's, whatever the ids.
 *
 * A body awaits nothing but its reader or writer, and may be run again from the start, so it has no effects of its
 * own. Both throw `UnknownUserError` for a user that does not exist and `UnavailableError` when the engine cannot
 * answer now; an error thrown by a body leaves no trace in the store and passes through.
 */
export interface RecordStore {
  read<T>(user: UserId, body: (reader: UserReader) => Promise<T>): Promise<T>
  /** Resolved only when everything that the body wrote is durable. */
  write<T>(user: UserId, body: (writer: UserWriter) => Promise<T>): Promise<T>
  /** The same, unless another node writes for the user, or there is no such user: then `undefined`, without waiting. */
  writeIfFree<T>(user: UserId, body: (writer: UserWriter) => Promise<T>): Promise<T | undefined>
  /**
   * Users with a job due at `nowMs`, the longest due first, at most `limit` and some where there are any, but none of `except`.
   * The one method that looks across users.
   */
  usersWithDueJobs(nowMs: number, limit: number, except: Iterable<UserId>): Promise<UserId[]>
}
