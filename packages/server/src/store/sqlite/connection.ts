import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { OpenError, UnavailableError } from '../sql.ts'
import { UnknownUserError } from '../store.ts'

/** A statement waits this long for another process that writes. */
const BUSY_TIMEOUT_MS = 5_000
/** Files up to this size are checked whole when they are opened. It takes 1 to 2 ms per MiB. */
const CHECKED_BYTES = 128 * 1024 * 1024

export type Connection = Database.Database

/** Opens a file that exists. Throws `OpenError` where that cannot be done. */
export function connect(file: string): Connection {
  try {
    const connection = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
    connection.pragma('foreign_keys = ON')
    // The first statement that reads the file: here it shows whether it is a database at all.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get()
    return connection
  } catch (error) {
    if (!existsSync(file)) throw new OpenError(`there is no database at ${file}`, { cause: error })
    throw openError(file, error)
  }
}

/**
 * Throws unless the database can be used; changes nothing in it. It must have no tables yet or our log, which every
 * level has; be sound (its pages, and the types of its values; a text that was changed in place is not noticed), where
 * it is small enough to look at every page; and let itself be written.
 */
export function examine(connection: Connection, file: string): void {
  const tables = connection.prepare('SELECT name FROM sqlite_schema').pluck().all()
  if (tables.length > 0 && !tables.includes('sync_log')) throw new OpenError(`${file} is no Saldo database`)
  const pages = connection.pragma('page_count', { simple: true }) as number
  const pageBytes = connection.pragma('page_size', { simple: true }) as number
  if (pages * pageBytes <= CHECKED_BYTES) {
    const [finding] = connection.prepare('PRAGMA quick_check(1)').pluck().all()
    if (finding !== 'ok') throw damaged(file, finding)
  }
  // A file that is read-only lets a transaction begin, but nothing be changed.
  connection.exec('BEGIN IMMEDIATE; CREATE TABLE probe (id); ROLLBACK')
}

/** The SQLite errors after which the same work may succeed later. */
const passing = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|READONLY|PROTOCOL|NOMEM|CORRUPT|NOTADB)/
const full = /^SQLITE_(FULL|IOERR_SHMSIZE)/

/** Translates an error of a statement to one of the store. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  // All references lead to users.
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new UnknownUserError()
  if (full.test(error.code)) return new UnavailableError('storage_full', { cause: error })
  if (passing.test(error.code)) return new UnavailableError('unavailable', { cause: error })
  return error
}

/** Why a file cannot be opened, in one clear line. */
export function openError(file: string, cause: unknown): OpenError {
  const code = cause instanceof Database.SqliteError ? cause.code : ''
  if (full.test(code)) return new OpenError(`there is no space left to open ${file}`, { cause })
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return damaged(file, cause)
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) {
    return new OpenError(`${file} or its folder cannot be written; check owner and permissions`, { cause })
  }
  if (code.startsWith('SQLITE_BUSY')) return new OpenError(`${file} is locked by another process`, { cause })
  return new OpenError(`${file} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}

function damaged(file: string, cause: unknown): OpenError {
  return new OpenError(`${file} is damaged or no SQLite database; restore it from a backup`, { cause })
}
