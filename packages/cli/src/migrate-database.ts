import { existsSync } from 'node:fs'
import {
  copyDatabase,
  type DatabasePlace,
  isPostgresUrl,
  openStores,
  type Stores,
  systemClock,
  systemRandom,
} from '@saldo/server'
import { CommandError } from './command-error.ts'
import { print } from './output.ts'

/** Copies a database to an empty one. Each is a SQLite file or the URL of a PostgreSQL database. */
export async function migrateDatabase(from: string, to: string): Promise<void> {
  const [source, target] = [placeOf(from, '--from'), placeOf(to, '--to')]
  if ('file' in source && !existsSync(source.file)) throw new CommandError(`there is no database at ${from}`)
  await withStores(source, (source) =>
    withStores(target, async (target) => {
      if (source.name === target.name) throw new CommandError('--from and --to are the same database', 2)
      const counts = await copyDatabase(source.driver, target.driver)
      print(`Copied ${counts.get('users')} users with ${counts.get('records')} records.`)
    }),
  )
}

/** Opens a database for `work`. Like a service, it has a file to itself. Throws if services run on PostgreSQL. */
async function withStores(place: DatabasePlace, work: (stores: Stores) => Promise<void>): Promise<void> {
  const stores = await openStores({ ...place, clock: systemClock, random: systemRandom, as: 'service' })
  try {
    if (await stores.announcements?.hasListeners()) {
      throw new CommandError(`${stores.name} is in use by a running service: stop it first`)
    }
    await work(stores)
  } finally {
    await stores.close()
  }
}

function placeOf(text: string, option: string): DatabasePlace {
  if (isPostgresUrl(text)) return { url: text }
  // A mistyped URL must not become a file whose name contains the password.
  if (/:\/\/|^$/.test(text)) {
    throw new CommandError(`${option} must be a file or a URL such as postgresql://saldo@localhost/saldo`, 2)
  }
  return { file: text }
}
