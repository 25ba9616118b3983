import { DigestSum, type Digests, type EpochMs, type JsonObject, type UserNumber } from '@saldo/core'
import type { SqlWriter } from '../sql.ts'
import { type Job, keyOf, type RecordToStore, type StoredRecord, type UserWriter } from '../store.ts'
import { liveFieldsOf } from '../stored-records.ts'
import { announce } from './announcing.ts'
import { type Counter, SqlUserReader } from './reader.ts'
import { LOG_ROW_BYTES, logRows, PRUNED, recordRows, rowOf, storedBytesOf, toStoredRecord } from './rows.ts'

/**
 * Stores records of all kinds in one table, so that a push takes a constant number of statements. Digests are in the
 * row of the counter, which each write locks, reads and writes anyway: comparing all records instead would cost each
 * device a megabyte a day.
 */
export class SqlUserWriter extends SqlUserReader implements UserWriter {
  readonly #sql: SqlWriter
  readonly #tag: string
  readonly #nowMs: EpochMs

  constructor(sql: SqlWriter, user: UserNumber, counter: Counter, tag: string, nowMs: EpochMs) {
    super(sql, user, counter)
    this.#sql = sql
    this.#tag = tag
    this.#nowMs = nowMs
  }

  async put(toStore: readonly RecordToStore[]): Promise<StoredRecord[]> {
    if (toStore.length === 0) return []
    const before = this.counter
    const firstVersion = before.version + 1
    const records = toStore.map((record, index) => ({
      ...record,
      stored: toStoredRecord(record, firstVersion + index),
    }))
    // If one record comes several times, only the last one is stored.
    const last = [...new Map(records.map((record) => [keyOf(record), record])).values()]
    const version = before.version + toStore.length
    const loggedMs = Math.max(before.loggedMs, this.#nowMs)
    const replaced = await this.find(last)
    const replacedFields = new Map(replaced.map((record) => [keyOf(record), liveFieldsOf<JsonObject>(record)]))
    const digests = digestsAfter(last, replacedFields, before.digests)
    const addedBytes = sumOf(last, ({ stored }) => storedBytesOf(stored)) - sumOf(replaced, storedBytesOf)
    const storedBytes = before.storedBytes + addedBytes + LOG_ROW_BYTES * records.length
    this.counter = { version, tag: this.#tag, loggedMs, digests, storedBytes }
    await this.#sql.insertEach(
      logRows,
      records.map(({ kind, id, stored }) => [this.user, stored.version, kind, id, loggedMs, this.#tag]),
    )
    await this.#sql.insertEach(
      recordRows,
      last.map(({ stored, fields }) => rowOf(this.user, stored, fields)),
    )
    await this.#sql.run(
      `UPDATE counters SET version = $2, tag = $3, logged_at = $4, digests = $5, stored_bytes = $6
       WHERE user_id = $1`,
      [this.user, version, this.#tag, loggedMs, JSON.stringify(digests), storedBytes],
    )
    const changes = last.map(({ kind, deleted, fields, stored }) => ({
      kind,
      version: stored.version,
      before: replacedFields.get(keyOf(stored)) ?? null,
      after: deleted ? null : fields,
    }))
    // Here and not at the callers: all changes of records come through here, those of jobs and closings too.
    await announce(this.#sql, this.user, changes, { tag: this.#tag, nowMs: this.#nowMs })
    return records.map(({ stored }) => stored)
  }

  async prune(beforeMs: EpochMs): Promise<void> {
    const marker = await this.marker()
    // The log needs no index by time: rows are logged in the order of their versions, whatever the clock says (D4.14).
    // The boundary is the last row before the first one that stays, so that no later row is read.
    const [boundary] = await this.#sql.all<{ version: number }>(
      `SELECT version FROM sync_log
       WHERE user_id = $1 AND version > $2 AND version <= COALESCE(
         (SELECT version - 1 FROM sync_log WHERE user_id = $1 AND version > $2 AND logged_at >= $3
          ORDER BY version LIMIT 1), ${Number.MAX_SAFE_INTEGER})
       ORDER BY version DESC LIMIT 1`,
      [this.user, marker?.version ?? 0, beforeMs],
    )
    if (!boundary) return
    const boundaryParams = [this.user, boundary.version]
    const removed = await this.#sql.run('DELETE FROM sync_log WHERE user_id = $1 AND version < $2', boundaryParams)
    await this.#sql.run(
      `UPDATE sync_log SET kind = '${PRUNED}', record_id = '' WHERE user_id = $1 AND version = $2`,
      boundaryParams,
    )
    const storedBytes = this.counter.storedBytes - LOG_ROW_BYTES * removed
    this.counter = { ...this.counter, storedBytes }
    await this.#sql.run('UPDATE counters SET stored_bytes = $2 WHERE user_id = $1', [this.user, storedBytes])
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

type NewRecord = RecordToStore & { stored: StoredRecord }

/** Returns the digests after records have replaced others, whose live fields are given by key. */
function digestsAfter(
  records: readonly NewRecord[],
  replacedFields: ReadonlyMap<string, JsonObject | null>,
  before: Partial<Digests>,
): Digests {
  const sum = new DigestSum(before)
  for (const { kind, deleted, fields, stored } of records) {
    const replaced = replacedFields.get(keyOf(stored))
    if (replaced) sum.remove(kind, replaced)
    if (!deleted) sum.add(kind, { ...fields, version: stored.version })
  }
  return sum.digests()
}

function sumOf<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0)
}
