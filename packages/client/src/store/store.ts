import type { DateRange, EpochMs, IsoWeek, LocalDate, Problem, Random, RecordKind } from '@saldo/core'
import type { Held } from '../engine/base-record.ts'
import type { Edit, Pending } from '../engine/outbox.ts'
import type { StoreError } from './errors.ts'

/** What names a record in a table. */
export function recordKey({ kind, id }: { kind: RecordKind; id: string }): string {
  return `${kind} ${id}`
}

/** What names an edit: a record has one at a time. */
export function editKey({ kind, id, updatedAt }: Edit): string {
  return `${kind} ${id} ${updatedAt}`
}

/** An edit that the service refused; it waits for the user. */
export interface Refused {
  edit: Edit
  problem: Problem
  /** By the service's clock, as far as this device knew it; as is `overriddenAtMs`. */
  refusedAtMs: EpochMs
}

/** An edit that lost against another device's, and what won. */
export interface Overridden {
  mine: Edit
  theirs: Held
  overriddenAtMs: EpochMs
}

/** What a device knows about itself and about where it stands. */
export interface Meta {
  /** A random UUID, made with the database (D6). */
  device: string
  /** The number of the last edit. */
  seq: number
  /** The last version, with its tag; null before the first pull, and after R5.7. */
  point: Point | null
  /** The highest version that any answer told: no pull of the same history ends below it. */
  knownVersion: number
  /** How far the service's clock is ahead of this device's, in milliseconds. */
  offsetMs: number
  /** When a sync last came to its end, in milliseconds since 1970. */
  syncedAtMs: EpochMs | null
  /** What was closed in a history that was replaced, and is not in the one that took its place (D7). */
  lostClosings: LostClosings
  /** When what is held was last compared with what the service has (D10); not since the last cold start where it is null. */
  comparedAtMs?: EpochMs | null
  /** What came of it when they last differed. */
  divergence?: Divergence
}

/** A version, with its tag. */
export interface Point {
  version: number
  tag: string | null
}

/** Whether two last versions are one point of one history. */
export function isSamePoint(a: Point | null, b: { version?: unknown; tag?: unknown } | null): boolean {
  return a?.version === b?.version && a?.tag === b?.tag
}

/** What this device held was not what the service had at the same version. */
export interface Divergence {
  /** In milliseconds since 1970, by the device's clock. */
  foundAtMs: EpochMs
  /** Whether they were the same again when all had been fetched anew. */
  isHealed: boolean
}

/** Closings that the service lost. */
export interface LostClosings {
  weeks: IsoWeek[]
  /** Days beyond those of the weeks. */
  days: LocalDate[]
}

/** A meta row of a device that has just been made. */
export function newMeta(random: Random): Meta {
  return {
    device: random.uuid(),
    seq: 0,
    point: null,
    knownVersion: 0,
    offsetMs: 0,
    syncedAtMs: null,
    lostClosings: { weeks: [], days: [] },
  }
}

/** Rows, each under its key. */
export interface ReadTable<Row> {
  get(key: string): Promise<Row | undefined>
  all(): Promise<Row[]>
}

export interface Table<Row> extends ReadTable<Row> {
  put(rows: readonly Row[]): Promise<void>
  delete(keys: readonly string[]): Promise<void>
}

/** What the service is known to have. */
export interface ReadHeldTable extends ReadTable<Held> {
  ofKind(kind: RecordKind): Promise<Held[]>
  /** Hands over all rows, some at a time, so that a page stays responsive meanwhile. */
  each(visit: (row: Held) => void): Promise<unknown>
  unconfirmed(): Promise<Held[]>
  unreadable(): Promise<Held[]>
  /**
   * The live entries of which some part lies in a range of UTC dates, in no order: running ones have no end, a date is its
   * UTC day, and what does not tell when it is lies in no range. It takes as long as there are entries in the range, and
   * entries longer than a day after its begin; no longer for all others.
   */
  entriesIn(range: DateRange): Promise<Held[]>
}

export interface HeldTable extends ReadHeldTable, Table<Held> {}

/** What is to be sent. */
export interface ReadOutbox extends ReadTable<Pending> {
  /** Whether there is a row that no tab is sending, however many rows there are. */
  hasFree(): Promise<boolean>
}

export interface Outbox extends ReadOutbox, Table<Pending> {}

/** Everything that a device keeps. */
export interface ReadTables {
  /** By record. */
  readonly held: ReadHeldTable
  /** By record. */
  readonly outbox: ReadOutbox
  /** By edit. */
  readonly refused: ReadTable<Refused>
  /** By edit. */
  readonly overridden: ReadTable<Overridden>
  meta(): Promise<Meta>
}

/** The same, to be written to. */
export interface Tables extends ReadTables {
  readonly held: HeldTable
  readonly outbox: Outbox
  readonly refused: Table<Refused>
  readonly overridden: Table<Overridden>
  setMeta(meta: Meta): Promise<void>
  /** Empties every table, the meta row aside (R5.6). */
  wipe(): Promise<void>
}

/** The tables of rows, with the keys of their rows. */
export const keyOf = {
  held: recordKey,
  outbox: recordKey,
  refused: ({ edit }: Refused) => editKey(edit),
  overridden: ({ mine }: Overridden) => editKey(mine),
} as const

export type RowTableName = keyof typeof keyOf
export type TableName = RowTableName | 'meta'

/** What a transaction wrote to: tables, and of `held` the kinds as well. */
export type Changed = TableName | RecordKind

/** The kind of a record by its key in `held`. */
export function kindOf(key: string): RecordKind {
  return key.slice(0, key.indexOf(' ')) as RecordKind
}

export const rowTableNames = Object.keys(keyOf) as RowTableName[]

/**
 * Where a device keeps what it knows, of one user.
 *
 * `run` is one transaction over all tables: everything that the body writes is kept, durably, before the promise is
 * resolved; or nothing, when the body throws or the process ends. Transactions run one after another, in the order in which
 * they were asked for. `read` is one that only reads: it sees what was written before, waits for no disk, and may run
 * beside others that read. A body awaits nothing but its tables. Rows go in and out as copies. Where the store itself
 * cannot, both throw a `StoreError`.
 */
export interface LocalStore {
  run<T>(body: (tables: Tables) => Promise<T>): Promise<T>
  read<T>(body: (tables: ReadTables) => Promise<T>): Promise<T>
  /**
   * Calls `listener` once after each transaction that wrote something, in another tab too, with what it wrote to; with
   * nothing when `trouble` changed by itself. Returns what ends that.
   */
  subscribe(listener: (changed: ReadonlySet<Changed>) => void): () => void
  /** What keeps the store from being used, as far as it is known by now. */
  trouble(): StoreError | undefined
  /** What was asked for before is still done. */
  close(): Promise<void>
  /** Closes the store, in every tab, and deletes everything that it keeps. Throws a `StoreError` where it is closed. */
  erase(): Promise<void>
}

/** Whose store it is: each user has one of their own. */
export interface Owner {
  /** The service's number of the user. */
  user: number
  random: Random
}

export type OpenStore = (owner: Owner) => LocalStore
