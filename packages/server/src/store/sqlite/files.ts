import { chmodSync, closeSync, fsyncSync, lstatSync, openSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { EpochMs } from '@saldo/core'
import Database from 'better-sqlite3'
import { OpenError } from '../../errors.ts'
import { openError, type SqliteConnection } from './connection.ts'

/** Makes the content of a file durable. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes the names in the folder of a file durable, except on Windows, which cannot. */
export function syncFolderOf(file: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(resolve(file)), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The most time to wait for another process to release a lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 1_000

/** A lock between processes. The operating system releases it when its process ends. */
export interface Lock {
  release(): void
}

/** Returns a path with links resolved, because a file has one lock. Throws for a folder and a broken link. */
export function realFile(path: string): string {
  const file = resolve(path)
  if (!lstatSync(file, { throwIfNoEntry: false })) return file
  const real = realpathSync(file)
  if (!statSync(real).isFile()) throw new OpenError(`${file} is not a file`)
  return real
}

/**
 * Creates a lock file for its owner only, or takes an existing one from others: who can read a file can lock it, and
 * keep the service from starting.
 */
function keepFromOthers(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) writeFileSync(file, '', { mode: 0o600, flag: 'a' })
  else if ((found.mode & 0o077) !== 0 && found.uid === process.geteuid?.()) chmodSync(file, found.mode & 0o700)
}

/**
 * Takes the lock of a lock file, which is created for its owner only. Returns `undefined` if another process holds it.
 */
export function holdLock(file: string): Lock | undefined {
  let connection: SqliteConnection
  try {
    keepFromOthers(file)
    connection = new Database(file, { timeout: LOCK_TIMEOUT_MS })
  } catch (error) {
    throw openError(file, error)
  }
  try {
    // SQLite writes nothing to the disk, so that a lock can be held when it is full.
    connection.pragma('journal_mode = MEMORY')
    // In a read-only file, a transaction begins without a lock.
    connection.exec('BEGIN EXCLUSIVE; CREATE TABLE held (id)')
  } catch (error) {
    connection.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw openError(file, error)
  }
  return { release: () => connection.close() }
}

/** Returns the name under which a restore keeps a file that it replaces. */
export function keptName(file: string, nowMs: EpochMs): string {
  return `${file}.before-restore-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-')}`
}
