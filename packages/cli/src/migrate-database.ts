import { existsSync } from 'node:fs'
import { copyDatabase, openStores, type Stores, systemClock, systemRandom } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { print } from './output.ts'

/** Copies a database to an empty one; each is a SQLite file or the URL of a PostgreSQL database. */
export async function migrateDatabase(from: string, to: string): Promise<void> {
  if (!isUrl(from) && !existsSync(from)) throw new CommandError(`there is no database at ${from}`)
  await withStores(from, (source) =>
    withStores(to, async (target) => {
      const counts = await copyDatabase(source.driver, target.driver)
      print(`Copied ${counts.get('users')} users with ${counts.get('records')} records.`)
    }),
  )
}

async function withStores(place: string, work: (stores: Stores) => Promise<void>): Promise<void> {
  // As a service: no other one may have the file meanwhile.
  const options = { clock: systemClock, random: systemRandom, as: 'service' } as const
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
