import { isDeepStrictEqual } from 'node:util'
import { beginMove, endMove, sourceOfMove } from './moving.ts'
import { OpenError, type SqlDriver, type SqlReader, type SqlValue, type SqlWriter } from './sql.ts'

/** How many rows are read at once, and written in one transaction. */
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

/** All tables of the current level but those of the level and of the service's state, in an order in which references lead back. */
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

type Row = Record<string, SqlValue>

/**
 * Copies everything of one database of the current level into another that is empty: users with their sessions and
 * tokens, records and tombstones, the log with its versions and tags, so that clients notice nothing. At the end, all of it is
 * read again and compared.
 *
 * Page by page, each in a transaction of its own, so that a copy that was ended at any moment goes on where it was when it is
 * begun again with the same `source`, the name of the database that is copied. Until it is whole, the target says so
 * (`sourceOfMove`), and is no database for a service.
 *
 * What is written to `from` meanwhile is not in the copy. Returns how many rows each table has. Throws `OpenError`
 * where `to` is not empty and no unfinished copy of `source`, or where its part of a copy is not what `from` holds now.
 */
export async function copyDatabase(from: SqlDriver, to: SqlDriver, source: string): Promise<Map<string, number>> {
  await to.write((target) => claim(target, source))
  return from.read(async (reader) => {
    const counts = new Map<string, number>()
    for (const table of tables) counts.set(table.name, await copyTable(reader, to, table))
    for (const table of tables) await requireCopied(reader, to, table)
    await finish(reader, to)
    return counts
  })
}

async function claim(target: SqlWriter, source: string): Promise<void> {
  const begun = await sourceOfMove(target)
  if (begun === source) return
  if (begun !== undefined) {
    throw new OpenError(`the target holds a part of ${begun}: go on with that, or give an empty target`)
  }
  for (const { name } of tables) {
    const found = await target.all(`SELECT 1 FROM ${name} LIMIT 1`)
    if (found.length > 0) throw new OpenError('the target is not empty: it has users of its own, or had them')
  }
  await beginMove(target, source)
}

/** Adds what a table of the target lacks. Returns how many rows it has then. */
async function copyTable(source: SqlReader, to: SqlDriver, table: Table): Promise<number> {
  const { name, columns } = table
  const insert = {
    into: `${name} (${Object.keys(columns).join(', ')})`,
    types: Object.values(columns),
    // A copy that was killed may still be committing its last page.
    onConflict: 'ON CONFLICT DO NOTHING',
  }
  const before = pages(to, table)
  let isBehind = false
  let count = 0
  for await (const rows of pages(source, table)) {
    count += rows.length
    const there: SqlValue[][] = isBehind ? [] : ((await before.next()).value ?? [])
    requireSame(name, rows.slice(0, there.length), there)
    isBehind = there.length < rows.length
    if (isBehind) await to.write((target) => target.insertEach(insert, rows.slice(there.length)))
  }
  return count
}

async function requireCopied(source: SqlReader, to: SqlDriver, table: Table): Promise<void> {
  const copied = pages(to, table)
  for await (const rows of pages(source, table)) requireSame(table.name, rows, (await copied.next()).value)
  requireSame(table.name, undefined, (await copied.next()).value)
}

function requireSame(table: string, rows: SqlValue[][] | undefined, copied: SqlValue[][] | undefined): void {
  if (isDeepStrictEqual(rows, copied)) return
  throw new OpenError(
    `the table ${table} differs: the source was written to since the copy began, or the target was; begin again with an empty target`,
  )
}

/** Makes a database of the target, at once: with the numbers that were given last, and the service's state. */
async function finish(source: SqlReader, to: SqlDriver): Promise<void> {
  const numbers = new Map<string, number>()
  for (const { name, isNumbered } of tables) {
    const [given] = isNumbered ? await source.all<{ last: number }>(source.dialect.lastNumber(name)) : []
    if (given && given.last > 0) numbers.set(name, given.last)
  }
  const state = await source.all<{ name: string; value: string }>('SELECT name, value FROM service_state')
  await to.write(async (target) => {
    if (!(await endMove(target, state))) return
    for (const [table, last] of numbers) await target.script(target.dialect.setLastNumber(table, last))
  })
}

/** A table's rows in order of their key, each as the values of its columns. */
async function* pages(
  sql: Pick<SqlReader, 'all'>,
  { name, columns, key }: Table,
): AsyncGenerator<SqlValue[][], undefined> {
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
