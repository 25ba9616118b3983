import { existsSync } from 'node:fs'
import { copyDatabase, openStores, type Stores, systemClock, systemRandom } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { print } from './output.ts'

/**
 * Copies a database to an empty one, or goes on with a copy that was ended; each is a SQLite file or the URL of a PostgreSQL
 * database.
 */
export async function migrateDatabase(from: string, to: string): Promise<void> {
  if (!isUrl(from) && !existsSync(from)) throw new CommandError(`there is no database at ${from}`)
  await withStores(from, 'service', (source) =>
    withStores(to, 'copy', async (target) => {
      const counts = await copyDatabase(source.driver, target.driver, source.name)
      print(`Copied ${counts.get('users')} users with ${counts.get('records')} records.`)
    }),
  )
}

/** No service may have either file meanwhile. */
async function withStores(
  place: string,
  as: 'service' | 'copy',
  work: (stores: Stores) => Promise<void>,
): Promise<void> {
  const options = { clock: systemClock, random: systemRandom, as }
  const stores = await openStores(isUrl(place) ? { url: place, ...options } : { file: place, ...options })
  try {
    await work(stores)
  } finally {
    await stores.close()
  }
}

function isUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place)
}
