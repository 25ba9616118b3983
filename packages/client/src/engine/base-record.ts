import { type Instant, type JsonObject, matches, type RecordKind, recordSchemas } from '@saldo/core'
import { inSlices } from '../store/slices.ts'

/** What the service is known to have of a record: the base on which pending edits lie. */
export interface Held {
  kind: RecordKind
  id: string
  version: number
  updatedAt: Instant
  /** The whole record; null for a tombstone. */
  record: JsonObject | null
  /** Known from the answer to a write only; a pull has still to bring it, at this version or later. */
  unconfirmed: boolean
  /** Until a pull brings it, the first state that was known since the last did: the service's figures may still be made of that. */
  was?: Held | undefined
  /** The record is not one that this program can read, as one of a newer program: it is kept as it came, and not shown. */
  isUnreadable?: true
}

/** A row that says whether this program can read it. */
export function checked({ isUnreadable: _was, ...row }: Held): Held {
  return row.record === null || matches(recordSchemas[row.kind], row.record) ? row : { ...row, isUnreadable: true }
}

/** Keeps rows in a table, checked. */
export function hold(table: { put(rows: readonly Held[]): Promise<void> }, rows: readonly Held[]): Promise<void> {
  return inSlices(rows, (slice) => table.put(slice.map(checked)))
}

/** Why the service's history cannot be the one that this device knows: it was restored from a backup (D7). */
export type Replacement =
  /** The tag of the last version differs. */
  | 'tag'
  /** A pull passed the version of an unconfirmed state without bringing it. */
  | 'missing'
  /** A version came with another time. */
  | 'rewritten'
  /** A pull ended below a version that was known before. */
  | 'shorter'
  /** A state of the same version or a later one came with an earlier time. */
  | 'earlier'

/**
 * What is held once a pull brought `incoming`. No state is ever replaced by one of a lower version. A `replaced` says
 * that it is of another history; then it is not stored.
 */
export function holdPulled(
  held: Held | undefined,
  incoming: Held,
): { held: Held; replaced?: undefined } | { replaced: Replacement } {
  if (!held) return { held: incoming }
  if (incoming.version < held.version) return { held }
  if (incoming.version === held.version && incoming.updatedAt !== held.updatedAt) return { replaced: 'rewritten' }
  if (incoming.updatedAt < held.updatedAt) return { replaced: 'earlier' }
  return { held: incoming }
}

/**
 * What is held once the answer to a write told `incoming`. A pull has already brought everything up to `lastVersion`, so
 * only what is above it is news, and that is unconfirmed; and a tombstone, which a snapshot does not bring.
 */
export function holdAnswered(held: Held | undefined, incoming: Held, lastVersion: number): Held | undefined {
  if (held && incoming.version <= held.version) return held
  if (incoming.version > lastVersion) return { ...incoming, unconfirmed: true }
  return held ?? (incoming.record === null ? { ...incoming, unconfirmed: false } : undefined)
}

/**
 * Whether the answer to a write, or what is held, is of a history that was replaced: a pull must have brought the state
 * that it tells of, and did not, tombstones aside, of which a snapshot brings none; or versions and times are not in the
 * same order, as they are in one history.
 */
export function isForeign(held: Held | undefined, told: Held, lastVersion: number): boolean {
  if (held && told.version <= held.version) return told.updatedAt > held.updatedAt
  return told.version <= lastVersion && (held !== undefined || told.record !== null)
}

/** A page of a pull, as far as it tells which history it belongs to. */
export interface PageEnd {
  version: number
  sinceTag: string | null
  hasMore: boolean
}

/**
 * Whether a page, the records of which are held by now, belongs to another history. `since` is the version that was
 * asked for with its tag, `knownVersion` the highest that was known when the request left, `unconfirmed` the states that
 * still are.
 */
export function replacementOf(
  page: PageEnd,
  since: { version: number; tag: string | null },
  knownVersion: number,
  unconfirmed: readonly Held[],
): Replacement | undefined {
  if (page.sinceTag !== since.tag) return 'tag'
  if (page.hasMore) return undefined
  if (page.version < knownVersion) return 'shorter'
  return unconfirmed.some(({ version }) => version <= page.version) ? 'missing' : undefined
}
