import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { OpenError, UnavailableError } from '../../errors.ts'
import { UnknownUserError } from '../store.ts'

/** The most time that a statement waits for another process that writes, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000
/** The size up to which opening a file checks all its pages, which takes 1 to 2 ms per MiB. */
const CHECKED_BYTES = 128 * 1024 * 1024

/**
 * The pages that a connection keeps, in KiB. Another connection's commit makes all pages of a reader stale, and the
 * check of a file reads each once; the writer's pages stay valid.
 */
const CACHE_KIB = 2_000
export const WRITER_CACHE_KIB = 16_000

export type SqliteConnection = Database.Database

/** Opens an existing file. Throws `OpenError`. */
export function openConnection(file: string): SqliteConnection {
  try {
    const connection = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
    connection.pragma('foreign_keys = ON')
    connection.pragma(`cache_size = -${CACHE_KIB}`)
    // Fails if the file is not a database.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get()
    return connection
  } catch (error) {
    if (!existsSync(file)) throw new OpenError(`there is no database at ${file}`, { cause: error })
    throw openError(file, error)
  }
}

/** Throws `OpenError` unless a database is empty or Saldo's, writable and, up to `CHECKED_BYTES`, undamaged. */
export function examine(connection: SqliteConnection, file: string): void {
  const tables = connection.prepare('SELECT name FROM sqlite_schema').pluck().all()
  if (tables.length > 0 && !tables.includes('sync_log')) throw new OpenError(`${file} is not a Saldo database`)
  const pages = Number(connection.pragma('page_count', { simple: true }))
  const pageBytes = Number(connection.pragma('page_size', { simple: true }))
  if (pages * pageBytes <= CHECKED_BYTES) {
    const [finding] = connection.prepare('PRAGMA quick_check(1)').pluck().all()
    if (finding !== 'ok') throw damaged(file, finding)
  }
  // In a read-only file, a transaction begins, but a change fails.
  connection.exec('BEGIN IMMEDIATE; CREATE TABLE probe (id); ROLLBACK')
}

/** True if a statement failed because another connection writes. */
export function isBusyError(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** The SQLite errors after which the same work may succeed later. */
const passing = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|READONLY|PROTOCOL|NOMEM|CORRUPT|NOTADB)/
const full = /^(SQLITE_(FULL|IOERR_SHMSIZE)|ENOSPC|EDQUOT)/

export function translated(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  // All foreign keys name users.
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new UnknownUserError()
  if (full.test(error.code)) return new UnavailableError('storage_full', { cause: error })
  if (passing.test(error.code)) return new UnavailableError('unavailable', { cause: error })
  return error
}

/** Returns an error that says in one line why a file cannot be opened. */
export function openError(file: string, cause: unknown): OpenError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (full.test(code)) return new OpenError(`there is no space left to open ${file}`, { cause })
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return damaged(file, cause)
  }
  if (/^(SQLITE_READONLY|SQLITE_CANTOPEN|EACCES|EPERM|EROFS)/.test(code)) {
    return new OpenError(`${file} or its folder cannot be written; check owner and permissions`, { cause })
  }
  if (code.startsWith('SQLITE_BUSY')) return new OpenError(`${file} is locked by another process`, { cause })
  return new OpenError(`${file} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}

function damaged(file: string, cause: unknown): OpenError {
  return new OpenError(`${file} is damaged or not an SQLite database; restore it from a backup`, { cause })
}
