import { type Claims, DigestSum, type Digests, type JsonObject, type RecordKind } from '@saldo/core'
import { LONG_MS, placementOf } from './placement.ts'
import { type Insert, type SqlDriver, type SqlReader, type SqlValue, type SqlWriter, together } from './sql.ts'
import {
  type Job,
  type JobTask,
  type LogState,
  type NewState,
  type Point,
  type Proviso,
  type RecordKey,
  type RecordStore,
  type SnapshotPage,
  type Span,
  type StoredRecord,
  type TimeKey,
  UnknownTokenError,
  UnknownUserError,
  type UserId,
  type UserReader,
  type UserWriter,
} from './store.ts'

/** The name under which the marker stands among the kinds of the log's rows (R2.6). */
const PRUNED = '_pruned'

/** The record store over any SQL engine. `newTag` makes the random tag of a write's log rows. */
export function sqlRecordStore(driver: SqlDriver, newTag: () => string, now: () => number): RecordStore {
  return {
    read: (user, body, options) =>
      driver.read(async (sql) => {
        const counter = counterOf(sql, user, '', options)
        const [, result] = await together([counter, body(new SqlUserReader(sql, user, counter))])
        return result
      }, options),
    // What the body asks for first leaves with the lock, and is answered after it.
    write: (user, body, proviso) =>
      driver.write(async (sql) => {
        const counter = counterOf(sql, user, sql.dialect.forUpdate, proviso)
        const [, result] = await together([counter, body(new SqlUserWriter(sql, user, counter, newTag(), now()))])
        return result
      }, user),
    writeIfFree: (user, body) =>
      driver.write(async (sql) => {
        const counter = await lockedCounter(sql, user, sql.dialect.forUpdateIfFree)
        return counter && body(new SqlUserWriter(sql, user, Promise.resolve(counter), newTag(), now()))
      }, user),
    async usersWithDueJobs(nowMs, limit, except) {
      const rows = await driver.read((sql) =>
        sql.all<{ user_id: number }>(
          `SELECT user_id FROM jobs
           WHERE due_ms <= $1 AND NOT EXISTS (SELECT 1 FROM ${sql.dialect.eachOf('$3')} WHERE item = CAST(user_id AS TEXT))
           ORDER BY due_ms LIMIT $2`,
          [nowMs, limit, [...except].map(String)],
        ),
      )
      return [...new Set(rows.map((row) => row.user_id))]
    },
  }
}

/** A user's counter, with the digests of what is live at its version, where they are known; they are read when they are asked for. */
interface Counter extends Point {
  /** When the last row of the log was logged, in milliseconds since 1970; 0 where only older programs logged any. */
  loggedMs: number
  digests(): Digests | undefined
}

/**
 * A user's counter. A token that is provided for is looked up behind it: who has waited for the lock sees what was revoked
 * meanwhile. Where there is no such token, that is what is thrown.
 */
async function counterOf(sql: SqlReader, user: UserId, lock: string, { token }: Proviso = {}): Promise<Counter> {
  const locked = lockedCounter(sql, user, lock)
  const held = token === undefined ? Promise.resolve() : requireToken(sql, user, token)
  const [, counter] = await together([held, locked])
  if (!counter) throw new UnknownUserError()
  return counter
}

async function requireToken(sql: SqlReader, user: UserId, hash: string): Promise<void> {
  const [found] = await sql.all('SELECT id FROM tokens WHERE hash = $1 AND user_id = $2', [hash, user])
  if (!found) throw new UnknownTokenError()
}

async function lockedCounter(sql: SqlReader, user: UserId, lock: string): Promise<Counter | undefined> {
  const [row] = await sql.all<Point & { logged_at: number | null; digests: string | null }>(
    `SELECT version, tag, logged_at, digests FROM counters WHERE user_id = $1${lock}`,
    [user],
  )
  return row && { version: row.version, tag: row.tag, loggedMs: row.logged_at ?? 0, digests: () => readDigests(row) }
}

/** The digests that stand beside a counter, if they are of its version: a program that does not keep them leaves them behind. */
function readDigests({ version, digests }: { version: number; digests: string | null }): Digests | undefined {
  if (version === 0) return new DigestSum().digests()
  const kept = digests === null ? undefined : (JSON.parse(digests) as { version: number; kinds: Digests })
  return kept?.version === version ? kept.kinds : undefined
}

interface RecordRow {
  kind: RecordKind
  id: string
  version: number
  updated_at: string
  deleted: number
  claims: string | null
  body: string
}

const COLUMNS = 'kind, id, version, updated_at, deleted, claims, body'
/** The same beside those of another table. */
const COLUMNS_OF_RECORDS = COLUMNS.replaceAll(/\w+/g, 'records.$&')

function storedRecord(row: RecordRow): StoredRecord {
  const { kind, id, version, updated_at, deleted, claims, body } = row
  return { kind, id, version, updatedAt: updated_at, deleted: deleted === 1, body, claims: readClaims(claims) }
}

const noClaims: Claims = {}

function readClaims(text: string | null): Claims {
  return text === null ? noClaims : (JSON.parse(text) as Claims)
}

class SqlUserReader implements UserReader {
  protected readonly user: UserId
  protected current: Promise<Counter>
  readonly #sql: SqlReader

  constructor(sql: SqlReader, user: UserId, counter: Promise<Counter>) {
    this.#sql = sql
    this.user = user
    this.current = counter
  }

  async point(): Promise<Point> {
    const { version, tag } = await this.current
    return { version, tag }
  }

  async digests(): Promise<Digests | undefined> {
    return (await this.current).digests()
  }

  async logState(version: number, ms: number): Promise<LogState> {
    const [state] = await this.#sql.all<{
      tag: string | null
      marker_version: number | null
      marker_tag: string | null
      has_before: number | null
    }>(
      `SELECT (SELECT tag FROM sync_log WHERE user_id = $1 AND version = $2) AS tag,
         marker.version AS marker_version, marker.tag AS marker_tag,
         CAST((SELECT logged_at FROM sync_log WHERE user_id = $1 AND version > COALESCE(marker.version, 0)
           ORDER BY version LIMIT 1) < $3 AS INTEGER) AS has_before
       FROM (SELECT 1) AS one LEFT JOIN sync_log AS marker ON marker.user_id = $1 AND marker.kind = '${PRUNED}'`,
      [this.user, version, ms],
    )
    const { tag = null, marker_version = null, marker_tag = null, has_before } = state ?? {}
    const marker = marker_version === null ? undefined : { version: marker_version, tag: marker_tag }
    return { tag, marker, hasBefore: has_before === 1 }
  }

  async find(keys: readonly RecordKey[]): Promise<StoredRecord[]> {
    const { eachOf, joinEach } = this.#sql.dialect
    const records = joinEach('records', 'user_id = $1 AND kind = $2 AND id = item')
    const ofKinds = [...Map.groupBy(keys, (key) => key.kind)].map(([kind, those]) =>
      this.#sql.all<RecordRow>(`SELECT ${COLUMNS} FROM ${eachOf('$3')} ${records}`, [
        this.user,
        kind,
        [...new Set(those.map(({ id }) => id))],
      ]),
    )
    return (await together(ofKinds)).flat().map(storedRecord)
  }

  async meeting(kind: RecordKind, span: Span, page?: { after?: TimeKey | undefined; limit: number }) {
    const after = page?.after ?? { startsMs: Number.MIN_SAFE_INTEGER, id: '' }
    const rows = await this.#sql.all<RecordRow>(
      `SELECT ${COLUMNS}, starts_ms FROM records
       WHERE user_id = $1 AND kind = $2 AND deleted = 0
         AND starts_ms >= CAST($3 AS BIGINT) - ${LONG_MS} AND starts_ms < $4 AND (ends_ms > $3 OR starts_ms >= $3)
         AND (starts_ms, id) > ($5, $6)
       UNION ALL
       SELECT ${COLUMNS}, starts_ms FROM records
       WHERE user_id = $1 AND kind = $2 AND deleted = 0 AND ends_ms - starts_ms > ${LONG_MS}
         AND starts_ms < CAST($3 AS BIGINT) - ${LONG_MS} AND ends_ms > $3
         AND (starts_ms, id) > ($5, $6)
       ORDER BY starts_ms, id LIMIT $7`,
      [this.user, kind, span.from, span.to, after.startsMs, after.id, page?.limit ?? Number.MAX_SAFE_INTEGER],
    )
    return rows.map(storedRecord)
  }

  async live(kind: RecordKind): Promise<StoredRecord[]> {
    const rows = await this.#sql.all<RecordRow>(
      `SELECT ${COLUMNS} FROM records WHERE user_id = $1 AND kind = $2 AND deleted = 0 ORDER BY starts_ms, id`,
      [this.user, kind],
    )
    return rows.map(storedRecord)
  }

  async extent(kind: RecordKind): Promise<{ firstMs: number; lastMs: number } | undefined> {
    const [found] = await this.#sql.all<{ first_ms: number | null; last_ms: number | null }>(
      `SELECT
         (SELECT starts_ms FROM records WHERE user_id = $1 AND kind = $2 AND deleted = 0
          ORDER BY starts_ms LIMIT 1) AS first_ms,
         (SELECT starts_ms FROM records WHERE user_id = $1 AND kind = $2 AND deleted = 0
          ORDER BY starts_ms DESC LIMIT 1) AS last_ms`,
      [this.user, kind],
    )
    const { first_ms = null, last_ms = null } = found ?? {}
    return first_ms === null || last_ms === null ? undefined : { firstMs: first_ms, lastMs: last_ms }
  }

  async count(kind: RecordKind, span: Span): Promise<number> {
    const [row] = await this.#sql.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM records
       WHERE user_id = $1 AND kind = $2 AND deleted = 0 AND starts_ms >= $3 AND starts_ms < $4`,
      [this.user, kind, span.from, span.to],
    )
    return row?.n ?? 0
  }

  async sumDeltas(kind: RecordKind, span: Span): Promise<{ sum: number; absolute: number }> {
    const [row] = await this.#sql.all<{ sum: number; absolute: number }>(
      `SELECT CAST(COALESCE(SUM(delta_ms), 0) AS BIGINT) AS sum,
         CAST(COALESCE(SUM(ABS(delta_ms)), 0) AS BIGINT) AS absolute
       FROM records
       WHERE user_id = $1 AND kind = $2 AND deleted = 0 AND starts_ms >= $3 AND starts_ms < $4`,
      [this.user, kind, span.from, span.to],
    )
    return row ?? { sum: 0, absolute: 0 }
  }

  async changesSince(since: number, limit: number): Promise<(StoredRecord & { tag: string })[]> {
    const withRecords = this.#sql.dialect.joinEach(
      'records',
      'records.user_id = $1 AND records.kind = l.kind AND records.id = l.record_id AND records.version = l.version',
    )
    const rows = await this.#sql.all<RecordRow & { tag: string }>(
      `SELECT ${COLUMNS_OF_RECORDS}, l.tag FROM sync_log AS l ${withRecords}
       WHERE l.user_id = $1 AND l.version > $2
       ORDER BY l.version LIMIT $3`,
      [this.user, since, limit],
    )
    return rows.map((row) => ({ ...storedRecord(row), tag: row.tag }))
  }

  async snapshot(after: RecordKey | undefined, limit: number): Promise<SnapshotPage> {
    type Row = { kind: RecordKind; list: string | Uint8Array; records: number; last_id: string }
    const rows = await this.#sql.all<Row>(
      this.#sql.dialect.listsOf(
        `SELECT kind, id, version, body FROM records WHERE user_id = $1 AND (kind, id) > ($2, $3) AND deleted = 0
         ORDER BY kind, id LIMIT $4`,
      ),
      [this.user, after?.kind ?? '', after?.id ?? '', limit],
    )
    const lists = [...Map.groupBy(rows, ({ kind }) => kind)].map(
      ([kind, those]) => [kind, joined(those.map(({ list }) => list) as string[] | [Uint8Array])] as const,
    )
    const found = rows.reduce((sum, { records }) => sum + records, 0)
    const end = rows.at(-1)
    return { lists: new Map(lists), last: end && found === limit ? { kind: end.kind, id: end.last_id } : undefined }
  }

  async jobs(): Promise<Job[]> {
    const rows = await this.#sql.all<{ id: string; due_ms: number; task: string }>(
      'SELECT id, due_ms, task FROM jobs WHERE user_id = $1 ORDER BY due_ms, id',
      [this.user],
    )
    return rows.map(({ id, due_ms, task }) => ({ id, dueMs: due_ms, task: JSON.parse(task) as JobTask }))
  }
}

/** The lists of a kind as one, in UTF-8: bytes are whole already, texts are put together without a text of them all. */
function joined(lists: readonly string[] | readonly [Uint8Array]): Uint8Array {
  const [first] = lists
  if (typeof first === 'object') return first
  const texts = lists as readonly string[]
  const whole = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, -1))
  let end = 0
  for (const text of texts) {
    if (end > 0) end = whole.writeUInt8(COMMA, end)
    end += whole.write(text, end)
  }
  return whole
}

const COMMA = 0x2c

/** What names a record among those of all kinds: an id is 36 characters, and its kind stands behind it. */
function nameOf({ kind, id }: RecordKey): string {
  return id + kind
}

/** Rows of records that are not there yet. */
const newRecords: Insert = {
  into: 'records (user_id, kind, id, version, updated_at, deleted, starts_ms, ends_ms, delta_ms, claims, body)',
  common: ['BIGINT'],
  types: ['TEXT', 'TEXT', 'BIGINT', 'TEXT', 'BIGINT', 'BIGINT', 'BIGINT', 'BIGINT', 'TEXT', 'TEXT'],
}

/** Rows of records that may be there. */
const recordRows: Insert = {
  ...newRecords,
  onConflict: `ON CONFLICT (user_id, kind, id) DO UPDATE SET
    version = excluded.version, updated_at = excluded.updated_at, deleted = excluded.deleted,
    starts_ms = excluded.starts_ms, ends_ms = excluded.ends_ms, delta_ms = excluded.delta_ms,
    claims = excluded.claims, body = excluded.body`,
}

const logRows: Insert = {
  into: 'sync_log (user_id, logged_at, tag, version, kind, record_id)',
  common: ['BIGINT', 'BIGINT', 'TEXT'],
  types: ['BIGINT', 'TEXT', 'TEXT'],
}

class SqlUserWriter extends SqlUserReader implements UserWriter {
  readonly #sql: SqlWriter
  readonly #tag: string
  readonly #nowMs: number

  /** What is known to stand under keys: nobody else writes meanwhile. */
  readonly #standing = new Map<string, StoredRecord | undefined>()

  constructor(sql: SqlWriter, user: UserId, counter: Promise<Counter>, tag: string, nowMs: number) {
    super(sql, user, counter)
    this.#sql = sql
    this.#tag = tag
    this.#nowMs = nowMs
  }

  override async find(keys: readonly RecordKey[]): Promise<StoredRecord[]> {
    const found = await super.find(keys)
    for (const key of keys) this.#standing.set(nameOf(key), undefined)
    for (const record of found) this.#standing.set(nameOf(record), record)
    return found
  }

  async put(states: readonly NewState[]): Promise<StoredRecord[]> {
    if (states.length === 0) return []
    const writing = this.current.then((counter) => this.#writeOf(states, counter))
    this.current = writing.then(({ counter }) => counter)
    const [{ stored, added, others }, counter] = await together([writing, this.current])
    const logged = stored.map(({ version, kind, id }) => [version, kind, id])
    const written = [this.#sql.insertEach(logRows, logged, [this.user, counter.loggedMs, counter.tag])]
    if (added.length > 0) written.push(this.#sql.insertEach(newRecords, added, [this.user]))
    if (others.length > 0) written.push(this.#sql.insertEach(recordRows, others, [this.user]))
    written.push(this.#saveCounter(counter))
    // What fails here fails the commit.
    together(written).catch(() => undefined)
    return stored
  }

  /**
   * What is to be written for states behind a counter: the rows of the last state of each record, those apart that are known not
   * to be there yet, which cost the engine less, and the new counter.
   */
  async #writeOf(states: readonly NewState[], { version, loggedMs, digests }: Counter) {
    const before = digests()
    const last = new Map<string, NewState & { record: StoredRecord }>()
    const stored = states.map((state, index) => {
      const record = storedState(state, version + 1 + index)
      last.set(nameOf(record), { ...state, record })
      return record
    })
    const after = before && (await this.#digestsWith(last, before))
    const added: SqlValue[][] = []
    const others: SqlValue[][] = []
    for (const [name, { record, fields }] of last) {
      const isNew = this.#standing.has(name) && this.#standing.get(name) === undefined
      ;(isNew ? added : others).push(this.#columns(fields, record))
      this.#standing.set(name, record)
    }
    return {
      stored,
      added,
      others,
      counter: {
        version: version + states.length,
        tag: this.#tag,
        loggedMs: Math.max(loggedMs, this.#nowMs),
        digests: () => after,
      },
    }
  }

  /** The digests once records, by their names, have taken the place of what stood under their keys. */
  async #digestsWith(
    put: ReadonlyMap<string, NewState & { record: StoredRecord }>,
    digests: Digests,
  ): Promise<Digests> {
    const unknown = [...put].filter(([name]) => !this.#standing.has(name))
    if (unknown.length > 0) await this.find(unknown.map(([, { record }]) => record))
    const sum = new DigestSum(digests)
    for (const [name, { record, fields }] of put) {
      const before = this.#standing.get(name)
      if (before?.deleted === false) sum.add(before.kind, JSON.parse(before.body) as JsonObject, -1)
      if (!record.deleted) sum.add(record.kind, { ...fields, version: record.version })
    }
    return sum.digests()
  }

  async #saveCounter({ version, tag, loggedMs, digests }: Counter): Promise<void> {
    const known = digests()
    // Digests that are not known are left as they are: they are of an earlier version, and say so.
    await this.#sql.run(
      'UPDATE counters SET version = $2, tag = $3, logged_at = $4, digests = COALESCE($5, digests) WHERE user_id = $1',
      [this.user, version, tag, loggedMs, known ? JSON.stringify({ version, kinds: known }) : null],
    )
  }

  async keepDigests(version: number, digests: Digests): Promise<void> {
    const counter = await this.current
    if (counter.version !== version) return
    const known = { ...counter, digests: () => digests }
    this.current = Promise.resolve(known)
    await this.#saveCounter(known)
  }

  #columns(fields: JsonObject, { kind, id, version, updatedAt, deleted, claims, body }: StoredRecord): SqlValue[] {
    const place = deleted ? { startsMs: 0, endsMs: 0, deltaMs: null } : placementOf(kind, fields)
    const claimsText = Object.keys(claims).length === 0 ? null : JSON.stringify(claims)
    const { startsMs, endsMs, deltaMs } = place
    return [kind, id, version, updatedAt, deleted ? 1 : 0, startsMs, endsMs, deltaMs, claimsText, body]
  }

  async prune(ms: number): Promise<void> {
    const { marker } = await this.logState(0, ms)
    // Up to the first that stays: no row behind that is read.
    const [boundary] = await this.#sql.all<{ version: number }>(
      `SELECT version FROM sync_log
       WHERE user_id = $1 AND version > $2 AND version <= COALESCE(
         (SELECT version - 1 FROM sync_log WHERE user_id = $1 AND version > $2 AND logged_at >= $3
          ORDER BY version LIMIT 1), ${Number.MAX_SAFE_INTEGER})
       ORDER BY version DESC LIMIT 1`,
      [this.user, marker?.version ?? 0, ms],
    )
    if (!boundary) return
    await this.#sql.run('DELETE FROM sync_log WHERE user_id = $1 AND version < $2', [this.user, boundary.version])
    await this.#sql.run(`UPDATE sync_log SET kind = '${PRUNED}', record_id = '' WHERE user_id = $1 AND version = $2`, [
      this.user,
      boundary.version,
    ])
  }

  async putJob({ id, dueMs, task }: Job): Promise<void> {
    await this.#sql.run(
      `INSERT INTO jobs (user_id, id, due_ms, task) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, id) DO UPDATE SET due_ms = excluded.due_ms, task = excluded.task`,
      [this.user, id, dueMs, JSON.stringify(task)],
    )
  }

  async deleteJob(id: string): Promise<void> {
    await this.#sql.run('DELETE FROM jobs WHERE user_id = $1 AND id = $2', [this.user, id])
  }
}

function storedState({ kind, id, updatedAt, deleted, fields, claims }: NewState, version: number): StoredRecord {
  const text = JSON.stringify(fields)
  return { kind, id, version, updatedAt, deleted, claims, body: `${text.slice(0, -1)},"version":${version}}` }
}
