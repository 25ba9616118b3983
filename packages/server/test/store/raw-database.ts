import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { temporaryFile } from './temporary.ts'

/** The script that builds the databases of the older levels, beside which they are kept. */
export const fixtureScript = join(import.meta.dirname, '../../../../fixtures/databases/build.ts')
/** The levels of which a database is kept. */
export const fixtureLevels = [1, 2, 3] as const
export type FixtureLevel = (typeof fixtureLevels)[number]

export type RawRow = Record<string, string | number | null>

/** A copy of the kept database of an older level, in a new folder. */
export function fixtureCopy(level: FixtureLevel): string {
  const file = temporaryFile()
  copyFileSync(join(dirname(fixtureScript), `level-${level}.db`), file)
  return file
}

/** All that is in a database file: its level, its schema and every row, past all of our code. */
export function contentsOfFile(file: string) {
  const database = new Database(file, { readonly: true })
  try {
    const schema = database
      .prepare<[], { name: string; type: string; sql: string }>(
        `SELECT name, type, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .all()
    const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => name)
    const rows = tables.map((table): [string, RawRow[]] => {
      const found = database.prepare<[], RawRow>(`SELECT * FROM ${table}`).all()
      return [table, found.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]
    })
    const level = database.pragma('user_version', { simple: true }) as number
    return { level, schema, tables: Object.fromEntries(rows) }
  } finally {
    database.close()
  }
}

/** Runs statements on a database file, past all of our code. */
export function execute(file: string, statements: string): void {
  const database = new Database(file)
  database.exec(statements)
  database.close()
}
