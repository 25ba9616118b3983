import {
  type ClosedDay,
  type ClosedWeek,
  closingId,
  type Instant,
  instantOf,
  type JsonObject,
  type RecordKind,
} from '@saldo/core'
import { placementOf } from '../records/placement.ts'
import type { SqlValue, SqlWriter } from '../sql.ts'
import { FIRST_USER } from './level-3.ts'
import type { Migration } from './migration.ts'

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
 * Users; every key begins with the user. One table holds the records of all kinds as JSON, with the version of their
 * last change and tombstones; the log carries tags. What the older levels held becomes the first user's.
 */
export const level4: Migration = {
  level: 4,
  changesData: true,
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
      ${schema}
    `)
    if (log.length > 0 || records.length > 0) await takeOver(sql, records, log, nowMs, () => random.token(8))
  },
}

const schema = `
  CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    image TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    expires_at TEXT NOT NULL,
    ip_address TEXT,
    user_agent TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_user ON sessions (user_id);

  CREATE TABLE credentials (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    access_token TEXT,
    refresh_token TEXT,
    id_token TEXT,
    access_token_expires_at TEXT,
    refresh_token_expires_at TEXT,
    scope TEXT,
    password TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX credentials_by_user ON credentials (user_id);

  CREATE TABLE verifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    identifier TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX verifications_by_identifier ON verifications (identifier);

  CREATE TABLE tokens (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    last_used_on TEXT,
    PRIMARY KEY (user_id, id)
  ) STRICT;

  CREATE TABLE service_state (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;

  CREATE TABLE counters (
    user_id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    tag TEXT
  ) STRICT;

  CREATE TABLE records (
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    starts_ms INTEGER NOT NULL,
    ends_ms INTEGER NOT NULL,
    delta_ms INTEGER,
    claims TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (user_id, kind, id)
  ) STRICT;
  CREATE INDEX records_by_time ON records (user_id, kind, starts_ms) WHERE deleted = 0;
  CREATE INDEX records_long ON records (user_id, kind, starts_ms)
    WHERE deleted = 0 AND ends_ms - starts_ms > 86400000;

  CREATE TABLE sync_log (
    user_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    logged_at INTEGER NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (user_id, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sync_log_by_time ON sync_log (user_id, logged_at) WHERE kind <> '_pruned';
  CREATE UNIQUE INDEX sync_log_marker ON sync_log (user_id) WHERE kind = '_pruned';

  CREATE TABLE jobs (
    user_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    task TEXT NOT NULL,
    PRIMARY KEY (user_id, id)
  ) STRICT;
  CREATE INDEX jobs_by_time ON jobs (due_ms);
`

/**
 * Records keep the version of their last row in the log; those that the log no longer names get new versions behind
 * it. Rows that say «deleted» become tombstones.
 */
async function takeOver(sql: SqlWriter, records: OldRecord[], log: OldLogRow[], nowMs: number, newTag: () => string) {
  const liveByKey = new Map(records.map((record) => [`${record.kind} ${record.key}`, record]))
  const lastVersions = new Map(log.map((row) => [`${row.kind} ${row.record_id}`, row.version]))
  let version = log.at(-1)?.version ?? 0
  const rows: SqlValue[][] = []
  const logRows: SqlValue[][] = log.map((row) => {
    const id = row.kind === '_pruned' ? '' : idOf(row.kind, row.record_id)
    return [row.version, row.kind, id, row.logged_at, newTag()]
  })
  for (const [key, record] of liveByKey) {
    let at = lastVersions.get(key)
    if (at === undefined) {
      version += 1
      at = version
      logRows.push([at, record.kind, record.id, nowMs, newTag()])
    }
    const { startsMs, endsMs, deltaMs } = placementOf(record.kind, record.fields)
    const body = JSON.stringify({ ...record.fields, version: at })
    rows.push([record.kind, record.id, at, record.updatedAt, 0, startsMs, endsMs, deltaMs, body])
  }
  for (const { version: at, kind, record_id, logged_at } of log) {
    const key = `${kind} ${record_id}`
    if (kind === '_pruned' || liveByKey.has(key) || lastVersions.get(key) !== at) continue
    const id = idOf(kind, record_id)
    const deletedAt = instantOf(logged_at)
    const body = JSON.stringify({ id, updated_at: deletedAt, deleted_at: deletedAt, version: at })
    rows.push([kind, id, at, deletedAt, 1, 0, 0, null, body])
  }
  for (const row of rows) {
    await sql.run(
      `INSERT INTO records (user_id, kind, id, version, updated_at, deleted, starts_ms, ends_ms, delta_ms, claims, body)
       VALUES (${FIRST_USER}, $1, $2, $3, $4, $5, $6, $7, $8, NULL, $9)`,
      row,
    )
  }
  for (const row of logRows) {
    await sql.run(
      `INSERT INTO sync_log (user_id, version, kind, record_id, logged_at, tag)
       VALUES (${FIRST_USER}, $1, $2, $3, $4, $5)`,
      row,
    )
  }
  await sql.run(
    `INSERT INTO counters (user_id, version, tag)
     SELECT ${FIRST_USER}, $1, (SELECT tag FROM sync_log WHERE user_id = ${FIRST_USER} AND version = $1)`,
    [version],
  )
}

function idOf(kind: RecordKind, key: string): string {
  return kind === 'closed_days' || kind === 'closed_weeks' ? closingId(FIRST_USER, key) : key
}

async function oldRecords(sql: SqlWriter): Promise<OldRecord[]> {
  const entries = await sql.all<Row>(
    `SELECT id, kind, started_at, ended_at, date, day_share, time_zone, note, tags, project, source, import_ref,
       created_at, updated_at
     FROM entries`,
  )
  const settings = await sql.all<Row>(
    `SELECT id, effective_from, time_zone, target_ms, break_policy, auto_close, week_starts_on, note, created_at,
       updated_at
     FROM settings_history`,
  )
  const adjustments = await sql.all<Row>(
    `SELECT id, effective_date, delta_ms, kind, reason, created_at, updated_at FROM balance_adjustments`,
  )
  const days = await sql.all<Row>(
    `SELECT date, time_zone, target_ms, worked_ms, break_ms, deducted_break_ms, credited_ms, delta_ms, settings_id,
       closed_at, closed_by, revision
     FROM closed_days`,
  )
  const weeks = await sql.all<Row>(
    `SELECT week, start_date, end_date, target_ms, worked_ms, break_ms, deducted_break_ms, credited_ms, delta_ms,
       closed_at, closed_by, revision
     FROM closed_weeks`,
  )
  return [
    ...entries.map((row) => written('entries', entryFields(row))),
    ...settings.map((row) => written('settings_history', settingsFields(row))),
    ...adjustments.map((row) => written('balance_adjustments', row)),
    ...days.map((row) => closing('closed_days', row.date as string, row)),
    ...weeks.map((row) => closing('closed_weeks', row.week as string, row)),
  ]
}

function written(kind: RecordKind, fields: JsonObject): OldRecord {
  const id = fields.id as string
  return { kind, key: id, id, updatedAt: fields.updated_at as Instant, fields }
}

function entryFields({ started_at, ended_at, date, day_share, tags, ...common }: Row): JsonObject {
  const time = started_at === null ? { date, day_share } : { started_at, ended_at }
  return { ...common, ...time, tags: JSON.parse(tags as string) } as JsonObject
}

function settingsFields({ target_ms, break_policy, auto_close, ...common }: Row): JsonObject {
  const read = (text: SqlValue | undefined) => (text == null ? null : JSON.parse(text as string))
  return {
    ...common,
    target_ms: read(target_ms),
    break_policy: read(break_policy),
    auto_close: read(auto_close),
  } as JsonObject
}

function closing(kind: 'closed_days' | 'closed_weeks', key: string, row: Row): OldRecord {
  const id = closingId(FIRST_USER, key)
  const { closed_at, revision, delta_ms } = row as unknown as ClosedDay
  const fields: JsonObject = { id, ...row, updated_at: closed_at }
  if (kind === 'closed_weeks') {
    const { start_date } = row as unknown as ClosedWeek
    const cause = { kind, id, op: 'close', date: start_date }
    Object.assign(fields, { previous_delta_ms: null, revisions: [{ revision, at: closed_at, delta_ms, cause }] })
  }
  return { kind, key, id, updatedAt: closed_at, fields }
}
