import type { SqlWriter } from '../sql.ts'
import type { Migration } from './migration.ts'

/** Adds the profile of a user (D8.35), empty at first, and calendar feeds (D15.1). */
export const level5: Migration = {
  level: 5,
  up: (sql) => addProfileAndFeeds(sql, { integer: 'INTEGER', text: 'TEXT', table: 'STRICT' }),
}

export const level5OnPostgres: Migration = {
  level: 5,
  up: (sql) => addProfileAndFeeds(sql, { integer: 'BIGINT', text: 'TEXT COLLATE "C"', table: '' }),
}

function addProfileAndFeeds(
  sql: SqlWriter,
  { integer, text, table }: { integer: string; text: string; table: string },
): Promise<void> {
  const columns = ['name', 'personnel_number', 'employer']
  return sql.script(`
    ${columns.map((column) => `ALTER TABLE users ADD COLUMN ${column} ${text} NOT NULL DEFAULT '';`).join('\n')}

    CREATE TABLE calendar_feeds (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      hash ${text} NOT NULL UNIQUE,
      absences ${integer} NOT NULL,
      work ${integer} NOT NULL,
      language ${text} NOT NULL,
      created_at ${text} NOT NULL,
      last_used_at ${text},
      PRIMARY KEY (user_id, id)
    ) ${table};
  `)
}
