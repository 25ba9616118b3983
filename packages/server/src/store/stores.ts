import type { OpenedDatabase, OpenOptions } from './database.ts'
import { sourceOfMove } from './moving.ts'
import { openPostgres } from './postgres/open.ts'
import { sqlRecordStore } from './records/sql-store.ts'
import { OpenError } from './sql.ts'
import { openSqlite } from './sqlite/open.ts'
import type { RecordStore, UserId } from './store.ts'
import { UserStore } from './users/users.ts'

/** Length of a log row's tag: enough that two histories never share one by chance. */
const TAG_BYTES = 8

/** An open database as the service sees it. */
export interface Stores extends OpenedDatabase {
  records: RecordStore
  users: UserStore
}

/** Where a database is: a SQLite file, or the URL of a PostgreSQL database. */
export type DatabasePlace = { file: string } | { url: string }

export type OpenStoresOptions = DatabasePlace & OpenOptions

/**
 * Opens the database with its stores; see `openSqlite` and `openPostgres`. Throws `OpenError` also for an unfinished copy,
 * but for who copies.
 */
export async function openStores(options: OpenStoresOptions): Promise<Stores> {
  const { clock, random } = options
  const database = await ('url' in options ? openPostgres(options) : openSqlite(options))
  if (options.as !== 'copy') await refuseUnfinished(database)
  const records = sqlRecordStore(
    database.driver,
    () => random.token(TAG_BYTES),
    () => clock.now(),
  )
  return { ...database, records, users: new UserStore(database.driver, () => userNumber(random.uuid())) }
}

async function refuseUnfinished({ driver, name, close }: OpenedDatabase): Promise<void> {
  const source = await sourceOfMove(driver)
  if (source === undefined) return
  await close()
  throw new OpenError(`${name} holds a part of ${source} only: let saldo migrate-database go on with it`)
}

/** A number below 2^48 from the bits of a random UUID that are all chance. */
function userNumber(uuid: string): UserId {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
}
