// A process of its own that has a journal open. It writes transactions and tells of each that was acknowledged, until
// it is killed, or until so many are written; then it holds the journal until it is killed.
import { writeSync } from 'node:fs'
import { journalStore } from '../../src/store/node/journal-store.ts'
import { held, owner, pending } from '../rows.ts'

const [file = '', count = '0'] = process.argv.slice(2)
const store = journalStore(file)(owner)
const hold = setInterval(() => {}, 2 ** 30)
writeSync(1, 'open\n')
for (let number = 1; number <= Number(count); number += 1) {
  await store.run(async (tables) => {
    await tables.held.put([held(number, { note: 'x'.repeat(number % 5_000) })])
    await tables.outbox.put([pending(number)])
    await tables.setMeta({ ...(await tables.meta()), seq: number })
  })
  writeSync(1, `${number}\n`)
}
hold.ref()
