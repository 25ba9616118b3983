import type { Random } from '@saldo/core'
import type { SqlWriter } from '../sql.ts'

/** Clock and randomness for a migration. */
export interface MigrationContext {
  /** The time at which the migration runs: milliseconds since 1970. */
  nowMs: number
  random: Random
}

/** One step of the schema. It runs in a transaction of its own together with the change of `user_version` (R6.1). */
export interface Migration {
  level: number
  up(sql: SqlWriter, context: MigrationContext): Promise<void>
}
