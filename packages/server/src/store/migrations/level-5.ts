import type { Migration } from './migration.ts'

/**
 * Digests of what is live beside each user's counter, as JSON with the version that they are of (D10). They are computed
 * when they are first asked for: a program of the level before, which may run beside this one, does not keep them either.
 */
export const level5: Migration = {
  level: 5,
  changesData: true,
  up: (sql) => sql.script('ALTER TABLE counters ADD COLUMN digests TEXT'),
}

/** The same on PostgreSQL, where texts are compared byte by byte. */
export const level5OnPostgres: Migration = {
  ...level5,
  up: (sql) => sql.script('ALTER TABLE counters ADD COLUMN digests TEXT COLLATE "C"'),
}
