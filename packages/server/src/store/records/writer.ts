import { DigestSum, type Digests, type JsonObject } from '@saldo/core'
import { type SqlValue, type SqlWriter, together } from '../sql.ts'
import type { Job, NewState, RecordKey, StoredRecord, UserId, UserWriter } from '../store.ts'
import { type Counter, saveCounter } from './counter.ts'
import { SqlUserReader } from './reader.ts'
import { logRows, newRecords, PRUNED, recordRows, rowOf, storedState } from './rows.ts'

export class SqlUserWriter extends SqlUserReader implements UserWriter {
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
    written.push(saveCounter(this.#sql, this.user, counter))
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
      ;(isNew ? added : others).push(rowOf(record, fields))
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

  async keepDigests(version: number, digests: Digests): Promise<void> {
    const counter = await this.current
    if (counter.version !== version) return
    const known = { ...counter, digests: () => digests }
    this.current = Promise.resolve(known)
    await saveCounter(this.#sql, this.user, known)
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

/** What names a record among those of all kinds: an id is 36 characters, and its kind stands behind it. */
function nameOf({ kind, id }: RecordKey): string {
  return id + kind
}
