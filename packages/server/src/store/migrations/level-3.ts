import { settingsIdOf, type UserNumber } from '@saldo/core'
import type { Migration } from './migration.ts'

/** The one user of the levels before users: the first user takes over what was there (D8.22). */
export const FIRST_USER = 1 as UserNumber

/** Adds `logged_at`, and keys settings by UUIDs derived from the integers that clients may still send (R6.2). */
export const level3: Migration = {
  level: 3,
  async up(sql, { nowMs }) {
    const settings = await sql.all<{ id: number }>('SELECT id FROM settings_history')
    const logged = await sql.all<{ record_id: string }>(
      `SELECT DISTINCT record_id FROM sync_log WHERE kind = 'settings_history'`,
    )
    // When a row was logged is not known; counted from now, none is pruned too early.
    await sql.script(`
      PRAGMA defer_foreign_keys = ON;

      ALTER TABLE sync_log ADD COLUMN logged_at INTEGER NOT NULL DEFAULT 0;
      UPDATE sync_log SET logged_at = ${nowMs};
      CREATE INDEX sync_log_by_time ON sync_log (logged_at);

      CREATE TABLE new_settings_history (
        id TEXT PRIMARY KEY,
        effective_from TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        target_ms TEXT NOT NULL,
        break_policy TEXT,
        auto_close TEXT,
        week_starts_on INTEGER NOT NULL DEFAULT 1,
        note TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;

      CREATE TABLE new_closed_days (
        date TEXT PRIMARY KEY,
        time_zone TEXT NOT NULL,
        target_ms INTEGER NOT NULL,
        worked_ms INTEGER NOT NULL,
        break_ms INTEGER NOT NULL,
        deducted_break_ms INTEGER NOT NULL,
        credited_ms INTEGER NOT NULL,
        delta_ms INTEGER NOT NULL,
        settings_id TEXT REFERENCES new_settings_history (id),
        closed_at TEXT NOT NULL,
        closed_by TEXT NOT NULL,
        revision INTEGER NOT NULL
      ) STRICT;

      INSERT INTO new_closed_days
        (date, time_zone, target_ms, worked_ms, break_ms, deducted_break_ms, credited_ms, delta_ms, settings_id,
         closed_at, closed_by, revision)
      SELECT date, time_zone, target_ms, worked_ms, break_ms, deducted_break_ms, credited_ms, delta_ms,
        CAST(settings_id AS TEXT), closed_at, closed_by, revision
      FROM closed_days;

      INSERT INTO new_settings_history
        (id, effective_from, time_zone, target_ms, break_policy, auto_close, week_starts_on, note, created_at,
         updated_at)
      SELECT CAST(id AS TEXT), effective_from, time_zone, target_ms, break_policy, auto_close, week_starts_on, note,
        created_at, created_at
      FROM settings_history;
    `)
    // The log may also name rows that were deleted since.
    const integerIds = new Set([...settings.map(({ id }) => String(id)), ...logged.map((row) => row.record_id)])
    for (const id of integerIds) {
      const renamed = [id, settingsIdOf(FIRST_USER, Number(id))]
      await sql.run('UPDATE new_settings_history SET id = $2 WHERE id = $1', renamed)
      await sql.run('UPDATE new_closed_days SET settings_id = $2 WHERE settings_id = $1', renamed)
      await sql.run(`UPDATE sync_log SET record_id = $2 WHERE kind = 'settings_history' AND record_id = $1`, renamed)
    }
    await sql.script(`
      DROP TABLE closed_days;
      DROP TABLE settings_history;
      ALTER TABLE new_settings_history RENAME TO settings_history;
      ALTER TABLE new_closed_days RENAME TO closed_days;
    `)
  },
}
