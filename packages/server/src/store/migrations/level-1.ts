import type { Migration } from './migration.ts'

/** The first tables: one user, settings keyed by an integer, a log without times. */
export const level1: Migration = {
  level: 1,
  up: (sql) =>
    sql.script(`
      CREATE TABLE settings_history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        effective_from TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        target_ms TEXT NOT NULL,
        break_policy TEXT,
        auto_close TEXT,
        week_starts_on INTEGER NOT NULL DEFAULT 1,
        note TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL
      ) STRICT;

      CREATE TABLE entries (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        started_at TEXT,
        ended_at TEXT,
        date TEXT,
        day_share REAL,
        time_zone TEXT,
        note TEXT NOT NULL DEFAULT '',
        tags TEXT NOT NULL DEFAULT '[]',
        project TEXT,
        source TEXT,
        import_ref TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX entries_by_start ON entries (started_at);

      CREATE TABLE closed_days (
        date TEXT PRIMARY KEY,
        time_zone TEXT NOT NULL,
        target_ms INTEGER NOT NULL,
        worked_ms INTEGER NOT NULL,
        break_ms INTEGER NOT NULL,
        deducted_break_ms INTEGER NOT NULL,
        credited_ms INTEGER NOT NULL,
        delta_ms INTEGER NOT NULL,
        settings_id INTEGER REFERENCES settings_history (id),
        closed_at TEXT NOT NULL,
        closed_by TEXT NOT NULL,
        revision INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE closed_weeks (
        week TEXT PRIMARY KEY,
        start_date TEXT NOT NULL,
        end_date TEXT NOT NULL,
        target_ms INTEGER NOT NULL,
        worked_ms INTEGER NOT NULL,
        break_ms INTEGER NOT NULL,
        deducted_break_ms INTEGER NOT NULL,
        credited_ms INTEGER NOT NULL,
        delta_ms INTEGER NOT NULL,
        closed_at TEXT NOT NULL,
        closed_by TEXT NOT NULL,
        revision INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE sync_log (
        version INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        record_id TEXT NOT NULL,
        op TEXT NOT NULL
      ) STRICT;
    `),
}
