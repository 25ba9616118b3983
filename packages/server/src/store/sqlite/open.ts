import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Random } from '@saldo/core'
import { latestLevel, migrate, refuseNewer } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { OpenError, type OpenedDatabase, type OpenOptions } from '../sql.ts'
import { SqliteDriver } from './driver.ts'
import { holdLock, type Lock, realFile } from './files.ts'

export interface OpenSqliteOptions extends OpenOptions {
  /** Path of the SQLite file. */
  file: string
}

/**
 * Opens the database, makes it where there is none, and migrates it to the current level. Only one service at a time
 * has a file, and nobody migrates it meanwhile. What cannot be opened is left as it is: a file that is empty, damaged
 * (files up to 128 MiB are read whole to see that; of larger ones only the start), of another program or of a newer
 * Saldo, locked, or not to be written. Throws `OpenError` with one clear line.
 */
export async function openSqlite(options: OpenSqliteOptions): Promise<OpenedDatabase> {
  const { file: path, clock, random, as, onCommit } = options
  let lock: Lock | undefined
  try {
    const file = realFile(path)
    if (as !== 'command') lock = lockFor(file)
    if (!existsSync(file)) await create(file, { nowMs: clock.now(), random }, lock)
    const driver = openExisting(file, onCommit)
    try {
      const migrated = await bringUp(driver, file, { nowMs: clock.now(), random }, lock)
      return { driver, name: file, migrated, close: () => driver.close().finally(() => lock?.release()) }
    } catch (error) {
      await driver.close()
      throw error
    }
  } catch (error) {
    lock?.release()
    throw isSystemError(error) ? new OpenError(`${path} cannot be opened: ${error.message}`, { cause: error }) : error
  }
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

type Context = { nowMs: number; random: Random }

/** Creates a database under another name and renames it, so that a crash leaves none rather than an empty one. */
async function create(file: string, context: Context, held: Lock | undefined): Promise<void> {
  const lock = held ?? lockUnlessMade(file)
  if (!lock) return
  try {
    // Another process may have made it before this one had the lock.
    if (existsSync(file)) return
    refuseLeftovers(file)
    const unfinished = `${file}.new`
    for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true })
    // For the owner alone; what SQLite puts beside a file is as readable as the file.
    writeFileSync(unfinished, '', { mode: 0o600 })
    SqliteDriver.createEmpty(unfinished)
    const driver = new SqliteDriver(unfinished)
    try {
      await migrate(driver, migrations, context)
    } finally {
      await driver.close()
    }
    renameSync(unfinished, file)
  } finally {
    if (!held) lock.release()
  }
}

/** Throws if a missing database left a log or journal, which SQLite would apply to the new one. */
function refuseLeftovers(file: string): void {
  const left = ['-wal', '-journal']
    .map((suffix) => file + suffix)
    .find((beside) => statSync(beside, { throwIfNoEntry: false })?.size)
  if (left) throw new OpenError(`${file} is missing, but not ${left}: restore both, or remove it to begin anew`)
}

function openExisting(file: string, onCommit: OpenOptions['onCommit']): SqliteDriver {
  if (statSync(file).size === 0) {
    throw new OpenError(`${file} is empty: restore it from a backup, or remove it to begin anew`)
  }
  return new SqliteDriver(file, onCommit)
}

async function bringUp(driver: SqliteDriver, file: string, context: Context, held: Lock | undefined) {
  const level = await refuseNewer(driver, migrations)
  if (level === 0) throw new OpenError(`${file} is no Saldo database`)
  if (level === latestLevel(migrations)) return { from: level, to: level }
  const lock = held ?? lockFor(file)
  try {
    return await migrate(driver, migrations, context)
  } finally {
    if (!held) lock.release()
  }
}

/** The lock for making a file; `undefined` where another process has it and made the file meanwhile. */
function lockUnlessMade(file: string): Lock | undefined {
  try {
    return lockFor(file)
  } catch (error) {
    if (existsSync(file)) return undefined
    throw error
  }
}

function lockFor(file: string): Lock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const lock = holdLock(`${file}.lock`)
  if (!lock) throw new OpenError(`${file} is in use by another running service`)
  return lock
}
