import { hash } from 'node:crypto'
import {
  allDates,
  DigestSum,
  type Digests,
  type DurationMs,
  type EpochMs,
  type Instant,
  instantOf,
  isTimed,
  MAX_LOCKED_MONTHS,
  type MemberRules,
  type Month,
  type RecordId,
  type RecordKind,
  shownText,
  type TrailPosition,
  trailText,
  type UserNumber,
  type WebhookEvent,
} from '@saldo/core'
import { mapInSlices, TimeSlice } from '../../time-slice.ts'
import { TEAM_FACTS_JOB } from '../job-task.ts'
import { readColumn } from '../json-columns.ts'
import { memberMonthsColumn } from '../member-months.ts'
import type { Insert, SqlParam, SqlWriter } from '../sql.ts'
import {
  type EntrySpan,
  type HrOfCompany,
  type Job,
  type LiveRecord,
  type LockedSheet,
  type Proposal,
  type RecordKey,
  type RecordToStore,
  type Remark,
  recordKeyOf,
  type StoredAnswer,
  type StoredDecision,
  type StoredMonth,
  type StoredRecord,
  type StoredTeamFacts,
  type TrailEvent,
  type UserWriter,
} from '../store.ts'
import { dateSpan, liveFieldsOf } from '../stored-records.ts'
import type { TrailHead } from '../trail-head.ts'
import { type Counter, type Page, type Queried, SqlUserReader } from './reader.ts'
import {
  LOG_ROW_BYTES,
  logRows,
  PRUNED,
  recordRowOf,
  recordRows,
  storedBytesOf,
  TRAIL_ROW_BYTES,
  toStoredRecord,
} from './rows.ts'
import { type ReplacedRecordFields, storeCompanyDeliveries, storeDeliveries } from './webhook-deliveries.ts'

/** The most rows of the log to remove at once, so that others are served in between. */
const LOG_ROWS_PER_PRUNE = 5_000

/**
 * Stores records of all kinds in one table, so that a push of any size takes few statements. Digests are in the
 * row of the counter, which each write locks, reads and writes anyway: comparing all records instead would cost each
 * device a megabyte a day.
 *
 * Reads each row once: it keeps the rows that it read or put, which is safe while the lock of the user's
 * counter keeps other writers out. Records are written when a query needs them or `flush` is called; `flush` also
 * writes the log, the counter and the deliveries of webhooks, each once however often the body puts.
 */
export class SqlUserWriter extends SqlUserReader implements UserWriter {
  readonly #sql: SqlWriter
  readonly #tag: string
  readonly #nowMs: EpochMs
  /** The events of companies so far. */
  #companyEvents = 0
  /** The records under the keys that were looked up, as put last; null if there is none. */
  readonly #knownByKey = new Map<string, StoredRecord | null>()
  /** The records that those put have replaced, as before the transaction; null if there was none. */
  readonly #replacedByKey = new Map<string, StoredRecord | null>()
  readonly #unwrittenByKey = new Map<string, StoredRecord>()
  #unlogged: StoredRecord[] = []
  #isCounterChanged = false
  readonly #digests: DigestSum

  constructor(sql: SqlWriter, user: UserNumber, counter: Counter, tag: string, nowMs: EpochMs) {
    super(sql, user, counter)
    this.#sql = sql
    this.#tag = tag
    this.#nowMs = nowMs
    this.#digests = new DigestSum(readColumn('digests', counter.digests))
  }

  override async digests(): Promise<Digests> {
    return this.#digests.digests()
  }

  override async find<K extends RecordKind>(keys: readonly RecordKey<K>[]): Promise<StoredRecord<K>[]> {
    const texts = await this.#lookUp(keys)
    return texts.flatMap((text) => this.#knownByKey.get(text) ?? []) as StoredRecord<K>[]
  }

  /** Reads the records under those keys that are not known. Returns the keys of `#knownByKey`, each once. */
  async #lookUp(keys: readonly RecordKey[]): Promise<string[]> {
    const keysByText = new Map(keys.map((key) => [recordKeyOf(key), key]))
    const unknown = [...keysByText].filter(([text]) => !this.#knownByKey.has(text))
    const found = await super.find(unknown.map(([, key]) => key))
    for (const [text] of unknown) this.#knownByKey.set(text, null)
    for (const record of found) this.#knownByKey.set(recordKeyOf(record), record)
    return [...keysByText.keys()]
  }

  override async overlapping<K extends RecordKind>(kind: K, span: EntrySpan, page?: Page): Promise<LiveRecord<K>[]> {
    const records = await super.overlapping<RecordKind>(kind, span, page)
    for (const record of records) this.#knownByKey.set(recordKeyOf(record), record)
    return records as LiveRecord<K>[]
  }

  async put<K extends RecordKind>(toStore: readonly RecordToStore<K>[]): Promise<StoredRecord<K>[]> {
    const records: readonly RecordToStore[] = toStore
    if (records.length === 0) return []
    await this.#lookUp(records)
    let { version, storedBytes } = this.counter
    const stored = await mapInSlices(records, (record) => {
      version += 1
      return toStoredRecord(record, version)
    })
    const slice = new TimeSlice()
    for (const record of stored) {
      if (slice.isUsedUp()) await slice.renew()
      const key = recordKeyOf(record)
      const before = this.#knownByKey.get(key) ?? null
      if (!this.#replacedByKey.has(key)) this.#replacedByKey.set(key, before)
      this.#knownByKey.set(key, record)
      this.#unwrittenByKey.set(key, record)
      storedBytes += LOG_ROW_BYTES + storedBytesOf(record) - (before ? storedBytesOf(before) : 0)
      const [fieldsBefore, fields] = [before && liveFieldsOf(before), liveFieldsOf(record)]
      if (fieldsBefore) this.#digests.remove(record.kind, fieldsBefore)
      if (fields) this.#digests.add(record.kind, fields)
    }
    this.#unlogged.push(...stored)
    const loggedMs = Math.max(this.counter.loggedMs, this.#nowMs)
    this.counter = { ...this.counter, version, tag: this.#tag, loggedMs, storedBytes }
    this.#isCounterChanged = true
    return stored as StoredRecord<K>[]
  }

  /** Writes what was put. Call it once, when the body has ended. */
  async flush(): Promise<void> {
    if (!this.#isCounterChanged) return
    await this.#write('all')
    const { version, tag, loggedMs, storedBytes } = this.counter
    await this.#sql.run(
      `UPDATE counters SET version = $2, tag = $3, logged_at = $4, digests = $5, stored_bytes = $6
       WHERE user_id = $1`,
      [this.user, version, tag, loggedMs, JSON.stringify(this.#digests.digests()), storedBytes],
    )
    const changes = [...this.#replacedByKey].map(([key, before]) => changeOf(before, this.#knownByKey.get(key)))
    // Here and not at the callers: all changes of records come through here, those of jobs and closings too.
    await storeDeliveries(this.#sql, this.user, changes, {
      tag: this.#tag,
      nowMs: this.#nowMs,
      readBalance: () => this.#balance(),
    })
    if (this.counter.memberRules && changes.some(isOfTeamFacts)) await this.putJob(teamFactsJob(this.#nowMs))
  }

  /** Returns the balance (R1.4). */
  async #balance(): Promise<DurationMs> {
    const weeks = await this.sumDeltas('closed_weeks', dateSpan(allDates))
    const adjustments = await this.sumDeltas('balance_adjustments', dateSpan(allDates))
    return weeks.sum + adjustments.sum
  }

  protected override async query<Row>(queried: Queried, text: string, params?: readonly SqlParam[]): Promise<Row[]> {
    await this.#write(queried)
    return super.query(queried, text, params)
  }

  /** Writes those of the records and log rows that were put on which a query depends. */
  async #write(queried: Queried): Promise<void> {
    const records = [...this.#unwrittenByKey.values()].filter(({ kind }) => queried === 'all' || queried === kind)
    if (records.length > 0) {
      const rows = await mapInSlices(records, (record) => recordRowOf(this.user, record))
      for (const record of records) this.#unwrittenByKey.delete(recordKeyOf(record))
      await this.#sql.insertEach(recordRows, rows)
    }
    if ((queried === 'all' || queried === 'log') && this.#unlogged.length > 0) {
      const rows = this.#unlogged.map(({ kind, id, version }) => {
        return [this.user, version, kind, id, this.counter.loggedMs, this.#tag]
      })
      this.#unlogged = []
      await this.#sql.insertEach(logRows, rows)
    }
  }

  async prune(beforeMs: EpochMs): Promise<boolean> {
    const { marker } = await this.logState(0)
    // The log needs no index by time: rows are logged in the order of their versions, whatever the clock says (D4.14).
    const rows = await this.query<{ version: number; loggedMs: EpochMs }>(
      'log',
      `SELECT version, logged_at AS "loggedMs" FROM sync_log WHERE user_id = $1 AND version > $2
       ORDER BY version LIMIT $3`,
      [this.user, marker?.version ?? 0, LOG_ROWS_PER_PRUNE],
    )
    const due = rows.filter(({ loggedMs }) => loggedMs < beforeMs)
    const boundary = due.at(-1)
    if (!boundary) return false
    const boundaryParams = [this.user, boundary.version]
    const removed = await this.#sql.run('DELETE FROM sync_log WHERE user_id = $1 AND version < $2', boundaryParams)
    await this.#sql.run(
      `UPDATE sync_log SET kind = '${PRUNED}', record_id = '' WHERE user_id = $1 AND version = $2`,
      boundaryParams,
    )
    this.counter = { ...this.counter, storedBytes: this.counter.storedBytes - LOG_ROW_BYTES * removed }
    this.#isCounterChanged = true
    return due.length === LOG_ROWS_PER_PRUNE
  }

  async putMemberRules(rules: MemberRules | null): Promise<void> {
    this.counter = { ...this.counter, memberRules: rules }
    await this.#sql.run('UPDATE counters SET member_rules = $2 WHERE user_id = $1', [
      this.user,
      rules && JSON.stringify(rules),
    ])
  }

  async putTeamFacts(facts: StoredTeamFacts | null): Promise<void> {
    if (!facts) {
      await this.#sql.run('DELETE FROM team_facts WHERE user_id = $1', [this.user])
      return
    }
    const { company, timeZone, absences, requests, board, shownDates } = facts
    await this.#sql.run(
      `INSERT INTO team_facts
         (user_id, company_id, version, time_zone, absences, requests, shown, shown_at, changed_at, board)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
       ON CONFLICT (user_id) DO UPDATE SET company_id = excluded.company_id, version = excluded.version,
         time_zone = excluded.time_zone, absences = excluded.absences, requests = excluded.requests,
         board = excluded.board, shown = excluded.shown,
         shown_at = CASE WHEN team_facts.shown = excluded.shown THEN team_facts.shown_at ELSE excluded.shown_at END,
         changed_at = CASE WHEN team_facts.absences = excluded.absences AND team_facts.requests = excluded.requests
             AND team_facts.board = excluded.board THEN team_facts.changed_at ELSE excluded.changed_at END`,
      [
        this.user,
        company,
        this.counter.version,
        timeZone,
        JSON.stringify(absences),
        JSON.stringify(requests),
        shownText({ absences, requests }, shownDates),
        instantOf(this.#nowMs),
        JSON.stringify(board),
      ],
    )
  }

  async putCompanyDeliveries(events: readonly WebhookEvent[], to: HrOfCompany): Promise<void> {
    const of = { tag: `${this.#tag}_${this.#companyEvents}`, nowMs: this.#nowMs }
    this.#companyEvents += events.length
    await storeCompanyDeliveries(this.#sql, to, events, of)
  }

  async putJob({ id, dueMs, task }: Job): Promise<void> {
    await this.#sql.run(
      `INSERT INTO jobs (user_id, id, due_ms, task) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, id) DO UPDATE SET due_ms = excluded.due_ms, task = excluded.task`,
      [this.user, id, dueMs, JSON.stringify(task)],
    )
  }

  async putDecision(decision: StoredDecision): Promise<void> {
    const { request, company, digest, stage, outcome, state, reason, by, isOwn, at } = decision
    await this.#sql.run(
      `INSERT INTO decisions
         (user_id, request_id, number, company_id, digest, stage, outcome, state, reason, decided_by, is_own,
          decided_at)
       SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), COALESCE(MAX(number), 0) + 1, CAST($3 AS BIGINT), CAST($4 AS TEXT),
         CAST($5 AS BIGINT), CAST($6 AS TEXT), CAST($7 AS TEXT), CAST($8 AS TEXT), CAST($9 AS BIGINT),
         CAST($10 AS BIGINT), CAST($11 AS TEXT)
       FROM decisions WHERE user_id = $1 AND request_id = $2`,
      [this.user, request, company, digest, stage, outcome, state, reason, by, Number(isOwn), at],
    )
    await this.putJob(teamFactsJob(this.#nowMs))
  }

  async putSubstituteAnswer({ request, substitute, from, to, answer, at }: StoredAnswer): Promise<void> {
    await this.#sql.run(
      `INSERT INTO substitute_answers (user_id, request_id, substitute, from_date, to_date, answer, answered_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (user_id, request_id, substitute) DO UPDATE SET from_date = excluded.from_date,
         to_date = excluded.to_date, answer = excluded.answer, answered_at = excluded.answered_at`,
      [this.user, request, substitute, from, to, answer, at],
    )
  }

  async putMonth({ month, company, state, by, at, reason, digest }: StoredMonth): Promise<void> {
    await this.#sql.run(
      `INSERT INTO months (user_id, month, company_id, state, changed_by, changed_at, reason, digest)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (user_id, month) DO UPDATE SET company_id = excluded.company_id, state = excluded.state,
         changed_by = excluded.changed_by, changed_at = excluded.changed_at, reason = excluded.reason,
         digest = excluded.digest`,
      [this.user, month, company, state, by, at, reason, digest],
    )
    const { locked = [], submitted = [] } = (await this.memberMonths()) ?? {}
    const listed = (months: readonly Month[], isIn: boolean) =>
      [...months.filter((other) => other !== month), ...(isIn ? [month] : [])].toSorted()
    const memberMonths = memberMonthsColumn({
      locked: listed(locked, state === 'locked').slice(-MAX_LOCKED_MONTHS),
      submitted: listed(submitted, state === 'submitted'),
    })
    this.counter = { ...this.counter, memberMonths }
    await this.#sql.run('UPDATE counters SET member_months = $2 WHERE user_id = $1', [this.user, memberMonths])
    await this.putJob(teamFactsJob(this.#nowMs))
  }

  async putSheet({ company, name, sheet, by, at }: Omit<LockedSheet, 'number'>): Promise<void> {
    await this.#sql.run(
      `INSERT INTO month_sheets (user_id, month, number, company_id, name, sheet, locked_by, locked_at)
       SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), COALESCE(MAX(number), 0) + 1, CAST($3 AS BIGINT), CAST($4 AS TEXT),
         CAST($5 AS TEXT), CAST($6 AS BIGINT), CAST($7 AS TEXT)
       FROM month_sheets WHERE user_id = $1 AND month = $2`,
      [this.user, sheet.month, company, name, JSON.stringify(sheet), by, at],
    )
  }

  async addTrail(company: number, events: readonly TrailEvent[]): Promise<void> {
    if (events.length === 0) return
    let head = await this.trailHead()
    const at = instantOf(this.#nowMs)
    const rows = events.map(({ actor, kind, data }) => {
      const [number, previous] = [head.number + 1, head.hash]
      head = { ...head, number, hash: hash('sha256', trailText({ number, at, actor, kind, data }, previous), 'hex') }
      return [this.user, number, company, at, actor, kind, JSON.stringify(data), previous, head.hash]
    })
    await this.#sql.insertEach(trailRows, rows)
    await this.#putTrailHead(head, events.filter(({ actor }) => actor === this.user).length)
  }

  async pruneTrail(keptSince: ReadonlyMap<number, Instant>): Promise<void> {
    let firstKept = Number.MAX_SAFE_INTEGER
    for (const [company, since] of keptSince) {
      const [kept] = await super.query<Pick<TrailPosition, 'number'>>(
        'log',
        `SELECT number FROM account_trail WHERE user_id = $1 AND company_id = $2 AND at >= $3
         ORDER BY number LIMIT 1`,
        [this.user, company, since],
      )
      firstKept = Math.min(firstKept, kept?.number ?? firstKept)
    }
    const [last] = await super.query<TrailPosition>(
      'log',
      'SELECT number, hash FROM account_trail WHERE user_id = $1 AND number < $2 ORDER BY number DESC LIMIT 1',
      [this.user, firstKept],
    )
    if (!last) return
    const pruned = 'DELETE FROM account_trail WHERE user_id = $1 AND number <= $2'
    const own = await this.#sql.run(`${pruned} AND actor = $1`, [this.user, last.number])
    await this.#sql.run(pruned, [this.user, last.number])
    await this.#putTrailHead({ ...(await this.trailHead()), from: last }, -own)
  }

  /** Stores the head of the trail, which has so many more rows of what the user has done (D4.20). */
  async #putTrailHead(trail: TrailHead, ownRows: number): Promise<void> {
    const storedBytes = this.counter.storedBytes + TRAIL_ROW_BYTES * ownRows
    this.counter = { ...this.counter, trail, storedBytes }
    await this.#sql.run('UPDATE counters SET trail = $2, stored_bytes = $3 WHERE user_id = $1', [
      ...[this.user, JSON.stringify(trail), storedBytes],
    ])
  }

  async putRemark({ id, company, month, text, at }: Remark): Promise<void> {
    await this.#sql.run(
      'INSERT INTO remarks (user_id, id, company_id, month, text, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [this.user, id, company, month, text, at],
    )
  }

  async deleteRemark(id: RecordId): Promise<void> {
    await this.#sql.run('DELETE FROM remarks WHERE user_id = $1 AND id = $2', [this.user, id])
  }

  async noteHrChanges(): Promise<void> {
    const head = await this.trailHead()
    if (head.hasHrChanges) return
    const trail = { ...head, hasHrChanges: true }
    this.counter = { ...this.counter, trail }
    await this.#sql.run('UPDATE counters SET trail = $2 WHERE user_id = $1', [this.user, JSON.stringify(trail)])
  }

  async putProposal(proposal: Proposal): Promise<void> {
    const { id, company, by, at, reason, changes, state, answeredAt, overriddenAt } = proposal
    await this.#sql.run(
      `INSERT INTO proposals
         (user_id, id, company_id, proposed_by, proposed_at, reason, changes, state, answered_at, overridden_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (user_id, id) DO UPDATE SET state = excluded.state, answered_at = excluded.answered_at,
         overridden_at = excluded.overridden_at`,
      [this.user, id, company, by, at, reason, JSON.stringify(changes), state, answeredAt, overriddenAt],
    )
  }

  async deleteJob(id: string): Promise<void> {
    await this.#sql.run('DELETE FROM jobs WHERE user_id = $1 AND id = $2', [this.user, id])
  }
}

/** Returns a change of a record as the webhooks see it. Both states have the kind of their key. */
function changeOf(before: StoredRecord | null, after: StoredRecord | null | undefined): ReplacedRecordFields {
  if (!after) throw new Error('a record that was put is not there')
  const { kind, version } = after
  const change = { kind, version, before: before && liveFieldsOf(before), after: liveFieldsOf(after) }
  return change as ReplacedRecordFields
}

const trailRows: Insert = {
  into: 'account_trail (user_id, number, company_id, at, actor, kind, data, previous, hash)',
  types: ['BIGINT', 'BIGINT', 'BIGINT', 'TEXT', 'BIGINT', 'TEXT', 'TEXT', 'TEXT', 'TEXT'],
}

/** Returns the job that makes the facts of a member anew. */
function teamFactsJob(dueMs: EpochMs): Job {
  return { id: TEAM_FACTS_JOB, dueMs, task: { kind: 'team_facts' } }
}

/** True if team pages can show a change: all but that of work, which shows once its day is closed. */
function isOfTeamFacts({ kind, before, after }: ReplacedRecordFields): boolean {
  if (kind !== 'entries') return true
  return [before, after].some((entry) => entry !== null && !isTimed(entry))
}
