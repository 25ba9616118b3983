import type { Migration } from './migration.ts'

/**
 * The log without its index by time, which every write paid for. Its key is in the order of time as well: beside each user's
 * counter stands when the last row was logged, and no later one is logged before that. Where only programs of the level before
 * logged rows, nothing stands there, or 0. One that runs beside this one lacks the index: it reads all of a user's log at each pull.
 */
export const level7: Migration = {
  level: 7,
  changesData: true,
  up: (sql) =>
    sql.script(`
      ALTER TABLE counters ADD COLUMN logged_at INTEGER;
      DROP INDEX sync_log_by_time;
    `),
}

/** The same on PostgreSQL; the tables in the order in which writes lock them. */
export const level7OnPostgres: Migration = {
  ...level7,
  up: (sql) =>
    sql.script(`
      ALTER TABLE counters ADD COLUMN logged_at BIGINT;
      DROP INDEX sync_log_by_time;
    `),
}
