import { distributeDatabase, openStores, readConfig, systemClock, systemRandom } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { print } from './output.ts'

/** Migrates the PostgreSQL database, and distributes it over the workers that Citus knows. */
export async function distribute(shards: number): Promise<void> {
  const { databaseUrl } = readConfig()
  if (databaseUrl === undefined) {
    throw new CommandError('only a PostgreSQL database can be distributed: set SALDO_DATABASE_URL')
  }
  const stores = await openStores({ url: databaseUrl, clock: systemClock, random: systemRandom, as: 'service' })
  try {
    if (await stores.announcements?.hasListeners()) {
      throw new CommandError(`${stores.name} is in use by a running service: stop it first`)
    }
  } finally {
    await stores.close()
  }
  const { changed, ...found } = await distributeDatabase(databaseUrl, shards)
  const place = `${found.shards} shards on ${found.workers} ${found.workers === 1 ? 'worker' : 'workers'}`
  print(changed.length === 0 ? `${stores.name} is distributed already: ${place}.` : `${stores.name}: ${place}.`)
  if (changed.length > 0) print(`Changed: ${changed.join(', ')}.`)
}
