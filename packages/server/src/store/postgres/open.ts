import { migrate } from '../migrate.ts'
import { postgresMigrations } from '../migrations/index.ts'
import type { OpenedDatabase, OpenOptions } from '../sql.ts'
import { PostgresDriver } from './driver.ts'

export interface OpenPostgresOptions extends Pick<OpenOptions, 'clock' | 'random' | 'onCommit'> {
  /** `postgresql://user:password@host:port/database` */
  url: string
  /** The most connections for transactions; 16 by default. */
  connections?: number
}

/**
 * Opens a PostgreSQL database that is empty or Saldo's, and migrates it to the current level. If several nodes do so at
 * once, one of them applies each migration. Throws `OpenError` with one line that never contains the password.
 */
export async function openPostgres({
  url,
  connections,
  clock,
  random,
  onCommit,
}: OpenPostgresOptions): Promise<OpenedDatabase> {
  const driver = new PostgresDriver(url, onCommit, connections)
  try {
    await driver.examine()
    const migrated = await migrate(driver, postgresMigrations, { nowMs: clock.now(), random })
    return { driver, name: driver.name, announcements: driver, migrated, close: () => driver.close() }
  } catch (error) {
    await driver.close()
    throw error
  }
}
