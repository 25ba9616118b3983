import type { UserNumber } from '@saldo/core'
import { openPostgres } from './postgres/open.ts'
import { sqlRecordStore } from './records/sql-store.ts'
import { StoredServiceState } from './service-state.ts'
import type { OpenedDatabase, OpenOptions } from './sql.ts'
import { openSqlite } from './sqlite/open.ts'
import type { RecordStore } from './store.ts'
import { checkingAccess } from './users/acting.ts'
import { UserStore } from './users/users.ts'

/** Length of a log row's tag: enough that two histories never share one by chance. */
const TAG_BYTES = 8

/** An open database as the service sees it. */
export interface Stores extends OpenedDatabase {
  records: RecordStore
  users: UserStore
  state: StoredServiceState
}

/** Where a database is: a SQLite file, or the URL of a PostgreSQL database, with the most connections to it. */
export type DatabaseLocation = { file: string } | { url: string; connections?: number }

export type OpenStoresOptions = DatabaseLocation & OpenOptions

/** Opens the database with its stores. Throws `OpenError`; see `openSqlite` and `openPostgres`. */
export async function openStores(options: OpenStoresOptions): Promise<Stores> {
  const { clock, random } = options
  const database = await ('url' in options ? openPostgres(options) : openSqlite(options))
  const records = sqlRecordStore(
    database.driver,
    () => random.token(TAG_BYTES),
    () => clock.now(),
  )
  const driver = checkingAccess(database.driver)
  const users = new UserStore(driver, () => userNumber(random.uuid()))
  const state = new StoredServiceState(database.driver)
  try {
    await state.requireNotMoved(database.name)
  } catch (error) {
    await database.close()
    throw error
  }
  return { ...database, driver, records, users, state }
}

/** A number below 2^48 from the bits of a random UUID that are all chance. */
function userNumber(uuid: string): UserNumber {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16) as UserNumber
}
