import Database from 'better-sqlite3'
import type { Connection } from './connection.ts'
import { openError } from './errors.ts'

/** How long a lock is waited for that another process may be about to give back, in milliseconds. */
const LOCK_TIMEOUT_MS = 1_000

/** A lock between processes. The operating system gives it back when its process ends, however it ends. */
export interface Lock {
  release(): void
}

/** Takes the lock of a file made for that purpose; `undefined` where another process holds it. */
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
