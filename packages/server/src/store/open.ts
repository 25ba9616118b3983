import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock, Random } from '@saldo/core'
import { latestLevel, migrate, refuseNewer } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { OpenError, type SqlDriver } from './sql.ts'
import { holdLock, type Lock, SqliteDriver } from './sqlite.ts'

export interface OpenOptions {
  /** Path of the SQLite file. */
  file: string
  clock: Clock
  random: Random
  /** The service holds the file for itself; a command works beside it. */
  as: 'service' | 'command'
}

export interface OpenedDatabase {
  driver: SqlDriver
  /** The level before and after opening; equal where nothing had to be migrated. */
  migrated: { from: number; to: number }
  /** Ends the connection and gives up the lock. */
  close(): Promise<void>
}

/**
 * Opens the database, makes it where there is none, and migrates it to the current level. Only one service at a time
 * has a file, and nobody migrates it meanwhile. Throws `OpenError` with one clear line.
 */
export async function openDatabase({ file, clock, random, as }: OpenOptions): Promise<OpenedDatabase> {
  const lock = as === 'service' ? lockFor(file) : undefined
  try {
    if (!existsSync(file)) await create(file, { nowMs: clock.now(), random }, lock)
    const driver = openExisting(file)
    try {
      const migrated = await bringUp(driver, file, { nowMs: clock.now(), random }, lock)
      return {
        driver,
        migrated,
        async close() {
          await driver.close()
          lock?.release()
        },
      }
    } catch (error) {
      await driver.close()
      throw error
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}

type Context = { nowMs: number; random: Random }

/** Makes a new database beside its place and moves it there whole, so that a crash leaves none rather than an empty one. */
async function create(file: string, context: Context, held: Lock | undefined): Promise<void> {
  const lock = held ?? lockFor(file)
  try {
    const unfinished = `${file}.new`
    for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true })
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

function openExisting(file: string): SqliteDriver {
  if (statSync(file).size === 0) {
    throw new OpenError(`${file} is empty: restore it from a backup, or remove it to begin anew`)
  }
  return new SqliteDriver(file)
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

function lockFor(file: string): Lock {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const lock = holdLock(`${file}.lock`)
  if (!lock) throw new OpenError(`${file} is in use by another running service`)
  return lock
}
