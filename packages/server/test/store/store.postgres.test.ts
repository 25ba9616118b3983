import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { ManualClock } from '../manual-clock.ts'
import { newPostgres } from '../postgres/database.ts'
import { describeStoreContract } from './contract.ts'

describeStoreContract('PostgreSQL', async () => {
  const clock = new ManualClock('2026-02-02T12:00:00.000Z')
  const stores = await openStores({ url: await newPostgres(), clock, random: systemRandom, as: 'service' })
  return { ...stores, clock }
})
