// A process of its own that has a store open. It writes transactions and tells of each that was acknowledged, until
// it is killed, or until so many are written; then it holds the store until it is killed.
import { writeSync } from 'node:fs'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import { baseRecord, outboxRow, owner } from '../rows.ts'

const [file = '', count = '0'] = process.argv.slice(2)
const store = sqliteStore(file)(owner)
const hold = setInterval(() => {}, 2 ** 30)
writeSync(1, 'open\n')
for (let number = 1; number <= Number(count); number += 1) {
  await store.write(async (tables) => {
    await tables.baseRecords.put([baseRecord(number, { note: 'x'.repeat(number % 5_000) })])
    await tables.outbox.put([outboxRow(number)])
    await tables.setMeta({ ...(await tables.meta()), seq: number })
  })
  writeSync(1, `${number}\n`)
}
hold.ref()
