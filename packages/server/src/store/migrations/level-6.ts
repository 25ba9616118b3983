import type { Migration } from './migration.ts'

/** Passkeys: the public keys with which users sign in. */
export const level6: Migration = {
  level: 6,
  changesData: false,
  up: (sql) =>
    sql.script(`
      CREATE TABLE passkeys (
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        credential_id TEXT NOT NULL UNIQUE,
        public_key TEXT NOT NULL,
        counter INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        last_used_at TEXT,
        PRIMARY KEY (user_id, id)
      ) STRICT
    `),
}

/** The same on PostgreSQL. */
export const level6OnPostgres: Migration = {
  ...level6,
  up: (sql) =>
    sql.script(`
      CREATE TABLE passkeys (
        user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        id TEXT COLLATE "C" NOT NULL,
        name TEXT COLLATE "C" NOT NULL,
        credential_id TEXT COLLATE "C" NOT NULL UNIQUE,
        public_key TEXT COLLATE "C" NOT NULL,
        counter BIGINT NOT NULL,
        created_at TEXT COLLATE "C" NOT NULL,
        last_used_at TEXT COLLATE "C",
        PRIMARY KEY (user_id, id)
      )
    `),
}
