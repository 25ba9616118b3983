import { isDeepStrictEqual } from 'node:util'
import { OpenError, type SqlDriver, type SqlReader, type SqlValue, type SqlWriter } from './sql.ts'

/** How many rows are read and written at once. */
const ROWS_AT_ONCE = 1_000

type ColumnType = 'BIGINT' | 'TEXT'

interface Table {
  name: string
  columns: Record<string, ColumnType>
  /** The columns by which rows are told apart, and in whose order they are copied. */
  key: readonly string[]
  /** Whether its `id` is a number that the database gives. */
  isNumbered: boolean
}

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'TEXT' as const]))
const whole = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'BIGINT' as const]))

/** All tables of the current level but that of the level, in an order in which references lead back. */
const tables: readonly Table[] = [
  keyed('users', ['id'], {
    ...whole('id', 'email_verified'),
    ...texts('name', 'email', 'image', 'created_at', 'updated_at'),
  }),
  numbered('sessions', {
    ...whole('user_id'),
    ...texts('token', 'expires_at', 'ip_address', 'user_agent', 'created_at', 'updated_at'),
  }),
  numbered('credentials', {
    ...whole('user_id'),
    ...texts('account_id', 'provider_id', 'access_token', 'refresh_token', 'id_token', 'access_token_expires_at'),
    ...texts('refresh_token_expires_at', 'scope', 'password', 'created_at', 'updated_at'),
  }),
  numbered('verifications', texts('identifier', 'value', 'expires_at', 'created_at', 'updated_at')),
  keyed('tokens', ['user_id', 'id'], {
    ...whole('user_id'),
    ...texts('id', 'name', 'hash', 'created_at', 'last_used_on'),
  }),
  keyed('service_state', ['name'], texts('name', 'value')),
  keyed('counters', ['user_id'], { ...whole('user_id', 'version'), ...texts('tag', 'digests') }),
  keyed('records', ['user_id', 'kind', 'id'], {
    ...whole('user_id', 'version', 'deleted', 'starts_ms', 'ends_ms', 'delta_ms'),
    ...texts('kind', 'id', 'updated_at', 'claims', 'body'),
  }),
  keyed('sync_log', ['user_id', 'version'], {
    ...whole('user_id', 'version', 'logged_at'),
    ...texts('kind', 'record_id', 'tag'),
  }),
  keyed('jobs', ['user_id', 'id'], { ...whole('user_id', 'due_ms'), ...texts('id', 'task') }),
]

function numbered(name: string, columns: Table['columns']): Table {
  return { name, columns: { id: 'BIGINT', ...columns }, key: ['id'], isNumbered: true }
}

function keyed(name: string, key: readonly string[], columns: Table['columns']): Table {
  return { name, columns, key, isNumbered: false }
}

type Row = Record<string, SqlValue>

/**
 * Copies everything of one database of the current level into another that is empty: users with their sessions and
 * tokens, records and tombstones, the log with its versions and tags, so that clients notice nothing. Whole or not at
 * all, in one transaction, and read again before its commit; after a failure it is begun anew. Nobody may write to
 * `from` meanwhile: what is written there later is not in the copy. Returns how many rows each table has. Throws
 * `OpenError` where `to` is not empty, or holds something else than was copied.
 */
export function copyDatabase(from: SqlDriver, to: SqlDriver): Promise<Map<string, number>> {
  return from.read((source) =>
    to.write(async (target) => {
      const counts = new Map<string, number>()
      for (const table of tables) await requireEmpty(target, table)
      for (const table of tables) counts.set(table.name, await copyTable(source, target, table))
      return counts
    }),
  )
}

async function requireEmpty(target: SqlReader, { name }: Table): Promise<void> {
  // A service that ran on it may have made a set-up code, which goes.
  if (name === 'service_state') return
  const found = await target.all(`SELECT 1 FROM ${name} LIMIT 1`)
  if (found.length > 0) throw new OpenError('the target is not empty: it has users of its own, or had them')
}

async function copyTable(source: SqlReader, target: SqlWriter, table: Table): Promise<number> {
  const { name, columns, isNumbered } = table
  const insert = {
    into: `${name} (${Object.keys(columns).join(', ')})`,
    types: Object.values(columns),
    onConflict: '',
  }
  if (name === 'service_state') await target.run('DELETE FROM service_state')
  let count = 0
  for await (const rows of pages(source, table)) {
    count += rows.length
    await target.insertEach(insert, rows)
  }
  if (isNumbered) {
    const [given] = await source.all<{ last: number }>(source.dialect.lastNumber(name))
    if (given && given.last > 0) await target.script(target.dialect.setLastNumber(name, given.last))
  }
  // Page by page of both: an engine ends a transaction that falls silent while the other is at work.
  const copied = pages(target, table)
  for await (const rows of pages(source, table)) requireSame(name, rows, (await copied.next()).value)
  requireSame(name, undefined, (await copied.next()).value)
  return count
}

function requireSame(table: string, rows: SqlValue[][] | undefined, copied: SqlValue[][] | undefined): void {
  if (!isDeepStrictEqual(rows, copied)) throw new OpenError(`the table ${table} was not copied as it is`)
}

/** A table's rows in order of their key, each as the values of its columns. */
async function* pages(sql: SqlReader, { name, columns, key }: Table): AsyncGenerator<SqlValue[][], undefined> {
  const names = Object.keys(columns)
  const places = key.map((_, index) => `$${index + 1}`).join(', ')
  const query = `SELECT ${names.join(', ')} FROM ${name} WHERE (${key.join(', ')}) > (${places})
    ORDER BY ${key.join(', ')} LIMIT ${ROWS_AT_ONCE}`
  let after = key.map((column): SqlValue => (columns[column] === 'TEXT' ? '' : Number.MIN_SAFE_INTEGER))
  for (;;) {
    const rows = await sql.all<Row>(query, after)
    const last = rows.at(-1)
    if (!last) return undefined
    yield rows.map((row) => names.map((column) => row[column] as SqlValue))
    after = key.map((column) => last[column] as SqlValue)
  }
}
