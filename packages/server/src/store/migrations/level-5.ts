import type { SqlWriter } from '../sql.ts'
import type { Migration } from './migration.ts'

/** Adds the profile of a user (D8.35), empty at first. */
export const level5: Migration = { level: 5, up: (sql) => addProfile(sql, 'TEXT') }

export const level5OnPostgres: Migration = { level: 5, up: (sql) => addProfile(sql, 'TEXT COLLATE "C"') }

function addProfile(sql: SqlWriter, text: string): Promise<void> {
  return sql.script(
    ['name', 'personnel_number', 'employer']
      .map((column) => `ALTER TABLE users ADD COLUMN ${column} ${text} NOT NULL DEFAULT '';`)
      .join('\n'),
  )
}
