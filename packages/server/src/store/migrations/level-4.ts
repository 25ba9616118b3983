import {
  type ClosedDay,
  type ClosedWeek,
  closingId,
  DigestSum,
  type Instant,
  type IsoWeek,
  instantOf,
  type Json,
  type JsonObject,
  jsonOf,
  type LocalDate,
  mondayOf,
  type RecordKind,
  type Settings,
  weekOf,
} from '@saldo/core'
import type { SqlValue, SqlWriter } from '../sql.ts'
import { FIRST_USER } from './level-3.ts'
import type { Migration } from './migration.ts'
import { teamSchemaOf } from './team-tables.ts'
import { postgresWords, sqliteWords, type Words } from './words.ts'

/** A record as the older levels know it: `key` is how their log names it. */
interface OldRecord {
  kind: RecordKind
  key: string
  id: string
  updatedAt: Instant
  fields: JsonObject
}

interface OldLogRow {
  version: number
  kind: RecordKind | '_pruned'
  record_id: string
  op: string
  logged_at: number
}

type Row = Record<string, SqlValue>

/**
 * Adds users and puts the records of all kinds into one table as JSON, with the version of their last change and their
 * tombstones. The log gets tags; the counter gets digests (D10.2). The records of level 3 become the first user's.
 */
export const level4: Migration = {
  level: 4,
  async up(sql, { nowMs, random }) {
    const records = await oldRecords(sql)
    const log = await sql.all<OldLogRow>(
      'SELECT version, kind, record_id, op, logged_at FROM sync_log ORDER BY version',
    )
    await sql.script(`
      DROP TABLE closed_days;
      DROP TABLE closed_weeks;
      DROP TABLE entries;
      DROP TABLE settings_history;
      DROP TABLE balance_adjustments;
      DROP TABLE sync_log;
      ${schemaOf(sqliteWords)}
    `)
    if (log.length > 0 || records.length > 0) await takeOver(sql, records, log, nowMs, () => random.token(8))
    await startAutoClose(sql, records, nowMs)
  },
}

/** Creates the same tables in a PostgreSQL database, and the one that holds its level. */
export const level4OnPostgres: Migration = {
  level: 4,
  up: (sql) =>
    sql.script(`
      CREATE TABLE schema_level (user_version BIGINT NOT NULL);
      INSERT INTO schema_level (user_version) VALUES (0);
      ${schemaOf(postgresWords)}
    `),
}

/**
 * Stores the records, log and counter of level 3. A record keeps the version of its last row in the log; one that the
 * log does not name gets a new version behind it. Rows of deleted records become tombstones. Each row's `logged_at` is
 * made no earlier than that of the row before, because pruning reads the log in the order of versions.
 */
async function takeOver(sql: SqlWriter, records: OldRecord[], log: OldLogRow[], nowMs: number, newTag: () => string) {
  const liveByKey = new Map(records.map((record) => [`${record.kind} ${record.key}`, record]))
  const lastVersions = new Map(log.map((row) => [`${row.kind} ${row.record_id}`, row.version]))
  let version = log.at(-1)?.version ?? 0
  let loggedMs = 0
  let tag: string | null = null
  const digests = new DigestSum()
  const rows: SqlValue[][] = []
  const logRows: SqlValue[][] = []
  const addLogRow = (at: number, kind: OldLogRow['kind'], id: string, ms: number) => {
    loggedMs = Math.max(loggedMs, ms)
    tag = newTag()
    logRows.push([at, kind, id, loggedMs, tag])
  }
  for (const row of log) {
    addLogRow(row.version, row.kind, row.kind === '_pruned' ? '' : idOf(row.kind, row.record_id), row.logged_at)
  }
  for (const [key, record] of liveByKey) {
    let at = lastVersions.get(key)
    if (at === undefined) {
      version += 1
      at = version
      addLogRow(at, record.kind, record.id, nowMs)
    }
    const fields = { ...record.fields, version: at }
    digests.add(record.kind, fields)
    const place = [...placeOf(fields), briefOf(record.kind, fields)]
    rows.push([record.kind, record.id, at, record.updatedAt, 0, ...place, JSON.stringify(fields)])
  }
  for (const { version: at, kind, record_id, logged_at } of log) {
    const key = `${kind} ${record_id}`
    if (kind === '_pruned' || liveByKey.has(key) || lastVersions.get(key) !== at) continue
    const id = idOf(kind, record_id)
    const deletedAt = instantOf(logged_at)
    const body = JSON.stringify({ id, updated_at: deletedAt, version: at })
    rows.push([kind, id, at, deletedAt, 1, 0, 0, null, null, body])
  }
  await sql.insertEach(
    {
      into: 'records (kind, id, version, updated_at, deleted, starts_ms, ends_ms, delta_ms, brief, body, user_id)',
      types: ['TEXT', 'TEXT', 'BIGINT', 'TEXT', 'BIGINT', 'BIGINT', 'BIGINT', 'BIGINT', 'TEXT', 'TEXT', 'BIGINT'],
    },
    rows.map((row) => [...row, FIRST_USER]),
  )
  await sql.insertEach(
    {
      into: 'sync_log (version, kind, record_id, logged_at, tag, user_id)',
      types: ['BIGINT', 'TEXT', 'TEXT', 'BIGINT', 'TEXT', 'BIGINT'],
    },
    logRows.map((row) => [...row, FIRST_USER]),
  )
  await sql.run(
    `INSERT INTO counters (user_id, version, tag, logged_at, digests, stored_bytes)
     VALUES (${FIRST_USER}, $1, $2, $3, $4,
       (SELECT COALESCE(SUM(OCTET_LENGTH(body)), 0) FROM records) + $5 * (SELECT COUNT(*) FROM sync_log))`,
    [version, tag, loggedMs, JSON.stringify(digests.digests()), LOG_ROW_BYTES],
  )
}

/** Makes the job that closes what has become due, if any settings ask for it (D3.55). */
async function startAutoClose(sql: SqlWriter, records: OldRecord[], nowMs: number): Promise<void> {
  const first = records
    .filter(({ kind, fields }) => kind === 'settings_history' && fields.auto_close)
    .map(({ fields }) => fields.effective_from as LocalDate)
    .toSorted()[0]
  if (first === undefined) return
  const task = { kind: 'auto_close', dayFrom: first, weekFrom: mondayOf(weekOf(first)) }
  await sql.run(`INSERT INTO jobs (user_id, id, due_ms, task) VALUES (${FIRST_USER}, 'auto_close', $1, $2)`, [
    nowMs,
    JSON.stringify(task),
  ])
}

/** Returns start, end and delta of a record. Dates count as UTC days; a running entry has no end. */
function placeOf(fields: JsonObject): [startsMs: number, endsMs: number, deltaMs: number | null] {
  const { started_at, ended_at } = fields
  if (typeof started_at === 'string') {
    return [Date.parse(started_at), typeof ended_at === 'string' ? Date.parse(ended_at) : NO_END_MS, null]
  }
  const date = fields.date ?? fields.start_date ?? fields.effective_from ?? fields.effective_date
  const startsMs = Date.parse(`${date}T00:00:00.000Z`)
  return [startsMs, startsMs + 86_400_000, (fields.delta_ms as number | undefined) ?? null]
}

/** The share of a row of the log in a user's stored bytes. */
const LOG_ROW_BYTES = 100

/** Returns what the account reads of a record beside its times. */
function briefOf(kind: RecordKind, fields: JsonObject): string | null {
  if (kind === 'entries') return 'date' in fields ? `${fields.kind} ${fields.day_share}` : String(fields.kind)
  if (kind !== 'settings_history') return null
  const { id, effective_from, time_zone, target_ms, break_policy, auto_close } = fields as unknown as Settings
  const policy = break_policy && {
    rules: break_policy.rules.map(({ worked_above_ms, required_ms }) => ({ worked_above_ms, required_ms })),
    min_piece_ms: break_policy.min_piece_ms,
  }
  const autoClose = auto_close && { day_after_ms: auto_close.day_after_ms, week_after_days: auto_close.week_after_days }
  const row = { id, effective_from, time_zone, target_ms, break_policy: policy, auto_close: autoClose, holidays: null }
  return JSON.stringify(row)
}

/** The last instant that a `Date` can hold. */
const NO_END_MS = 8_640_000_000_000_000

function idOf(kind: RecordKind, key: string): string {
  return kind === 'closed_days' || kind === 'closed_weeks' ? closingId(FIRST_USER, key as LocalDate | IsoWeek) : key
}

/** Reads the records of level 3, whose columns are their fields. */
async function oldRecords(sql: SqlWriter): Promise<OldRecord[]> {
  const all = (table: string) => sql.all<Row>(`SELECT * FROM ${table}`)
  return [
    ...(await all('entries')).map((row) => written('entries', entryFields(row))),
    ...(await all('settings_history')).map((row) => written('settings_history', settingsFields(row))),
    ...(await all('balance_adjustments')).map((row) => written('balance_adjustments', row)),
    ...(await all('closed_days')).map((row) => closing('closed_days', row.date as LocalDate, row)),
    ...(await all('closed_weeks')).map((row) => closing('closed_weeks', row.week as IsoWeek, row)),
  ]
}

function written(kind: RecordKind, fields: JsonObject): OldRecord {
  const id = String(fields.id)
  return { kind, key: id, id, updatedAt: fields.updated_at as Instant, fields }
}

function entryFields({ started_at, ended_at, date, day_share, tags, ...common }: Row): JsonObject {
  const time = started_at === null ? { date, day_share, amount_ms: null } : { started_at, ended_at }
  const counts = common.kind === 'work' ? { counts: true } : {}
  return jsonOf({ ...common, ...time, ...counts, tags: parsed(tags) })
}

/** Returns what a column of JSON holds. */
function parsed(text: SqlValue | undefined): Json {
  return text == null ? null : (JSON.parse(String(text)) as Json)
}

function settingsFields({ target_ms, break_policy, auto_close, ...common }: Row): JsonObject {
  return {
    ...common,
    target_ms: parsed(target_ms),
    break_policy: parsed(break_policy),
    auto_close: parsed(auto_close),
    hints: null,
    core_time: null,
    frame: null,
    holidays: null,
    vacation: null,
    limits: null,
  }
}

function closing(kind: 'closed_days' | 'closed_weeks', key: LocalDate | IsoWeek, row: Row): OldRecord {
  const id = closingId(FIRST_USER, key)
  const { closed_at, revision, delta_ms } = row as unknown as ClosedDay
  const fields: JsonObject = { id, ...row, updated_at: closed_at }
  if (kind === 'closed_weeks') {
    const { start_date, end_date } = row as unknown as ClosedWeek
    const causes = [{ kind, entry_type: null, op: 'close', count: 1, id, from: start_date, to: end_date }]
    Object.assign(fields, { previous_delta_ms: null, revisions: [{ revision, at: closed_at, delta_ms, causes }] })
  }
  return { kind, key, id, updatedAt: closed_at, fields }
}

/** Returns the script of the tables. Keys and indexes on records, log and counters begin with the user. */
function schemaOf(words: Words): string {
  const { integer, text, numbered, table, keyedTable } = words
  return `
    CREATE TABLE users (
      id ${integer} PRIMARY KEY,
      email ${text} NOT NULL UNIQUE,
      email_confirmed_at ${text},
      password_hash ${text},
      role ${text} NOT NULL,
      created_at ${text} NOT NULL,
      last_active_at ${text},
      deactivated_at ${text},
      erase_at ${text},
      name ${text} NOT NULL DEFAULT '',
      personnel_number ${text} NOT NULL DEFAULT '',
      employer ${text} NOT NULL DEFAULT '',
      preferences ${text}
    ) ${table};

    CREATE INDEX admins ON users (id) WHERE role = 'admin';

    CREATE TABLE sessions (
      id ${numbered},
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      hash ${text} NOT NULL,
      created_at ${text} NOT NULL,
      expires_at ${text} NOT NULL,
      user_agent ${text},
      provider_sign_out_url ${text},
      UNIQUE (user_id, hash)
    ) ${table};

    CREATE TABLE account_links (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      purpose ${text} NOT NULL,
      hash ${text} NOT NULL,
      expires_at ${text} NOT NULL,
      email ${text},
      mail ${text},
      PRIMARY KEY (user_id, hash)
    ) ${table};

    CREATE TABLE oidc_identities (
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at ${text} NOT NULL,
      PRIMARY KEY (issuer, subject),
      UNIQUE (user_id, issuer)
    ) ${table};

    CREATE TABLE second_factors (
      user_id ${integer} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      sealed_key ${text} NOT NULL,
      step ${integer},
      confirmed_at ${text}
    ) ${table};

    CREATE TABLE recovery_codes (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      hash ${text} NOT NULL,
      PRIMARY KEY (user_id, hash)
    ) ${table};

    CREATE TABLE challenges (
      challenge ${text} PRIMARY KEY,
      purpose ${text} NOT NULL,
      expires_at ${text} NOT NULL
    ) ${table};
    CREATE INDEX challenges_by_purpose ON challenges (purpose);

    CREATE TABLE tokens (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      hash ${text} NOT NULL,
      scope ${text} NOT NULL,
      created_at ${text} NOT NULL,
      expires_at ${text},
      last_used_at ${text},
      PRIMARY KEY (user_id, id),
      UNIQUE (user_id, hash)
    ) ${table};

    CREATE TABLE calendar_feeds (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      hash ${text} NOT NULL,
      absences ${integer} NOT NULL,
      work ${integer} NOT NULL,
      group_id ${integer},
      language ${text} NOT NULL,
      created_at ${text} NOT NULL,
      last_used_at ${text},
      PRIMARY KEY (user_id, id),
      UNIQUE (user_id, hash)
    ) ${table};

    CREATE TABLE webhooks (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      id ${text} NOT NULL,
      url ${text} NOT NULL,
      events ${text} NOT NULL,
      sealed_secret ${text} NOT NULL,
      created_at ${text} NOT NULL,
      failing_since ${text},
      disabled ${text},
      PRIMARY KEY (user_id, id)
    ) ${table};

    CREATE TABLE webhook_deliveries (
      id ${numbered},
      user_id ${integer} NOT NULL,
      webhook_id ${text} NOT NULL,
      company_id ${integer},
      message_id ${text} NOT NULL,
      type ${text} NOT NULL,
      payload ${text} NOT NULL,
      created_at ${text} NOT NULL,
      state ${text} NOT NULL,
      due_ms ${integer},
      attempts ${integer} NOT NULL,
      last_attempt_at ${text},
      result ${text},
      FOREIGN KEY (user_id, webhook_id) REFERENCES webhooks (user_id, id) ON DELETE CASCADE
    ) ${table};
    CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (user_id, webhook_id, state, id);
    CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (due_ms, id) WHERE due_ms IS NOT NULL;

    CREATE TABLE passkeys (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      credential_id ${text} NOT NULL UNIQUE,
      public_key ${text} NOT NULL,
      counter ${integer} NOT NULL,
      created_at ${text} NOT NULL,
      last_used_at ${text},
      PRIMARY KEY (user_id, id)
    ) ${table};

    CREATE TABLE service_state (
      name ${text} PRIMARY KEY,
      value ${text} NOT NULL
    ) ${table};

    CREATE TABLE counters (
      user_id ${integer} PRIMARY KEY,
      version ${integer} NOT NULL,
      tag ${text},
      logged_at ${integer} NOT NULL,
      digests ${text} NOT NULL,
      stored_bytes ${integer} NOT NULL,
      member_rules ${text},
      member_months ${text},
      trail ${text}
    ) ${table};

    CREATE TABLE records (
      user_id ${integer} NOT NULL,
      kind ${text} NOT NULL,
      id ${text} NOT NULL,
      version ${integer} NOT NULL,
      updated_at ${text} NOT NULL,
      deleted ${integer} NOT NULL,
      starts_ms ${integer} NOT NULL,
      ends_ms ${integer} NOT NULL,
      delta_ms ${integer},
      brief ${text},
      claims ${text},
      body ${text} NOT NULL,
      PRIMARY KEY (user_id, kind, id)
    ) ${table};
    CREATE INDEX records_by_time ON records (user_id, kind, starts_ms, id, ends_ms, brief) WHERE deleted = 0;
    CREATE INDEX records_long ON records (user_id, kind, starts_ms, id, ends_ms, brief)
      WHERE deleted = 0 AND ends_ms - starts_ms > 2678400000;

    CREATE INDEX records_requests ON records (user_id, kind, starts_ms DESC, id)
      WHERE deleted = 0 AND brief = 'request';

    CREATE TABLE sync_log (
      user_id ${integer} NOT NULL,
      version ${integer} NOT NULL,
      kind ${text} NOT NULL,
      record_id ${text} NOT NULL,
      logged_at ${integer} NOT NULL,
      tag ${text} NOT NULL,
      PRIMARY KEY (user_id, version)
    ) ${keyedTable};
    CREATE UNIQUE INDEX sync_log_marker ON sync_log (user_id) WHERE kind = '_pruned';

    CREATE TABLE jobs (
      user_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      due_ms ${integer} NOT NULL,
      task ${text} NOT NULL,
      PRIMARY KEY (user_id, id)
    ) ${table};
    CREATE INDEX jobs_by_time ON jobs (due_ms);
    ${teamSchemaOf(words)}
  `
}
