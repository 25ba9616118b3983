import type { JsonObject, UserNumber } from '@saldo/core'
import { Dexie, type Table } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'

/** A browser's IndexedDB, in memory. */
export function fakeBrowser() {
  return { indexedDB: new IDBFactory(), IDBKeyRange }
}

/** Versions 1 to 3 of the local database, as the programs of that time declared them. They stay as they are. */
const schemas = [
  {
    entries: 'id',
    closed_days: 'id',
    closed_weeks: 'id',
    settings_history: 'id',
    outbox: '++seq',
    meta: 'key',
  },
  { balance_adjustments: 'id' },
  {},
] as const

/** A change as it was queued then. */
export interface OldChange {
  kind: 'entries' | 'settings_history' | 'balance_adjustments'
  op: 'upsert' | 'delete'
  id: string | number
  updated_at: string
  record?: JsonObject
}

/** The work of such a program: it stored a pull, and changed and queued records without a network. */
export class OldProgram {
  readonly #database: Dexie

  private constructor(database: Dexie) {
    this.#database = database
  }

  static async open(version: 1 | 2 | 3, user: UserNumber, indexedDB: IDBFactory): Promise<OldProgram> {
    const database = new Dexie(`saldo-${user}`, { indexedDB, IDBKeyRange, autoOpen: false })
    for (const [index, schema] of schemas.slice(0, version).entries()) database.version(index + 1).stores(schema)
    await database.open()
    return new OldProgram(database)
  }

  async pulled(lastVersion: number, records: Record<string, JsonObject[]>): Promise<void> {
    const database = this.#database
    await database.transaction('rw', database.tables, async () => {
      for (const [kind, rows] of Object.entries(records)) await database.table(kind).bulkPut(rows)
      await database.table('meta').put({ key: 'last_version', value: lastVersion })
    })
  }

  async changedOffline(change: OldChange): Promise<void> {
    const database = this.#database
    const records: Table = database.table(change.kind)
    await database.transaction('rw', database.tables, async () => {
      if (change.op === 'delete') await records.delete(change.id)
      else await records.put(change.record)
      await database.table('outbox').add(change)
    })
  }

  /** Returns the content of the database. */
  close(): void {
    this.#database.close()
  }
}
