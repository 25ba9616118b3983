import {
  type Auth,
  createAuth,
  databaseFile,
  openStores,
  readConfig,
  readSecret,
  type Stores,
  systemClock,
  systemRandom,
} from '@saldo/server'

/** Opens the database beside a service that may be running, for as long as `work` takes. */
export async function withDatabase<T>(work: (stores: Stores, auth: Auth) => Promise<T>): Promise<T> {
  const config = readConfig()
  const context = { clock: systemClock, random: systemRandom }
  const stores = await openStores({ file: databaseFile(config), as: 'command', ...context })
  try {
    const secret = config.authSecret ?? readSecret(config.dataDir, systemRandom)
    const { driver, users } = stores
    return await work(stores, createAuth({ driver, users, secret, publicUrl: config.publicUrl, ...context }))
  } finally {
    await stores.close()
  }
}

/** Prints one line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
