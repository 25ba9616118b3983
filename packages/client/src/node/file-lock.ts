import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store/errors.ts'

/** SQLITE_BUSY. */
const BUSY = 5

/**
 * A lock on a name, of this process. The system lets go of it when the process ends, however it ends. Node can lock a
 * file only through SQLite: an empty database with an exclusive transaction that never writes. The file stays behind,
 * since one that is removed could be locked twice. Throws a `StoreError` `inUse`.
 */
export function lockFile(file: string): { unlock(): void } {
  const database = new DatabaseSync(file)
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === BUSY) throw new StoreError('inUse', { cause: error })
    throw error
  }
  return { unlock: () => database.close() }
}
