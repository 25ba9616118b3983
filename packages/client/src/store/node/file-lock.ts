import { rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'

/** SQLITE_BUSY. */
const BUSY = 5

export interface FileLock {
  /** Deletes its file; only its owner may. */
  remove(): void
  unlock(): void
}

/**
 * A lock on a name, of this process. The system lets go of it when the process ends, however it ends. Node can lock a
 * file only through SQLite: an empty database with an exclusive transaction that never writes. Throws a `StoreError`
 * `inUse`.
 */
export function lockFile(file: string): FileLock {
  for (let path = file; ; ) {
    const there = identityOf(path)
    const database = locked(file)
    // SQLite follows links that are nobody else's to follow.
    path = database.location() ?? file
    // A file that its owner removed while it was being opened locks nothing: another process can have made a new one.
    if (there !== undefined && there === identityOf(path)) {
      return { remove: () => rmSync(path), unlock: () => database.close() }
    }
    database.close()
  }
}

/** Tells the file that has a name from those that had it before: a new one can have the number of an old one. */
function identityOf(file: string): string | undefined {
  const there = statSync(file, { bigint: true, throwIfNoEntry: false })
  return there && `${there.dev} ${there.ino} ${there.birthtimeNs}`
}

/** Makes the file where there is none. */
function locked(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    // Otherwise SQLite makes a file beside it, though nothing is ever written.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === BUSY) throw new StoreError('inUse', { cause: error })
    throw error
  }
  return database
}
