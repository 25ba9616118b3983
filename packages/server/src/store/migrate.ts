import { OpenError } from '../errors.ts'
import type { Migration, MigrationContext } from './migrations/migration.ts'
import type { SqlDriver, SqlWriter } from './sql.ts'

/** A driver that stores the schema level (R6.1) and can keep a copy of the database. */
export interface MigratableDriver extends SqlDriver {
  userVersion(): Promise<number>
  /** Reads the level within a write, and keeps other processes from changing it until that write ends. */
  lockUserVersion(sql: SqlWriter): Promise<number>
  /** Returns the statement that sets `user_version`, for a migration's transaction. */
  setUserVersion(level: number): string
  /** Keeps a copy of the database, named after its level, if the database can copy itself. */
  keepCopy(level: number): Promise<void>
}

export function latestLevel(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.level ?? 0
}

/** Returns the database's level. Throws `OpenError` if a newer program has migrated it. */
export async function requireKnownLevel(driver: MigratableDriver, migrations: readonly Migration[]): Promise<number> {
  const level = await driver.userVersion()
  if (level > latestLevel(migrations)) {
    throw new OpenError(
      `the database has schema level ${level}, this program knows ${latestLevel(migrations)}: start a newer version of Saldo`,
    )
  }
  return level
}

/** Keeps a copy, then applies the pending migrations in order, each in one transaction with its level (R6.1). */
export async function migrate(
  driver: MigratableDriver,
  migrations: readonly Migration[],
  context: MigrationContext,
): Promise<{ from: number; to: number }> {
  const from = await requireKnownLevel(driver, migrations)
  const pending = migrations.filter(({ level }) => level > from)
  if (from > 0 && pending.length > 0) {
    await driver.keepCopy(from).catch((error) => {
      throw migrationError(`the database at schema level ${from} cannot be copied`, error)
    })
  }
  for (const migration of pending) {
    const { level } = migration
    const apply = driver.write(async (sql) => {
      // Another process may have applied it meanwhile.
      if ((await driver.lockUserVersion(sql)) >= level) return
      await migration.up(sql, context)
      await sql.script(driver.setUserVersion(level))
    })
    await apply.catch((error) => {
      throw migrationError(`the database cannot be migrated to schema level ${level}`, error)
    })
  }
  return { from, to: latestLevel(migrations) }
}

function migrationError(what: string, cause: unknown): OpenError {
  const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return new OpenError(`${what}: ${reason}`, { cause })
}
