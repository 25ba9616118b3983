import type {
  EpochMs,
  Instant,
  IsoWeek,
  JsonObject,
  LocalDate,
  Problem,
  Random,
  RecordId,
  RecordKind,
  SyncPosition,
  WritableKind,
} from '@saldo/core'

/** A record as the service last sent it: unsent changes are applied on top of it. */
export interface BaseRecord {
  kind: RecordKind
  id: RecordId
  version: number
  updatedAt: Instant
  /** The whole record; null for a tombstone. */
  record: JsonObject | null
  /** True if only the result of a write brought it: a pull has still to bring this version or a later one. */
  unconfirmed: boolean
  /**
   * While unconfirmed, an earlier state from which closed-period figures may still be computed: that of the last pull,
   * or, if no pull brought any, the first that is known.
   */
  lastPulled?: BaseRecord | undefined
  /** The record as this program reads it, if that is not as it came: with defaults and in canonical form (D7.28). */
  readAs?: JsonObject
  /** Set if a newer program wrote the record and this one cannot read it: it is kept as it came, not shown. */
  isUnreadable?: true
}

/** Returns the record as this program reads it; null for a tombstone and for a record that it cannot read. */
export function readingOf({ record, readAs, isUnreadable }: BaseRecord): JsonObject | null {
  return isUnreadable ? null : (readAs ?? record)
}

/** A mutation with the time and the number that it keeps in every retry. */
export interface QueuedChange {
  kind: WritableKind
  id: RecordId
  /** The record without the fields that the service sets; null deletes it. */
  content: JsonObject | null
  /** Fixed before the first attempt (D7.1). */
  updatedAt: Instant
  /** Counts the changes of this device; higher than those of all earlier changes (D6.14). */
  seq: number
  /** True if it offers a record that this program cannot read, and does not show (D7.28). */
  isUnreadable?: true
}

/** The latest unsent change of one record. */
export interface OutboxRow extends QueuedChange {
  /** The queue position: the `seq` of the change that first queued the record. The outbox is sent in this order. */
  place: number
  /** Rises with each request that carries the row; only the result of the latest one counts (D7.17). Zero at first. */
  generation: number
  /** When the record was first queued, by the clock of this device. */
  queuedAtMs: EpochMs
  /** The tab whose direct write carries the row now. */
  sender: string | null
  /** The state of the record that the service lost (D7.29). The row carries this state or a later change. */
  offer?: QueuedChange
}

/** A change that the service rejected; it waits for the user's decision. */
export interface RejectedChange {
  change: QueuedChange
  problem: Problem
  /** By the clock of the service, as far as this device knows it. */
  rejectedAtMs: EpochMs
}

/** A change that lost against a later one of another device. */
export interface Conflict {
  mine: QueuedChange
  theirs: BaseRecord
  /** By the clock of the service, as far as this device knows it. */
  detectedAtMs: EpochMs
}

/** True if both name the same version of the same history. */
export function isSamePosition(a: SyncPosition | null, b: { version?: unknown; tag?: unknown } | null): boolean {
  return a?.version === b?.version && a?.tag === b?.tag
}

/** Says that the base records were not what the service had at the same version. */
export interface Divergence {
  /** By the clock of this device. */
  foundAtMs: EpochMs
  /** True if a cold start repaired it. */
  isHealed: boolean
}

/** Closings that the service lost in a history reset (D7.41). */
export interface LostClosings {
  weeks: IsoWeek[]
  /** Days outside those weeks. */
  days: LocalDate[]
}

/** The state of a device that is not about single records. */
export interface Meta {
  /** A random UUID, made with the database. */
  device: string
  /** The number of the last change. */
  seq: number
  /** Null before the first pull, and when a cold start is due. */
  position: SyncPosition | null
  /** The highest version that the service ever sent: no pull of the same history ends below it (D7.38). */
  knownVersion: number
  /** The milliseconds by which the clock of the service is ahead of the clock of this device. */
  offsetMs: number
  /** When a sync last completed, by the clock of this device. */
  syncedAtMs: EpochMs | null
  /** True from a history reset until a cold start has followed it (D7.32). */
  isHistoryReset?: boolean
  lostClosings: LostClosings
  /** The kinds of records that the program which last opened the store could read. */
  kinds?: string
  /** When digests were last compared (D10.6); null if not since the last cold start. */
  comparedAtMs?: EpochMs | null
  /** The last divergence that a comparison found. */
  divergence?: Divergence
}

export function newMeta(random: Random): Meta {
  return {
    device: random.uuid(),
    seq: 0,
    position: null,
    knownVersion: 0,
    offsetMs: 0,
    syncedAtMs: null,
    lostClosings: { weeks: [], days: [] },
  }
}

/** Returns the key of a record in its table. */
export function recordKey({ kind, id }: { kind: RecordKind; id: RecordId }): string {
  return `${kind} ${id}`
}

export function kindOf(key: string): RecordKind {
  return key.slice(0, key.indexOf(' ')) as RecordKind
}

/** Returns the key of a change: no two changes of a record have the same time. */
export function changeKey({ kind, id, updatedAt }: QueuedChange): string {
  return `${kind} ${id} ${updatedAt}`
}
