import type { JsonObject, RecordId } from '@saldo/core'
import type { Dexie } from 'dexie'
import { newMeta } from '../rows.ts'
import type { Owner } from '../store.ts'
import { type OldOutboxRow, oldRecordTables, toBaseRecords, toOutboxRows, withSettingsUuids } from './old-versions.ts'
import { schema, tablesOf } from './tables.ts'

/**
 * Defines the versions of the local database (R6.3): version 2 adds balance adjustments, version 3 changes settings
 * ids to UUIDs, version 4 stores base records and unsent changes in tables of their own.
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
      const outbox = toOutboxRows(await transaction.table<OldOutboxRow & { id: RecordId }>('outbox').toArray())
      await tables.outbox.put(outbox)
      for (const kind of oldRecordTables) {
        await tables.baseRecords.put(toBaseRecords(kind, await transaction.table<JsonObject>(kind).toArray(), outbox))
      }
      await transaction.table('meta').clear()
      await tables.setMeta({ ...newMeta(random), seq: outbox.reduce((last, { seq }) => Math.max(last, seq), 0) })
    })
  database.on('populate', (transaction) => tablesOf(transaction).setMeta(newMeta(random)))
}
