import { closeSync, fsyncSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { OpenError } from '../sql.ts'
import { type Connection, openError } from './connection.ts'

/** Makes what was written to a file durable. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes the names in a file's folder durable, where the system can. */
export function syncFolderOf(file: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(resolve(file)), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** A process waits this long for a lock that another one may be about to release. */
const LOCK_TIMEOUT_MS = 1_000

/** A lock between processes. The operating system releases it when its process ends. */
export interface Lock {
  release(): void
}

/**
 * Returns the real, absolute path of a file that exists or is to be created: a file has one lock, whatever links lead
 * to it. Throws for a folder, and for a broken link, whose disk is missing.
 */
export function realFile(path: string): string {
  const file = resolve(path)
  if (!lstatSync(file, { throwIfNoEntry: false })) return file
  const real = realpathSync(file)
  if (!statSync(real).isFile()) throw new OpenError(`${file} is no file`)
  return real
}

/** Takes the lock of a lock file; `undefined` if another process holds it. */
export function holdLock(file: string): Lock | undefined {
  let connection: Connection
  try {
    connection = new Database(file, { timeout: LOCK_TIMEOUT_MS })
  } catch (error) {
    throw openError(file, error)
  }
  try {
    // Nothing is ever written, so a full disk is no hindrance.
    connection.pragma('journal_mode = MEMORY')
    // A file that is read-only lets a transaction begin, but locks nothing.
    connection.exec('BEGIN EXCLUSIVE; CREATE TABLE held (id)')
  } catch (error) {
    connection.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw openError(file, error)
  }
  return { release: () => connection.close() }
}
