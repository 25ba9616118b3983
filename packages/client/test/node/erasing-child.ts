// A process of its own that opens a store, writes and erases it, again and again, among others that do the same. It
// fails where another process has the store meanwhile.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { StoreError } from '../../src/store/errors.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { baseRecord, owner } from '../rows.ts'

const [file = '', count = '0'] = process.argv.slice(2)

function opened(): LocalStore {
  for (;;) {
    try {
      return sqliteStore(file)(owner)
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'inUse') throw error
    }
  }
}

for (let number = 1; number <= Number(count); number += 1) {
  const store = opened()
  closeSync(openSync(`${file}.mine`, 'wx'))
  await store.write((tables) => tables.baseRecords.put([baseRecord(number)]))
  rmSync(`${file}.mine`)
  await store.erase()
}
writeSync(1, 'done\n')
