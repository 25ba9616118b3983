import { level1 } from './level-1.ts'
import { level2 } from './level-2.ts'
import { level3 } from './level-3.ts'
import { level4, level4OnPostgres } from './level-4.ts'
import type { Migration } from './migration.ts'

/**
 * All migrations of the SQLite schema, in the order of their numbers (R6.1). A migration imports nothing from the
 * store: what it needs is frozen in its own files. From core it uses what the protocol itself freezes: derived ids,
 * weeks and digests.
 */
export const migrations: readonly Migration[] = [level1, level2, level3, level4]

/** The migrations of the PostgreSQL schema. No PostgreSQL database is older than level 4. */
export const postgresMigrations: readonly Migration[] = [level4OnPostgres]
