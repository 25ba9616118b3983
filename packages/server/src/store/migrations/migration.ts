import type { Random } from '@saldo/core'
import type { SqlWriter } from '../sql.ts'

/** What a migration may use besides the database. */
export interface MigrationContext {
  /** The time at which the migration runs: milliseconds since 1970. */
  nowMs: number
  random: Random
}

/** One step of the schema. It runs in a transaction of its own together with the change of `user_version` (R6.1). */
export interface Migration {
  level: number
  /** Whether it changes tables that may hold data, so that a copy of the file is kept before it. */
  changesData: boolean
  up(sql: SqlWriter, context: MigrationContext): Promise<void>
}
