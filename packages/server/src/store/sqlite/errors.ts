import Database from 'better-sqlite3'
import { OpenError, UnavailableError } from '../sql.ts'
import { UnknownUserError } from '../store.ts'

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

export function damaged(file: string, cause: unknown): OpenError {
  return new OpenError(`${file} is damaged or no SQLite database; restore it from a backup`, { cause })
}
