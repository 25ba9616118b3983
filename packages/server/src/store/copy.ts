import { OpenError } from '../errors.ts'
import type { Column, SqlDriver, SqlReader, SqlValue, SqlWriter } from './sql.ts'

/** The most rows to read and write at once. */
const ROWS_AT_ONCE = 1_000

interface Table {
  name: string
  /** The columns of the primary key, in whose order rows are copied, each with a value before all others. */
  key: Record<string, SqlValue>
  /** True if the database numbers its rows. */
  isNumbered?: boolean
}

const byNumber = { id: Number.MIN_SAFE_INTEGER }
const byUser = { user_id: Number.MIN_SAFE_INTEGER }
const byCompany = { company_id: Number.MIN_SAFE_INTEGER, number: Number.MIN_SAFE_INTEGER }

/** The tables to copy: all but the level and the service's state. Each refers only to tables before it. */
const tables: readonly Table[] = [
  { name: 'users', key: byNumber },
  { name: 'sessions', key: byNumber, isNumbered: true },
  { name: 'tokens', key: { ...byUser, id: '' } },
  { name: 'calendar_feeds', key: { ...byUser, id: '' } },
  { name: 'webhooks', key: { ...byUser, id: '' } },
  { name: 'webhook_deliveries', key: byNumber, isNumbered: true },
  { name: 'account_links', key: { ...byUser, hash: '' } },
  { name: 'oidc_identities', key: { issuer: '', subject: '' } },
  { name: 'passkeys', key: { ...byUser, id: '' } },
  { name: 'challenges', key: { challenge: '' } },
  { name: 'second_factors', key: byUser },
  { name: 'recovery_codes', key: { ...byUser, hash: '' } },
  { name: 'counters', key: byUser },
  { name: 'records', key: { ...byUser, kind: '', id: '' } },
  { name: 'sync_log', key: { ...byUser, version: Number.MIN_SAFE_INTEGER } },
  { name: 'jobs', key: { ...byUser, id: '' } },
  { name: 'team_groups', key: byNumber, isNumbered: true },
  { name: 'memberships', key: byNumber, isNumbered: true },
  { name: 'former_names', key: { company_id: Number.MIN_SAFE_INTEGER, ...byUser } },
  { name: 'team_roles', key: byNumber, isNumbered: true },
  { name: 'team_policies', key: byCompany },
  { name: 'team_blocks', key: byCompany },
  { name: 'team_trail', key: byCompany },
  { name: 'team_facts', key: byUser },
  { name: 'decisions', key: { ...byUser, request_id: '', number: Number.MIN_SAFE_INTEGER } },
  { name: 'substitute_answers', key: { ...byUser, request_id: '', substitute: Number.MIN_SAFE_INTEGER } },
  { name: 'months', key: { ...byUser, month: '' } },
  { name: 'month_sheets', key: { ...byUser, month: '', number: Number.MIN_SAFE_INTEGER } },
  { name: 'account_trail', key: { ...byUser, number: Number.MIN_SAFE_INTEGER } },
  { name: 'remarks', key: { ...byUser, id: '' } },
  { name: 'proposals', key: { ...byUser, id: '' } },
  { name: 'personnel', key: { company_id: Number.MIN_SAFE_INTEGER, ...byUser } },
  { name: 'payroll_mappings', key: { company_id: Number.MIN_SAFE_INTEGER } },
  { name: 'payroll_files', key: byCompany },
]

/**
 * Copies a database of the current level into another one that is empty: users with their sessions and tokens, records
 * and tombstones, the log with its versions and tags, so clients notice nothing. The whole copy is one transaction: if
 * it fails, the target is as empty as before.
 *
 * The copy is of one moment; later writes to `from` are not in it. Returns how many rows each table has. Throws
 * `OpenError` if `from` is empty, as an unfinished copy is, or `to` is not.
 */
export function copyDatabase(from: SqlDriver, to: SqlDriver): Promise<Map<string, number>> {
  return to.write((target) =>
    from.read(async (source) => {
      await requireEmpty(target)
      const counts = new Map<string, number>()
      for (const table of tables) counts.set(table.name, await copyTable(source, target, table))
      await copyServiceState(source, target)
      if ([...counts.values()].every((count) => count === 0)) {
        throw new OpenError('the source database is empty: it may be an unfinished copy, or the wrong database')
      }
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
  const { name } = table
  const columns = await target.all<Column>(target.dialect.columnsOf(name))
  const names = columns.map((column) => column.name)
  const insert = { into: `${name} (${names.join(', ')})`, types: columns.map(({ type }) => type) }
  let count = 0
  for await (const rows of pages(source, table, names)) {
    await target.insertEach(insert, rows)
    count += rows.length
  }
  if (table.isNumbered) await target.script(target.dialect.numberBehind(name))
  return count
}

/** Replaces a set-up code that a service may have made in the target. */
async function copyServiceState(source: SqlReader, target: SqlWriter): Promise<void> {
  await target.run('DELETE FROM service_state')
  await copyTable(source, target, { name: 'service_state', key: { name: '' } })
}

/** Yields a table's rows in order of their key, each as the values of the columns `names`. */
async function* pages(sql: SqlReader, { name, key }: Table, names: string[]): AsyncGenerator<SqlValue[][], undefined> {
  const keys = Object.keys(key)
  const places = keys.map((_, index) => `$${index + 1}`).join(', ')
  const query = `SELECT ${names.join(', ')} FROM ${name} WHERE (${keys.join(', ')}) > (${places})
    ORDER BY ${keys.join(', ')} LIMIT ${ROWS_AT_ONCE}`
  let after = Object.values(key)
  for (;;) {
    const rows = await sql.all<Record<string, SqlValue>>(query, after)
    const last = rows.at(-1)
    if (!last) return undefined
    yield rows.map((row) => names.map((column) => row[column] ?? null))
    after = keys.map((column) => last[column] ?? null)
  }
}
