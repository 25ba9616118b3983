import { type OpenedDatabase, type OpenOptions, openDatabase } from './open.ts'
import { sqlRecordStore } from './sql-store.ts'
import type { RecordStore, UserId } from './store.ts'
import { UserStore } from './users.ts'

/** Length of a log row's tag: enough that two histories never share one by chance. */
const TAG_BYTES = 8

/** An open database as the service sees it. */
export interface Stores extends OpenedDatabase {
  records: RecordStore
  users: UserStore
}

/** Opens the database with its stores; see `openDatabase`. */
export async function openStores(options: OpenOptions): Promise<Stores> {
  const { clock, random } = options
  const database = await openDatabase(options)
  const records = sqlRecordStore(
    database.driver,
    () => random.token(TAG_BYTES),
    () => clock.now(),
  )
  return { ...database, records, users: new UserStore(database.driver, () => userNumber(random.uuid())) }
}

/** A number below 2^48 from the bits of a random UUID that are all chance. */
function userNumber(uuid: string): UserId {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
}
