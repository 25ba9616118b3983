import { OpenError, type SqlDriver, type SqlReader, type SqlValue, type SqlWriter } from './sql.ts'

/** The most rows to read and write at once. */
const ROWS_AT_ONCE = 1_000

type ColumnType = 'BIGINT' | 'TEXT'

interface Table {
  name: string
  columns: Record<string, ColumnType>
  /** The columns of the primary key, in whose order rows are copied. */
  key: readonly string[]
  /** True if the database numbers the rows. */
  isNumbered: boolean
}

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'TEXT' as const]))
const whole = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'BIGINT' as const]))

/** The tables to copy: all but the level and the service's state. Each refers only to tables before it. */
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
  keyed('passkeys', ['user_id', 'id'], {
    ...whole('user_id', 'counter'),
    ...texts('id', 'name', 'credential_id', 'public_key', 'created_at', 'last_used_at'),
  }),
  keyed('counters', ['user_id'], { ...whole('user_id', 'version', 'logged_at'), ...texts('tag', 'digests') }),
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

/**
 * Copies a database of the current level into another one that is empty: users with their sessions and tokens, records
 * and tombstones, the log with its versions and tags, so clients notice nothing. The whole copy is one transaction: if
 * it fails, the target is as empty as before.
 *
 * The copy is of one moment; later writes to `from` are not in it. Returns how many rows each table has. Throws
 * `OpenError` if `to` is not empty.
 */
export function copyDatabase(from: SqlDriver, to: SqlDriver): Promise<Map<string, number>> {
  return to.write((target) =>
    from.read(async (source) => {
      await requireEmpty(target)
      const counts = new Map<string, number>()
      for (const table of tables) counts.set(table.name, await copyTable(source, target, table))
      await copyServiceState(source, target)
      return counts
    }),
  )
}

async function requireEmpty(target: SqlWriter): Promise<void> {
  for (const { name } of tables) {
    const found = await target.all(`SELECT 1 FROM ${name} LIMIT 1`)
    if (found.length > 0) throw new OpenError('the target database is not empty: give an empty one')
  }
}

async function copyTable(source: SqlReader, target: SqlWriter, table: Table): Promise<number> {
  const { name, columns, isNumbered } = table
  const insert = { into: `${name} (${Object.keys(columns).join(', ')})`, types: Object.values(columns) }
  let count = 0
  for await (const rows of pages(source, table)) {
    await target.insertEach(insert, rows)
    count += rows.length
  }
  if (isNumbered) await target.script(target.dialect.numberBehind(name))
  return count
}

/** Replaces a set-up code that a service may have made in the target. */
async function copyServiceState(source: SqlReader, target: SqlWriter): Promise<void> {
  const state = await source.all<{ name: string; value: string }>('SELECT name, value FROM service_state')
  await target.run('DELETE FROM service_state')
  await target.insertEach(
    { into: 'service_state (name, value)', types: ['TEXT', 'TEXT'] },
    state.map(({ name, value }) => [name, value]),
  )
}

/** Yields a table's rows in order of their key, each as the values of its columns. */
async function* pages(sql: SqlReader, { name, columns, key }: Table): AsyncGenerator<SqlValue[][], undefined> {
  const names = Object.keys(columns)
  const places = key.map((_, index) => `$${index + 1}`).join(', ')
  const query = `SELECT ${names.join(', ')} FROM ${name} WHERE (${key.join(', ')}) > (${places})
    ORDER BY ${key.join(', ')} LIMIT ${ROWS_AT_ONCE}`
  let after = key.map((column): SqlValue => (columns[column] === 'TEXT' ? '' : Number.MIN_SAFE_INTEGER))
  for (;;) {
    const rows = await sql.all<Record<string, SqlValue>>(query, after)
    const last = rows.at(-1)
    if (!last) return undefined
    yield rows.map((row) => names.map((column) => row[column] as SqlValue))
    after = key.map((column) => last[column] as SqlValue)
  }
}
