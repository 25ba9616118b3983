import type { SqlReader, SqlWriter } from './sql.ts'

/** Under this name, the service's state says that a database is an unfinished copy, and of what. */
const MOVING = 'copy_of'

/** What a database is an unfinished copy of; `undefined` where it is whole. */
export async function sourceOfMove(sql: Pick<SqlReader, 'all'>): Promise<string | undefined> {
  const [row] = await sql.all<{ value: string }>('SELECT value FROM service_state WHERE name = $1', [MOVING])
  return row?.value
}

/** Says that the database is an unfinished copy of `source` from now on. */
export async function beginMove(sql: SqlWriter, source: string): Promise<void> {
  await sql.run('INSERT INTO service_state (name, value) VALUES ($1, $2)', [MOVING, source])
}

/**
 * Ends that, with the state of the service that was copied. What a service that ran here may have made, a set-up code, goes.
 * Returns whether there was something to end: another process may have done so, and a service be at work since.
 */
export async function endMove(sql: SqlWriter, state: readonly { name: string; value: string }[]): Promise<boolean> {
  const ofCopy = 'DELETE FROM service_state WHERE EXISTS (SELECT 1 FROM service_state WHERE name = $1)'
  if ((await sql.run(ofCopy, [MOVING])) === 0) return false
  const rows = {
    into: 'service_state (name, value)',
    types: ['TEXT', 'TEXT'],
    onConflict: 'ON CONFLICT DO NOTHING',
  } as const
  await sql.insertEach(
    rows,
    state.map(({ name, value }) => [name, value]),
  )
  return true
}
