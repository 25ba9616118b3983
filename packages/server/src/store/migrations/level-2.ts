import type { Migration } from './migration.ts'

/** Balance adjustments: what changes the balance beside the closed weeks. */
export const level2: Migration = {
  level: 2,
  up: (sql) =>
    sql.script(`
      CREATE TABLE balance_adjustments (
        id TEXT PRIMARY KEY,
        effective_date TEXT NOT NULL,
        delta_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        reason TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX balance_adjustments_by_date ON balance_adjustments (effective_date);
    `),
}
