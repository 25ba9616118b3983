import { existsSync } from 'node:fs'
import {
  type Auth,
  createAuth,
  databaseFile,
  openStores,
  readConfig,
  type Stores,
  systemClock,
  systemRandom,
} from '@saldo/server'
import { CommandError } from './command-error.ts'

/** Where the database is; for commands that make none, the folder is wrong where there is none. */
export function existingDatabase(): string {
  const file = databaseFile(readConfig())
  if (!existsSync(file)) throw new CommandError(`there is no database at ${file}: is SALDO_DATA_DIR right?`)
  return file
}

/**
 * Opens the database beside a service that may be running, for as long as `work` takes. Where there is none, only a
 * command that may `create` makes one.
 */
export async function withDatabase<T>(
  work: (stores: Stores, auth: Auth) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const config = readConfig()
  const file = create ? databaseFile(config) : existingDatabase()
  const context = { clock: systemClock, random: systemRandom }
  const stores = await openStores({ file, as: 'command', ...context })
  try {
    const { driver, users } = stores
    // Commands sign no cookies, so any secret does.
    const secret = systemRandom.token(32)
    return await work(stores, createAuth({ driver, users, secret, publicUrl: config.publicUrl, ...context }))
  } finally {
    await stores.close()
  }
}
