import type { JsonObject } from '@saldo/core'
import type { Dexie } from 'dexie'
import { newMeta, type Owner } from '../store.ts'
import { heldOf, type OldOutboxRow, oldRecordTables, pendingOf, withSettingsUuids } from './old-versions.ts'
import { schema, tablesOf } from './tables.ts'

/**
 * The versions of the local database (R6.3). The one of version 2 added balance adjustments, that of version 3 made
 * settings ids UUIDs, that of version 4 keeps what the service has apart from what is pending.
 */
export function defineVersions(database: Dexie, { user, random }: Owner): void {
  database.version(1).stores({
    entries: 'id',
    closed_days: 'id',
    closed_weeks: 'id',
    settings_history: 'id',
    outbox: '++seq',
    meta: 'key',
  })
  database.version(2).stores({ balance_adjustments: 'id' })
  database.version(3).upgrade(async (transaction) => {
    await transaction.table('settings_history').clear()
    await transaction.table('meta').delete('last_version')
    const outbox = transaction.table<OldOutboxRow>('outbox')
    await outbox.bulkPut(withSettingsUuids(await outbox.toArray(), user, () => random.uuid()))
  })
  database
    .version(4)
    .stores({ ...Object.fromEntries(oldRecordTables.map((name) => [name, null])), outbox: null, ...schema })
    .upgrade(async (transaction) => {
      const tables = tablesOf(transaction)
      const pending = pendingOf(await transaction.table<OldOutboxRow>('outbox').toArray())
      await tables.outbox.put(pending)
      for (const kind of oldRecordTables) {
        await tables.held.put(heldOf(kind, await transaction.table<JsonObject>(kind).toArray(), pending))
      }
      await transaction.table('meta').clear()
      await tables.setMeta({ ...newMeta(random), seq: pending.reduce((last, { seq }) => Math.max(last, seq), 0) })
    })
  database.on('populate', (transaction) => tablesOf(transaction).setMeta(newMeta(random)))
}
