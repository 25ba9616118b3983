import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OpenError } from '../../errors.ts'
import { latestLevel, migrate, requireKnownLevel } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import type { MigrationContext } from '../migrations/migration.ts'
import type { OpenedDatabase, OpenOptions } from '../sql.ts'
import { SqliteDriver } from './driver.ts'
import { holdLock, type Lock, realFile } from './files.ts'

export interface OpenSqliteOptions extends OpenOptions {
  /** The path of the SQLite file. */
  file: string
}

/**
 * Opens a database, creates it if there is none, and migrates it to the current level. A service holds the lock of its
 * file, so that no second service uses it. Throws `OpenError` with one line, and leaves the file as it is, if it is
 * empty, damaged, read-only, in use, or the database of another program or of a newer Saldo.
 */
export async function openSqlite(options: OpenSqliteOptions): Promise<OpenedDatabase> {
  const { file: path, clock, random, as, onCommit } = options
  const context = { nowMs: clock.now(), random }
  let lock: Lock | undefined
  try {
    const file = realFile(path)
    if (as !== 'command') lock = lockDatabase(file)
    if (!existsSync(file)) await create(file, context, lock)
    if (statSync(file).size === 0) {
      throw new OpenError(`${file} is empty: restore it from a backup, or delete it to start afresh`)
    }
    const driver = new SqliteDriver(file, onCommit)
    try {
      const migrated = await migrateLocked(driver, file, context, lock)
      return { driver, name: file, migrated, close: () => driver.close().finally(() => lock?.release()) }
    } catch (error) {
      await driver.close()
      throw error
    }
  } catch (error) {
    lock?.release()
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new OpenError(`${path} cannot be opened: ${error.message}`, { cause: error })
  }
}

/** Creates a database. A crash leaves none rather than an empty one. */
async function create(file: string, context: MigrationContext, held: Lock | undefined): Promise<void> {
  const creating = withLock(file, held, async () => {
    if (existsSync(file)) return
    refuseLeftovers(file)
    const unfinished = `${file}.new`
    for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true })
    // Only its owner may read a database. SQLite gives the files beside it the same permissions.
    writeFileSync(unfinished, '', { mode: 0o600 })
    SqliteDriver.createEmpty(unfinished)
    const driver = new SqliteDriver(unfinished)
    try {
      await migrate(driver, migrations, context)
    } finally {
      await driver.close()
    }
    renameSync(unfinished, file)
  })
  await creating.catch((error) => {
    // A service that started at the same time has created the database and keeps the lock.
    if (!existsSync(file)) throw error
  })
}

/** Throws if a missing database left a write-ahead log or journal, which SQLite would apply to the new one. */
function refuseLeftovers(file: string): void {
  const left = ['-wal', '-journal']
    .map((suffix) => file + suffix)
    .find((path) => statSync(path, { throwIfNoEntry: false })?.size)
  if (left) throw new OpenError(`${file} is missing, but ${left} exists: restore both, or delete it to start afresh`)
}

async function migrateLocked(
  driver: SqliteDriver,
  file: string,
  context: MigrationContext,
  held: Lock | undefined,
): Promise<{ from: number; to: number }> {
  const level = await requireKnownLevel(driver, migrations)
  if (level === 0) throw new OpenError(`${file} is not a Saldo database`)
  if (level === latestLevel(migrations)) return { from: level, to: level }
  return withLock(file, held, () => migrate(driver, migrations, context))
}

/** Runs `work` while this process holds the lock of a database. */
async function withLock<T>(file: string, held: Lock | undefined, work: () => Promise<T>): Promise<T> {
  const lock = held ?? lockDatabase(file)
  try {
    return await work()
  } finally {
    if (!held) lock.release()
  }
}

function lockDatabase(file: string): Lock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const lock = holdLock(`${file}.lock`)
  if (!lock) throw new OpenError(`${file} is in use by another running service`)
  return lock
}
