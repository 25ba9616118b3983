import Database from 'better-sqlite3'
import { databaseFile } from '../../src/service.ts'
import type { TestService } from '../harness.ts'

/**
 * A connection to the service's file, beside its own. Of the same library: a second copy of SQLite in one process would
 * take the locks of the first with it when it closes the file.
 */
export function watchFile(service: Pick<TestService, 'dataDir'>): Database.Database {
  return new Database(databaseFile(service), { fileMustExist: true, readonly: true })
}
