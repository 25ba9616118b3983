import {
  DAY_MS,
  DigestSum,
  type Digests,
  type DurationMs,
  type EpochMs,
  type HolidaySettings,
  type IdentifiedEntry,
  type MemberMonths,
  type MemberRules,
  type Month,
  type RecordId,
  type RecordKind,
  type SyncPosition,
  type UserNumber,
  utcDate,
} from '@saldo/core'
import { mapInSlices } from '../../time-slice.ts'
import { readColumn } from '../json-columns.ts'
import { lastMemberMonth, readMemberMonths } from '../member-months.ts'
import type { SqlParam, SqlReader } from '../sql.ts'
import {
  type DayCount,
  type EntrySpan,
  type Job,
  type LiveRecord,
  type LockedSheet,
  type LogState,
  type Proposal,
  type RecordDelta,
  type RecordKey,
  type Remark,
  type RequestRecord,
  type StoredAnswer,
  type StoredDecision,
  type StoredMonth,
  type StoredRecord,
  type StoredTrailEntry,
  type TimeKey,
  UnknownUserError,
  type UserReader,
} from '../store.ts'
import { isLive, isOfRequest } from '../stored-records.ts'
import { inTransaction, TeamStore } from '../team/team-store.ts'
import type { TrailHead } from '../trail-head.ts'
import {
  accountEntry,
  type BriefRow,
  COLUMNS,
  COLUMNS_OF_RECORDS,
  LONG_MS,
  NO_END,
  PRUNED,
  REQUEST,
  type RecordRow,
  storedRecord,
} from './rows.ts'

/** A user's counter. */
export interface Counter extends SyncPosition {
  /** When the last row of the log was logged, in milliseconds since 1970; 0 if there is none. */
  loggedMs: EpochMs
  /** The column of the digests of the live records at the version, in which a kind without records may be missing. */
  digests: string
  storedBytes: number
  memberRules: MemberRules | null
  /** The column of the months, which is read when somebody needs them. */
  memberMonths: string | null
  /** Null before the first row. */
  trail: TrailHead | null
}

/** Reads a user's counter. Throws `UnknownUserError` if there is no such user. */
export async function readCounter(sql: SqlReader, user: UserNumber, lock = ''): Promise<Counter> {
  const counter = await findCounter(sql, user, lock)
  if (!counter) throw new UnknownUserError()
  return counter
}

/** Returns `undefined` if there is no such user, or if `lock` skips a row that another transaction has locked. */
export async function findCounter(sql: SqlReader, user: UserNumber, lock: string): Promise<Counter | undefined> {
  type Row = Omit<Counter, 'memberRules' | 'trail'> & Record<'memberRules' | 'trail', string | null>
  const [row] = await sql.all<Row>(
    `SELECT version, tag, logged_at AS "loggedMs", digests, stored_bytes AS "storedBytes",
       member_rules AS "memberRules", member_months AS "memberMonths", trail
     FROM counters WHERE user_id = $1${lock}`,
    [user],
  )
  if (!row) return undefined
  return {
    ...row,
    memberRules: row.memberRules === null ? null : readColumn('memberRules', row.memberRules),
    trail: row.trail === null ? null : readColumn('trail', row.trail),
  }
}

/** The most entries to read at once, so that others are served in between. */
const ENTRIES_PER_READ = 2_000
/** The same of deltas. */
const DELTAS_PER_READ = 2_000
/** The same of rows of the log, of which few may be current. */
const LOG_ROWS_PER_READ = 1_000
/** The same of days, each of which can have 1,000 entries (D2.31). */
const DAYS_PER_COUNT = 20
/** The same of requests, of which one can have 64 KB. */
const REQUESTS_PER_READ = 20
const BEFORE_ALL: TimeKey = { startsMs: Number.MIN_SAFE_INTEGER, id: '' as RecordId }

export type Page = { after?: TimeKey | undefined; limit?: number }

/** The rows on which a query depends: records of a kind, the log, or all of them. */
export type Queried = RecordKind | 'log' | 'all'

export class SqlUserReader implements UserReader {
  protected readonly user: UserNumber
  protected counter: Counter
  readonly team: TeamStore
  readonly #sql: SqlReader
  /** The months that were read from a column. */
  #months: { column: string; months: MemberMonths } | undefined

  constructor(sql: SqlReader, user: UserNumber, counter: Counter) {
    this.#sql = sql
    this.team = new TeamStore(inTransaction(sql))
    this.user = user
    this.counter = counter
  }

  /** Runs a query of records or of the log. A writer first writes what the query depends on. */
  protected query<Row>(_queried: Queried, text: string, params?: readonly SqlParam[]): Promise<Row[]> {
    return this.#sql.all<Row>(text, params)
  }

  async position(): Promise<SyncPosition> {
    const { version, tag } = this.counter
    return { version, tag }
  }

  async storedBytes(): Promise<number> {
    return this.counter.storedBytes
  }

  async memberRules(): Promise<MemberRules | null> {
    return this.counter.memberRules
  }

  async memberMonths(): Promise<MemberMonths | null> {
    const { memberMonths: column } = this.counter
    if (column === null) return null
    if (this.#months?.column !== column) this.#months = { column, months: readMemberMonths(column) }
    return this.#months.months
  }

  async lastMemberMonth(): Promise<Month | null> {
    const { memberMonths: column } = this.counter
    return column === null ? null : lastMemberMonth(column)
  }

  async trailHead(): Promise<TrailHead> {
    return this.counter.trail ?? { number: 0, hash: '', from: { number: 0, hash: '' } }
  }

  async digests(): Promise<Digests> {
    return new DigestSum(readColumn('digests', this.counter.digests)).digests()
  }

  async logState(version: number): Promise<LogState> {
    type Row = SyncPosition & { kind: string; loggedMs: EpochMs }
    // The marker is the first row, if there is one.
    const rows = await this.query<Row>(
      'log',
      `SELECT version, tag, kind, "loggedMs" FROM (
         SELECT version, tag, kind, logged_at AS "loggedMs" FROM sync_log WHERE user_id = $1
         ORDER BY version LIMIT 2) AS page
       UNION ALL
       SELECT version, tag, kind, logged_at FROM sync_log WHERE user_id = $1 AND version = $2`,
      [this.user, version],
    )
    const marker = rows.find(({ kind }) => kind === PRUNED)
    return {
      marker: marker && { version: marker.version, tag: marker.tag },
      oldestMs: rows.find(({ kind }) => kind !== PRUNED)?.loggedMs ?? null,
      tag: rows.find((row) => row.version === version)?.tag ?? null,
    }
  }

  async find<K extends RecordKind>(keys: readonly RecordKey<K>[]): Promise<StoredRecord<K>[]> {
    const { eachOf, joinEach } = this.#sql.dialect
    const records = joinEach('records', 'user_id = $1 AND kind = $2 AND id = item')
    const found: StoredRecord<K>[] = []
    for (const [kind, ofKind] of Map.groupBy(keys, (key) => key.kind)) {
      const ids = [...new Set(ofKind.map(({ id }) => id))]
      const text = `SELECT ${COLUMNS} FROM ${eachOf('$3')} ${records}`
      found.push(...(await this.#sql.all<RecordRow<K>>(text, [this.user, kind, ids])).map(storedRecord))
    }
    return found
  }

  async bytesOf(keys: readonly RecordKey[]): Promise<number> {
    const { eachOf, joinEach } = this.#sql.dialect
    const records = joinEach('records', 'user_id = $1 AND kind = $2 AND id = item')
    let bytes = 0
    for (const [kind, ofKind] of Map.groupBy(keys, (key) => key.kind)) {
      const ids = [...new Set(ofKind.map(({ id }) => id))]
      const text = `SELECT CAST(COALESCE(SUM(OCTET_LENGTH(body)), 0) AS BIGINT) AS n FROM ${eachOf('$3')} ${records}`
      const [row] = await this.#sql.all<{ n: number }>(text, [this.user, kind, ids])
      bytes += row?.n ?? 0
    }
    return bytes
  }

  async overlapping<K extends RecordKind>(
    kind: K,
    span: EntrySpan,
    { after = BEFORE_ALL, limit = Number.MAX_SAFE_INTEGER }: Page = {},
  ): Promise<LiveRecord<K>[]> {
    const rows = await this.#overlapping<RecordRow<K>>(COLUMNS, kind, span, after, limit)
    return rows.map(storedRecord).filter(isLive)
  }

  async accountEntries(span: EntrySpan): Promise<IdentifiedEntry[]> {
    const found: IdentifiedEntry[] = []
    let after = BEFORE_ALL
    for (;;) {
      const rows = await this.#overlapping<BriefRow>('id, ends_ms, brief', 'entries', span, after, ENTRIES_PER_READ)
      found.push(...rows.flatMap((row) => accountEntry(row) ?? []))
      const last = rows.at(-1)
      if (!last || rows.length < ENTRIES_PER_READ) return found
      after = { startsMs: last.starts_ms, id: last.id }
    }
  }

  async *requests({ from, to }: EntrySpan, limit: number): AsyncGenerator<RequestRecord[]> {
    // The latest first, and those of one date by their ids.
    let after: TimeKey = { startsMs: Number.MAX_SAFE_INTEGER, id: '' as RecordId }
    for (let left = limit; left > 0; left -= REQUESTS_PER_READ) {
      const count = Math.min(left, REQUESTS_PER_READ)
      const rows = await this.query<RecordRow<'entries'> & { starts_ms: EpochMs }>(
        'entries',
        `SELECT ${COLUMNS}, starts_ms FROM records
         WHERE user_id = $1 AND kind = 'entries' AND deleted = 0 AND brief = '${REQUEST}'
           AND starts_ms >= $2 AND starts_ms < $3 AND (starts_ms < $4 OR starts_ms = $4 AND id > $5)
         ORDER BY starts_ms DESC, id LIMIT $6`,
        [this.user, from, to, after.startsMs, after.id, count],
      )
      yield rows.map(storedRecord).filter(isLive).filter(isOfRequest)
      const last = rows.at(-1)
      if (!last || rows.length < count) return
      after = { startsMs: last.starts_ms, id: last.id }
    }
  }

  async requestCharacters(): Promise<number> {
    const [row] = await this.query<{ n: number }>(
      'entries',
      `SELECT CAST(COALESCE(SUM(LENGTH(body)), 0) AS BIGINT) AS n FROM records
       WHERE user_id = $1 AND kind = 'entries' AND deleted = 0 AND brief = '${REQUEST}'`,
      [this.user],
    )
    return row?.n ?? 0
  }

  async settingsRows(): Promise<HolidaySettings[]> {
    const rows = await this.query<{ brief: string }>(
      'settings_history',
      `SELECT brief FROM records WHERE user_id = $1 AND kind = 'settings_history' AND deleted = 0`,
      [this.user],
    )
    return rows.map(({ brief }) => readColumn('holidaySettings', brief))
  }

  #overlapping<Row>(columns: string, kind: RecordKind, { from, to }: EntrySpan, after: TimeKey, limit: number) {
    return this.query<Row>(
      kind,
      `SELECT ${columns}, starts_ms FROM records
       WHERE user_id = $1 AND kind = $2 AND deleted = 0
         AND starts_ms >= $8 AND starts_ms < $4 AND (ends_ms > $3 OR starts_ms >= $3)
         AND (starts_ms, id) > ($5, $6)
       UNION ALL
       SELECT ${columns}, starts_ms FROM records
       WHERE user_id = $1 AND kind = $2 AND deleted = 0 AND ends_ms - starts_ms > ${LONG_MS}
         AND starts_ms < CAST($3 AS BIGINT) - ${LONG_MS} AND ends_ms > $3
         AND (starts_ms, id) > ($5, $6)
       ORDER BY starts_ms, id LIMIT $7`,
      [this.user, kind, from, to, after.startsMs, after.id, limit, Math.max(from - LONG_MS, after.startsMs)],
    )
  }

  async count(kind: RecordKind, span: EntrySpan, limit = Number.MAX_SAFE_INTEGER): Promise<number> {
    const [row] = await this.query<{ n: number }>(
      kind,
      `SELECT COUNT(*) AS n FROM (
         SELECT 1 AS one FROM records
         WHERE user_id = $1 AND kind = $2 AND deleted = 0 AND starts_ms >= $3 AND starts_ms < $4 LIMIT $5) AS page`,
      [this.user, kind, span.from, span.to, limit],
    )
    return row?.n ?? 0
  }

  async countRunning(limit: number): Promise<number> {
    const [row] = await this.query<{ n: number }>(
      'entries',
      `SELECT COUNT(*) AS n FROM (
         SELECT 1 AS one FROM records
         WHERE user_id = $1 AND kind = 'entries' AND deleted = 0 AND ends_ms - starts_ms > ${LONG_MS}
           AND ends_ms = ${NO_END} LIMIT $2) AS page`,
      [this.user, limit],
    )
    return row?.n ?? 0
  }

  async countOnDays(days: readonly number[]): Promise<DayCount[]> {
    const onDay = `starts_ms >= CAST(item AS BIGINT) * ${DAY_MS} AND starts_ms < (CAST(item AS BIGINT) + 1) * ${DAY_MS}`
    const text = `SELECT CAST(item AS BIGINT) AS day,
        (SELECT COUNT(*) FROM records
         WHERE user_id = $1 AND kind = 'entries' AND deleted = 0 AND ${onDay}) AS entries,
        (SELECT COUNT(*) FROM records
         WHERE user_id = $1 AND kind = 'entries' AND deleted = 0 AND ${onDay}
           AND brief NOT IN ('work', 'break', '${REQUEST}')) AS absences
      FROM ${this.#sql.dialect.eachOf('$2')}`
    const counts: DayCount[] = []
    for (let first = 0; first < days.length; first += DAYS_PER_COUNT) {
      const texts = days.slice(first, first + DAYS_PER_COUNT).map(String)
      counts.push(...(await this.query<DayCount>('entries', text, [this.user, texts])))
    }
    return counts
  }

  async startOfLatest(kind: RecordKind, span: EntrySpan, place: number): Promise<EpochMs | undefined> {
    const [row] = await this.query<{ startsMs: EpochMs }>(
      kind,
      `SELECT starts_ms AS "startsMs" FROM records
       WHERE user_id = $1 AND kind = $2 AND deleted = 0 AND starts_ms >= $3 AND starts_ms < $4
       ORDER BY starts_ms DESC LIMIT 1 OFFSET $5`,
      [this.user, kind, span.from, span.to, place - 1],
    )
    return row?.startsMs
  }

  async sumDeltas(kind: RecordKind, span: EntrySpan): Promise<{ sum: DurationMs; absolute: DurationMs }> {
    const sums = { sum: 0, absolute: 0 }
    for await (const piece of this.deltas(kind, span)) {
      for (const { deltaMs } of piece) {
        sums.sum += deltaMs
        sums.absolute += Math.abs(deltaMs)
      }
    }
    return sums
  }

  async *deltas(kind: RecordKind, { from, to }: EntrySpan): AsyncGenerator<RecordDelta[]> {
    let { startsMs, id } = BEFORE_ALL
    for (;;) {
      const rows = await this.query<{ id: RecordId; startsMs: EpochMs; deltaMs: DurationMs }>(
        kind,
        `SELECT id, starts_ms AS "startsMs", delta_ms AS "deltaMs" FROM records
         WHERE user_id = $1 AND kind = $2 AND deleted = 0 AND starts_ms >= $3 AND starts_ms < $4
           AND (starts_ms, id) > ($5, $6)
         ORDER BY starts_ms, id LIMIT $7`,
        [this.user, kind, Math.max(from, startsMs), to, startsMs, id, DELTAS_PER_READ],
      )
      yield rows.map((row) => ({ id: row.id, date: utcDate(row.startsMs), deltaMs: row.deltaMs }))
      const last = rows.at(-1)
      if (!last || rows.length < DELTAS_PER_READ) return
      startsMs = last.startsMs
      id = last.id
    }
  }

  async changesSince(since: number, limit: number): Promise<(StoredRecord & { tag: string })[]> {
    const withRecords = this.#sql.dialect.joinEach(
      'records',
      'records.user_id = $1 AND records.kind = l.kind AND records.id = l.record_id AND records.version = l.version',
    )
    const found: (StoredRecord & { tag: string })[] = []
    for (let after = since; after < this.counter.version && found.length < limit; ) {
      // A limit alone counts current rows only.
      const end = await this.#endOfPiece(after)
      const rows = await this.query<RecordRow & { tag: string }>(
        'all',
        `SELECT ${COLUMNS_OF_RECORDS}, l.tag FROM sync_log AS l ${withRecords}
         WHERE l.user_id = $1 AND l.version > $2 AND l.version <= $3
         ORDER BY l.version LIMIT $4`,
        [this.user, after, end, limit - found.length],
      )
      found.push(...rows.map((row) => Object.assign(storedRecord(row), { tag: row.tag })))
      after = end
    }
    return found
  }

  /** Returns the version of the last row of the log to read at once behind a version. */
  async #endOfPiece(after: number): Promise<number> {
    // So few versions cannot have more rows.
    if (this.counter.version - after <= LOG_ROWS_PER_READ) return this.counter.version
    const [row] = await this.query<{ version: number }>(
      'log',
      `SELECT version FROM sync_log WHERE user_id = $1 AND version > $2
       ORDER BY version LIMIT 1 OFFSET ${LOG_ROWS_PER_READ - 1}`,
      [this.user, after],
    )
    return row?.version ?? this.counter.version
  }

  async snapshot(after: RecordKey | undefined, limit: number): Promise<LiveRecord[]> {
    const rows = await this.query<RecordRow>(
      'all',
      `SELECT ${COLUMNS} FROM records WHERE user_id = $1 AND (kind, id) > ($2, $3) AND deleted = 0
       ORDER BY kind, id LIMIT $4`,
      [this.user, after?.kind ?? '', after?.id ?? '', limit],
    )
    return rows.map(storedRecord).filter(isLive)
  }

  async decisions(): Promise<StoredDecision[]> {
    const rows = await this.#sql.all<Omit<StoredDecision, 'isOwn'> & { isOwn: number }>(
      `SELECT request_id AS request, company_id AS company, stage, digest, outcome, state, reason,
         decided_by AS "by", is_own AS "isOwn", decided_at AS "at"
       FROM decisions WHERE user_id = $1 ORDER BY request_id, number`,
      [this.user],
    )
    return rows.map(({ isOwn, ...row }) => ({ ...row, isOwn: isOwn === 1 }))
  }

  substituteAnswers(): Promise<StoredAnswer[]> {
    return this.#sql.all(
      `SELECT request_id AS request, substitute, from_date AS "from", to_date AS "to", answer, answered_at AS "at"
       FROM substitute_answers WHERE user_id = $1 ORDER BY answered_at, request_id`,
      [this.user],
    )
  }

  months(): Promise<StoredMonth[]> {
    return this.#sql.all(
      `SELECT month, company_id AS company, state, changed_by AS "by", changed_at AS "at", reason, digest
       FROM months WHERE user_id = $1 ORDER BY month`,
      [this.user],
    )
  }

  async lastSheets(month?: Month): Promise<LockedSheet[]> {
    if (month === undefined) {
      // Others go first between two months: a sheet can have megabytes.
      const sheets: LockedSheet[] = []
      for (const each of await this.months()) sheets.push(...(await this.lastSheets(each.month)))
      return sheets
    }
    const rows = await this.#sql.all<Omit<LockedSheet, 'sheet'> & { sheet: string }>(
      `SELECT number, company_id AS company, name, sheet, locked_by AS "by", locked_at AS "at"
       FROM month_sheets AS last
       WHERE user_id = $1 AND month = $2 AND number =
         (SELECT MAX(number) FROM month_sheets WHERE user_id = last.user_id AND month = last.month)`,
      [this.user, month],
    )
    return rows.map(({ sheet, ...row }) => ({ ...row, sheet: readColumn('sheet', sheet) }))
  }

  async trailRows(after: number, limit: number, company?: number): Promise<StoredTrailEntry[]> {
    const rows = await this.#sql.all<Omit<StoredTrailEntry, 'data'> & { data: string }>(
      `SELECT number, company_id AS company, at, actor, kind, data, previous, hash FROM account_trail
       WHERE user_id = $1 AND number > $2 AND company_id = COALESCE(CAST($4 AS BIGINT), company_id)
       ORDER BY number LIMIT $3`,
      [this.user, after, limit, company ?? null],
    )
    return rows.map(({ data, ...row }) => ({ ...row, data: readColumn('accountEvent', data) }))
  }

  remarks(): Promise<Remark[]> {
    return this.#sql.all(
      `SELECT id, company_id AS company, month, text, created_at AS "at"
       FROM remarks WHERE user_id = $1 ORDER BY created_at, id`,
      [this.user],
    )
  }

  async proposals(): Promise<Proposal[]> {
    const rows = await this.#sql.all<Omit<Proposal, 'changes'> & { changes: string }>(
      `SELECT id, company_id AS company, proposed_by AS "by", proposed_at AS "at", reason, changes, state,
         answered_at AS "answeredAt", overridden_at AS "overriddenAt"
       FROM proposals WHERE user_id = $1 ORDER BY proposed_at, id`,
      [this.user],
    )
    return mapInSlices(rows, ({ changes, ...row }) => ({ ...row, changes: readColumn('changes', changes) }))
  }

  async jobs(): Promise<Job[]> {
    const rows = await this.#sql.all<{ id: string; due_ms: number; task: string }>(
      'SELECT id, due_ms, task FROM jobs WHERE user_id = $1 ORDER BY due_ms, id',
      [this.user],
    )
    return rows.map(({ id, due_ms, task }) => ({ id, dueMs: due_ms, task: readColumn('task', task) }))
  }
}
