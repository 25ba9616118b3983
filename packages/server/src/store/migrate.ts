import type { Migration, MigrationContext } from './migrations/migration.ts'
import { OpenError, type SqlDriver, type SqlWriter } from './sql.ts'

/** How a database engine keeps the applied level (R6.1) and a copy of itself. */
export interface MigratableDriver extends SqlDriver {
  userVersion(): Promise<number>
  /** The same within a write, as it then stays until that write ends, whatever other processes do. */
  lockUserVersion(sql: SqlWriter): Promise<number>
  /** The statement that sets `user_version`, to run inside a migration's transaction. */
  setUserVersion(level: number): string
  /** Keeps a copy of the database as it is now, named after its level, where the engine can do that by itself. */
  keepCopy(level: number): Promise<void>
}

/** The highest level that this program knows. */
export function latestLevel(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.level ?? 0
}

/** Throws `OpenError` for a database that a newer program has migrated. */
export async function refuseNewer(driver: MigratableDriver, migrations: readonly Migration[]): Promise<number> {
  const level = await driver.userVersion()
  if (level > latestLevel(migrations)) {
    throw new OpenError(
      `the database has schema level ${level}, this program knows ${latestLevel(migrations)}: start a newer version of Saldo`,
    )
  }
  return level
}

/**
 * Applies the migrations above the database's level, in order, each in one transaction with its level (R6.1), so that
 * a kill leaves one level or the next, whole. Before the first that changes data, a copy is kept.
 */
export async function migrate(
  driver: MigratableDriver,
  migrations: readonly Migration[],
  context: MigrationContext,
): Promise<{ from: number; to: number }> {
  const from = await refuseNewer(driver, migrations)
  const pending = migrations.filter(({ level }) => level > from)
  if (from > 0 && pending.some(({ changesData }) => changesData)) {
    await driver.keepCopy(from).catch((error) => {
      throw migrationError(`no copy of the database at schema level ${from} can be kept`, error)
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
      throw migrationError(`the database cannot be brought to schema level ${level}`, error)
    })
  }
  return { from, to: latestLevel(migrations) }
}

function migrationError(what: string, cause: unknown): OpenError {
  const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return new OpenError(`${what}: ${reason}`, { cause })
}
