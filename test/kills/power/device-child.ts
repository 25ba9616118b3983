// An offline device: creates entries endlessly, and prints the id of each once it is stored.
import { writeSync } from 'node:fs'
import { openSaldo } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import type { UserNumber } from '@saldo/core'
import { chanceOf } from '../../simulation/chance.ts'
import { someWork } from '../records.ts'

const [file = '', user = '', seed = ''] = process.argv.slice(2)
const chance = chanceOf(Number(seed))
const saldo = await openSaldo({
  user: Number(user) as UserNumber,
  store: sqliteStore(file),
  transport: async () => ({ outcome: 'retryable', retryAfterMs: 3_600_000 }),
  listen: async () => 'missing',
})
for (;;) {
  // Long enough for a checkpoint of the write-ahead log now and then.
  const { id } = await saldo.entries.create(someWork(chance, 'x'.repeat(chance.below(4_000)))).settled
  writeSync(1, id)
}
