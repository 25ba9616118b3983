import {
  type AbsenceSize,
  appendMember,
  type Claims,
  DAY_MS,
  type DateRange,
  type DurationMs,
  type Entry,
  type EpochMs,
  epochMs,
  type HolidaySettings,
  type IdentifiedEntry,
  type Instant,
  isCounted,
  isGrant,
  isRequest,
  isTimed,
  type LocalDate,
  type RecordId,
  type RecordKind,
  type RecordOf,
  type Settings,
  type UserNumber,
  untimedDatesOf,
  utcDate,
  utcMidnight,
} from '@saldo/core'
import { readColumn } from '../json-columns.ts'
import type { Insert, SqlValue } from '../sql.ts'
import type { LiveRecord, RecordToStore, StoredRecord, TimeKey } from '../store.ts'

/** The name under which the marker stands among the kinds of the log's rows (R2.6). */
export const PRUNED = '_pruned'

/** A record as it stands in the table. */
export interface RecordRow<K extends RecordKind = RecordKind> {
  kind: K
  id: RecordId
  version: number
  updated_at: Instant
  deleted: number
  claims: string | null
  body: string
}

export const COLUMNS = 'kind, id, version, updated_at, deleted, claims, body'
/** The same beside those of another table. */
export const COLUMNS_OF_RECORDS = COLUMNS.replaceAll(/\w+/g, 'records.$&')

/** A stored record that parses its body when its fields are first read, and then keeps them. */
class ParsedLater {
  readonly kind: RecordKind
  readonly id: RecordId
  readonly version: number
  readonly updatedAt: Instant
  readonly deleted: boolean
  readonly body: string
  readonly claims: Claims
  #fields: unknown

  constructor(
    { kind, id, updatedAt, deleted, claims }: Omit<RecordToStore, 'fields'>,
    version: number,
    body: string,
    fields?: unknown,
  ) {
    this.kind = kind
    this.id = id
    this.version = version
    this.updatedAt = updatedAt
    this.deleted = deleted
    this.body = body
    this.claims = claims
    this.#fields = fields
  }

  get fields(): unknown {
    this.#fields ??= JSON.parse(this.body)
    return this.#fields
  }
}

/** Returns a row as a record. Only records that were checked are stored, so the fields are those of the kind. */
export function storedRecord<K extends RecordKind>(row: RecordRow<K>): StoredRecord<K> {
  const { kind, id, version, updated_at, deleted, claims, body } = row
  const record = { kind, id, updatedAt: updated_at, deleted: deleted === 1, claims: readClaims(claims) }
  return new ParsedLater(record, version, body) as unknown as StoredRecord<K>
}

const noClaims: Claims = {}

function readClaims(text: string | null): Claims {
  return text === null ? noClaims : readColumn('claims', text)
}

/** Returns a record as it is stored under a version. */
export function toStoredRecord<K extends RecordKind>(record: RecordToStore<K>, version: number): StoredRecord<K> {
  const body = appendMember(JSON.stringify(record.fields), 'version', String(version))
  return new ParsedLater(record, version, body, { ...record.fields, version }) as unknown as StoredRecord<K>
}

/** Inserts or replaces records. */
export const recordRows: Insert = {
  into: 'records (user_id, kind, id, version, updated_at, deleted, starts_ms, ends_ms, delta_ms, brief, claims, body)',
  types: ['BIGINT', 'TEXT', 'TEXT', 'BIGINT', 'TEXT', 'BIGINT', 'BIGINT', 'BIGINT', 'BIGINT', 'TEXT', 'TEXT', 'TEXT'],
  onConflict: `ON CONFLICT (user_id, kind, id) DO UPDATE SET
    version = excluded.version, updated_at = excluded.updated_at, deleted = excluded.deleted,
    starts_ms = excluded.starts_ms, ends_ms = excluded.ends_ms, delta_ms = excluded.delta_ms,
    brief = excluded.brief, claims = excluded.claims, body = excluded.body`,
}

export const logRows: Insert = {
  into: 'sync_log (user_id, version, kind, record_id, logged_at, tag)',
  types: ['BIGINT', 'BIGINT', 'TEXT', 'TEXT', 'BIGINT', 'TEXT'],
}

/** The share of a row of the log in a user's stored bytes. */
export const LOG_ROW_BYTES = 100

/** The share of a row of the trail in the stored bytes of a user who has acted: some have twice as much, most less. */
export const TRAIL_ROW_BYTES = 500

/** Returns the share of a record in a user's stored bytes. */
export function storedBytesOf({ body, claims }: StoredRecord): number {
  return Buffer.byteLength(body) + Buffer.byteLength(claimsTextOf(claims) ?? '')
}

function claimsTextOf(claims: Claims): string | null {
  return Object.keys(claims).length === 0 ? null : JSON.stringify(claims)
}

/** Returns the row of a user's record for `recordRows`. */
export function recordRowOf(user: UserNumber, record: StoredRecord): SqlValue[] {
  const { kind, id, version, updatedAt, deleted, claims, body } = record
  const { startsMs, endsMs, deltaMs, brief } = record.deleted ? NOWHERE : placementOf(record)
  const place = [startsMs, endsMs, deltaMs, brief]
  return [user, kind, id, version, updatedAt, deleted ? 1 : 0, ...place, claimsTextOf(claims), body]
}

const NOWHERE: TimeColumns = { startsMs: 0, endsMs: 0, deltaMs: null, brief: null }

/** Where a running entry ends on the number line: the last instant that a `Date` can hold. */
export const NO_END = 8_640_000_000_000_000

/**
 * Records longer than this, which are running entries and some from older databases (D2.28), have an index of their
 * own, so that the others are found by their start alone.
 */
export const LONG_MS = 31 * DAY_MS

/** The brief of a request, which the account does not read. */
export const REQUEST = 'request'

/** The columns by which a record is found in time, its share in a sum, and what the account reads of it. */
export interface TimeColumns {
  startsMs: EpochMs
  endsMs: EpochMs
  deltaMs: DurationMs | null
  /**
   * The kind of an entry, with the size of an absence or the days of a grant, null for work that does not count; a
   * `HolidaySettings` as JSON.
   */
  brief: string | null
}

/** The part of a live record that decides where it lies in time. */
type Placeable = { [K in RecordKind]: { kind: K; fields: RecordOf<K> } }[RecordKind]

/** Returns the place of a record in the time order of its kind. */
export function timeKeyOf(record: LiveRecord): TimeKey {
  return { startsMs: placementOf(record).startsMs, id: record.id }
}

/** Places a live record by its fields. Dates stand for their UTC day, weeks for their Monday. */
export function placementOf({ kind, fields }: Placeable): TimeColumns {
  switch (kind) {
    case 'entries':
      return placementOfEntry(fields)
    case 'settings_history':
      return onDate(fields.effective_from, null, briefOf(fields))
    case 'balance_adjustments':
      return onDate(fields.effective_date, fields.delta_ms)
    case 'closed_days':
      return onDate(fields.date, fields.delta_ms)
    case 'closed_weeks':
      return onDate(fields.start_date, fields.delta_ms)
  }
}

function placementOfEntry(entry: Entry): TimeColumns {
  if (isRequest(entry)) return onDates(untimedDatesOf(entry), null, REQUEST)
  if (isGrant(entry)) return onDate(entry.date, null, `${entry.kind} ${entry.days}`)
  if (!isTimed(entry)) return onDate(entry.date, null, `${entry.kind} ${briefSizeOf(entry)}`)
  const endsMs = entry.ended_at === null ? NO_END : epochMs(entry.ended_at)
  return { startsMs: epochMs(entry.started_at), endsMs, deltaMs: null, brief: isCounted(entry) ? entry.kind : null }
}

function onDate(date: LocalDate, deltaMs: DurationMs | null, brief: string | null = null): TimeColumns {
  return onDates({ from: date, to: date }, deltaMs, brief)
}

function onDates({ from, to }: DateRange, deltaMs: DurationMs | null, brief: string | null = null): TimeColumns {
  return { startsMs: utcMidnight(from), endsMs: utcMidnight(to) + DAY_MS, deltaMs, brief }
}

/** The size of an absence: `0.5` of the day, or `5400000ms`. */
function briefSizeOf({ day_share, amount_ms }: AbsenceSize): string {
  return amount_ms === null ? `${day_share}` : `${amount_ms}ms`
}

function sizeOfBrief(size: string): AbsenceSize {
  const number = Number.parseFloat(size)
  return size.endsWith('ms') ? { day_share: null, amount_ms: number } : { day_share: number, amount_ms: null }
}

/** Leaves out notes and unknown fields, which can be large. */
function briefOf(settings: Settings): string {
  const { id, effective_from, time_zone, target_ms, break_policy, auto_close, holidays } = settings
  const row: HolidaySettings = {
    id,
    effective_from,
    time_zone,
    target_ms,
    break_policy: break_policy && {
      rules: break_policy.rules.map(({ worked_above_ms, required_ms }) => ({ worked_above_ms, required_ms })),
      min_piece_ms: break_policy.min_piece_ms,
    },
    auto_close: auto_close && { day_after_ms: auto_close.day_after_ms, week_after_days: auto_close.week_after_days },
    holidays: holidays
      ? { country: holidays.country, state: holidays.state, region: holidays.region, partial: holidays.partial }
      : null,
  }
  return JSON.stringify(row)
}

/** The columns of an entry that the account reads. */
export interface BriefRow {
  id: RecordId
  starts_ms: EpochMs
  ends_ms: EpochMs
  brief: string | null
}

/** Returns the parts of an entry that the account reads; `undefined` for work that does not count and for requests. */
export function accountEntry({ id, starts_ms, ends_ms, brief }: BriefRow): IdentifiedEntry | undefined {
  if (brief === null || brief === REQUEST) return undefined
  if (!brief.includes(' ')) {
    return { id, kind: brief as 'work' | 'break', start: starts_ms, end: ends_ms === NO_END ? null : ends_ms }
  }
  const [kind, size] = brief.split(' ') as [never, string]
  const date = utcDate(starts_ms)
  return kind === 'vacation_grant' ? { id, kind, date, days: Number(size) } : { id, kind, date, ...sizeOfBrief(size) }
}
