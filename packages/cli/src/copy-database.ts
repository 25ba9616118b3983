import { existsSync } from 'node:fs'
import {
  copyDatabase,
  type DatabaseLocation,
  isPostgresUrl,
  openStores,
  type Stores,
  systemClock,
  systemRandom,
} from '@saldo/server'
import { CommandError } from './command-error.ts'
import { print } from './output.ts'

const stepsToPostgres = [
  'Next, in the settings of the service, of its backups and of your shell (such as /etc/saldo.env):',
  '  set SALDO_DATABASE_URL to the new database,',
  '  set SALDO_AUTH_SECRET to the content of the file auth-secret beside the old one,',
  '  back up with pg_dump in place of «saldo admin backup» (docs/operations.md),',
  'then start the service.',
]
const stepsToFile = [
  'Next: set SALDO_DATA_DIR to the folder of the new file, remove SALDO_DATABASE_URL, put SALDO_AUTH_SECRET into a file',
  '  auth-secret beside the new one, and start the service. «saldo admin backup» backs it up from now on.',
]

/**
 * Copies a database to an empty one, and marks a file as moved. Each is a SQLite file or the URL of a PostgreSQL
 * database.
 */
export async function copyDatabaseFromTo(from: string, to: string): Promise<void> {
  const locations = { source: locationOf(from, '--from'), target: locationOf(to, '--to') }
  if ('file' in locations.source && !existsSync(locations.source.file))
    throw new CommandError(`there is no database at ${from}`)
  await withStores(locations.source, (source) =>
    withStores(locations.target, async (target) => {
      if (source.name === target.name) throw new CommandError('--from and --to are the same database', 2)
      const counts = await copyDatabase(source.driver, target.driver)
      print(`Copied ${counts.get('users')} users with ${counts.get('records')} records.`)
      if ('file' in locations.source) {
        await source.state.markAsMoved('url' in locations.target ? 'PostgreSQL' : target.name, systemClock.now())
        print(`${source.name} is marked as moved: neither the service nor commands nor backups use it any more.`)
      }
      for (const line of 'url' in locations.target ? stepsToPostgres : stepsToFile) print(line)
    }),
  )
}

/** Opens a database for `work`. Like a service, it has a file to itself. Throws if services run on PostgreSQL. */
async function withStores(location: DatabaseLocation, work: (stores: Stores) => Promise<void>): Promise<void> {
  const stores = await openStores({ ...location, clock: systemClock, random: systemRandom, as: 'service' })
  try {
    if (await stores.announcements?.hasListeners()) {
      throw new CommandError(`${stores.name} is in use by a running service: stop it first`)
    }
    await work(stores)
  } finally {
    await stores.close()
  }
}

function locationOf(text: string, option: string): DatabaseLocation {
  if (isPostgresUrl(text)) {
    if (/\/\/[^@/?#:]*:[^/?#]*@|[?&]password=/.test(text)) {
      throw new CommandError(
        `${option} must have no password, because all users of this computer can see it: set PGPASSWORD, or PGPASSFILE`,
        2,
      )
    }
    return { url: text }
  }
  // A mistyped URL must not become a file whose name contains the password.
  if (/:\/\/|^$/.test(text)) {
    throw new CommandError(`${option} must be a file or a URL such as postgresql://saldo@localhost/saldo`, 2)
  }
  return { file: text }
}
