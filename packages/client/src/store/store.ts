import type { DateRange, EpochMs, IsoDate, IsoWeek, Problem, Random, RecordKind } from '@saldo/core'
import type { Held } from '../held.ts'
import type { Edit, Pending } from '../pending.ts'
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
  point: { version: number; tag: string | null } | null
  /** The highest version that any answer told: no pull of the same history ends below it. */
  knownVersion: number
  /** How far the service's clock is ahead of this device's, in milliseconds. */
  offsetMs: number
  /** When a sync last came to its end, in milliseconds since 1970. */
  syncedAtMs: EpochMs | null
  /** What was closed in a history that was replaced, and is not in the one that took its place (D7). */
  lostClosings: LostClosings
}

/** Closings that the service lost. */
export interface LostClosings {
  weeks: IsoWeek[]
  /** Days beyond those of the weeks. */
  days: IsoDate[]
}

/** Rows, each under its key. */
export interface Table<Row> {
  get(key: string): Promise<Row | undefined>
  all(): Promise<Row[]>
  put(rows: readonly Row[]): Promise<void>
  delete(keys: readonly string[]): Promise<void>
}

/** What the service is known to have. */
export interface HeldTable extends Table<Held> {
  ofKind(kind: RecordKind): Promise<Held[]>
  unconfirmed(): Promise<Held[]>
  /**
   * The live entries of which some part lies in a range of UTC dates, those that are running included; no order. Takes no
   * longer for all the entries that end before the range.
   */
  entriesIn(range: DateRange): Promise<Held[]>
}

export const tableNames = ['held', 'outbox', 'refused', 'overridden', 'meta'] as const
export type TableName = (typeof tableNames)[number]

/** Everything that a device keeps. */
export interface Tables {
  /** By record. */
  held: HeldTable
  /** By record. */
  outbox: Table<Pending>
  /** By edit. */
  refused: Table<Refused>
  /** By edit. */
  overridden: Table<Overridden>
  meta(): Promise<Meta>
  setMeta(meta: Meta): Promise<void>
  /** Empties every table, the meta row aside (R5.6). */
  wipe(): Promise<void>
}

/**
 * Where a device keeps what it knows, of one user.
 *
 * `run` is one transaction over all tables: everything that the body writes is kept, durably, before the promise is
 * resolved; or nothing, when the body throws or the process ends. Transactions run one after another. A body awaits
 * nothing but its tables. Rows go in and out as copies. Where the store itself cannot, `run` throws a `StoreError`.
 */
export interface LocalStore {
  run<T>(body: (tables: Tables) => Promise<T>): Promise<T>
  /**
   * Calls `listener` once after each transaction that wrote something, in another tab too, with the tables it wrote to;
   * with none when `trouble` changed. Returns what ends that.
   */
  subscribe(listener: (changed: ReadonlySet<TableName>) => void): () => void
  /** What keeps the store from being used, as far as it is known by now. */
  trouble(): StoreError | undefined
  close(): Promise<void>
  /** Closes the store, in every tab, and deletes everything that it keeps. */
  erase(): Promise<void>
}

/** Whose store it is: each user has one of their own. */
export interface Owner {
  /** The service's number of the user. */
  user: number
  random: Random
}

export type OpenStore = (owner: Owner) => LocalStore
