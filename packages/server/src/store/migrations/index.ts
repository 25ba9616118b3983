import { level1 } from './level-1.ts'
import { level2 } from './level-2.ts'
import { level3 } from './level-3.ts'
import { level4 } from './level-4.ts'
import { level4OnPostgres } from './level-4-postgres.ts'
import { level5, level5OnPostgres } from './level-5.ts'
import { level6, level6OnPostgres } from './level-6.ts'
import { level7, level7OnPostgres } from './level-7.ts'
import type { Migration } from './migration.ts'

/** All migrations of the SQLite schema, in the order of their numbers (R6.1). */
export const migrations: readonly Migration[] = [level1, level2, level3, level4, level5, level6, level7]

/** Those of the PostgreSQL schema, which begins where SQLite's has come to. */
export const postgresMigrations: readonly Migration[] = [
  level4OnPostgres,
  level5OnPostgres,
  level6OnPostgres,
  level7OnPostgres,
]
