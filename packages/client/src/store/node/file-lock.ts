import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fieldOf } from '@saldo/core'

/** The one holder of a file's name. */
export interface FileLock {
  /** Ends the lock. It leaves no file. */
  release(): void
}

/**
 * Locks a file's name by an empty SQLite file beside it, until the lock is released or the process ends. Throws the
 * error of SQLite, SQLITE_BUSY if the name is locked.
 *
 * The store's own file cannot be the lock, because its holder may erase it: a process that opened it before would lock
 * a file without a name, and then use the log of the next file of that name.
 */
export function lockFile(file: string): FileLock {
  const path = `${file}-lock`
  for (;;) {
    createFile(path)
    const created = identityOf(path)
    const database = new DatabaseSync(path)
    try {
      // Nothing is ever written, so no file beside this one comes into being.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      throw error
    }
    // Otherwise an earlier holder deleted the file meanwhile.
    if (created !== undefined && created === identityOf(path)) return { release: () => release(path, database) }
    database.close()
  }
}

/** Deletes the file first: a process that locks it afterwards notices that it has no name. */
function release(path: string, database: DatabaseSync): void {
  try {
    rmSync(path, { force: true })
  } finally {
    database.close()
  }
}

/**
 * Creates a file that only its owner can read; leaves one that exists as it is. It is not opened: closing it would end
 * the locks that this process has on it.
 */
export function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (fieldOf(error, 'code') !== 'EEXIST') throw error
  }
}

/** Returns a text that tells a file from those that had its name before. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino} ${found.birthtimeNs}`
}
