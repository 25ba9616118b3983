import type pg from 'pg'
import { UnavailableError } from '../../errors.ts'
import type { Dialect, Insert, SqlParam, SqlValue, SqlWriter } from '../sql.ts'
import { translatedCommit, translatedStatement } from './errors.ts'

export class PostgresTransaction implements SqlWriter {
  readonly dialect = postgresDialect
  readonly #client: pg.ClientBase
  /** The error of the first statement that failed. */
  #failure: unknown

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  async all<Row>(text: string, params: readonly SqlParam[] = []): Promise<Row[]> {
    return (await this.#query(text, params)).rows as Row[]
  }

  async run(text: string, params: readonly SqlParam[] = []): Promise<number> {
    return (await this.#query(text, params)).rowCount ?? 0
  }

  async insertEach(insert: Insert, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    if (rows.length === 0) return
    if (rows.length <= MAX_LISTED_ROWS) {
      await this.#query(listingText(insert, rows.length), rows.flat())
      return
    }
    const columns = insert.types.map((_, column) => rows.map((row) => row[column]))
    await this.#query(unnestingText(insert), columns)
  }

  /** Sends the statements one by one: Citus refuses a text with several of which one changes a distributed table. */
  async script(text: string): Promise<void> {
    for (const statement of statementsOf(text)) await this.#attempt(this.#client.query(statement))
  }

  /**
   * Ends a read, whose rows have all come. Nobody waits for the answer: the next statements of the connection go behind
   * it, and a connection on which it fails is lost for them too.
   */
  endRead(): void {
    void this.#client.query('COMMIT').catch(() => undefined)
  }

  /** Commits. Throws `UnavailableError` if the outcome of a write is unknown. */
  async commit(): Promise<void> {
    let hasWarned = false
    const note = ({ severity }: { severity: string | undefined }) => {
      hasWarned ||= severity === 'WARNING'
    }
    this.#client.on('notice', note)
    const committed = await this.#client
      .query('COMMIT')
      .catch((error: unknown) => {
        throw translatedCommit(error)
      })
      .finally(() => this.#client.off('notice', note))
    // The server rolls back a transaction in which a statement has failed.
    if (committed.command !== 'COMMIT') throw this.#failure
    // If an administrator cancels the wait for the standby, the server commits and warns: a fail-over may lose it.
    if (hasWarned) throw new UnavailableError('unavailable', { cause: new Error('the server warned') })
  }

  #query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#attempt(this.#client.query({ name: nameOf(text), text, values: [...values] }))
  }

  #attempt<T>(response: Promise<T>): Promise<T> {
    return response.catch((error: unknown) => {
      this.#failure ??= translatedStatement(error)
      throw this.#failure
    })
  }
}

const namesByText = new Map<string, string>()

/** Names a statement, so that each connection plans it once. */
function nameOf(text: string): string {
  const name = namesByText.get(text) ?? `s${namesByText.size}`
  namesByText.set(text, name)
  return name
}

/**
 * The most rows that a statement lists one by one, with a text for each number of rows. Citus sends a list to the one
 * server that has the user and commits in one phase; arrays it takes apart itself, in two phases.
 */
const MAX_LISTED_ROWS = 16

function listingText({ into, types, onConflict = '' }: Insert, count: number): string {
  const rows = Array.from({ length: count }, (_, row) => {
    return `(${types.map((type, column) => `CAST($${row * types.length + column + 1} AS ${type})`).join(', ')})`
  })
  return `INSERT INTO ${into} VALUES ${rows.join(', ')} ${onConflict}`
}

function unnestingText({ into, types, onConflict = '' }: Insert): string {
  const columns = types.map((type, index) => `CAST($${index + 1} AS ${type}[])`)
  return `INSERT INTO ${into} SELECT * FROM unnest(${columns.join(', ')}) ${onConflict}`
}

/** Returns the statements of a script, each of which ends with a semicolon at the end of a line. */
function statementsOf(script: string): string[] {
  return script.split(/;\s*(?:\n|$)/).filter((statement) => statement.trim() !== '')
}

export const postgresDialect: Dialect = {
  locking: (clause) => ` ${clause}`,
  eachOf: (param) => `unnest(CAST(${param} AS TEXT[])) AS given (item)`,
  isOneOf: (column, param) => `${column} = ANY (CAST(${param} AS BIGINT[]))`,
  // OFFSET 0 keeps the planner from reading all of the user's records instead of looking each one up.
  joinEach: (table, condition) => `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${table}`,
  columnsOf: (table) =>
    `SELECT column_name AS name, CASE data_type WHEN 'bigint' THEN 'BIGINT' ELSE 'TEXT' END AS type
     FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '${table}'
     ORDER BY ordinal_position`,
  numberBehind: (table) => `SELECT setval('${table}_id_seq', COALESCE(MAX(id), 0) + 1, false) FROM ${table}`,
  size: 'SELECT pg_database_size(current_database()) AS bytes',
}
