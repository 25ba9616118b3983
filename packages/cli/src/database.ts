import { existsSync } from 'node:fs'
import type { UserNumber } from '@saldo/core'
import {
  type Config,
  databaseFile,
  databaseOf,
  Mailer,
  notedForService,
  openStores,
  readConfig,
  type Stores,
  systemClock,
  systemRandom,
  type UserAccountAct,
  UserAccountActs,
  type UserParts,
  userParts,
} from '@saldo/server'
import { CommandError } from './command-error.ts'

/** Returns the path of the database file, which may not exist, for commands that work on files. */
export function ownFile(config: Config): string {
  if (config.databaseUrl !== undefined) {
    throw new CommandError('the database is on PostgreSQL, whose own tools copy it: pg_dump and pg_restore')
  }
  return databaseFile(config)
}

/** Throws `CommandError` if the database file does not exist. */
export function requireFile(file: string): string {
  if (!existsSync(file)) throw new CommandError(`there is no database at ${file}: is SALDO_DATA_DIR right?`)
  return file
}

/** Notes what the operator has done to the account of somebody. */
export type Done = (act: UserAccountAct, user: UserNumber) => Promise<void>

/** The context of a command: the stores, the parts that know users, and how its acts are noted. */
export interface CommandContext extends UserParts {
  stores: Stores
  mailer: Mailer
  done: Done
}

/** Opens the database for `work`, beside a service that may be running. Creates one only if `create` is set. */
export async function withDatabase<T>(
  work: (context: CommandContext) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const config = readConfig()
  const location = databaseOf(config)
  if (!create && 'file' in location) requireFile(location.file)
  const context = { clock: systemClock, random: systemRandom }
  const stores = await openStores({ ...location, as: 'command', ...context })
  try {
    const { driver, users } = stores
    const { publicUrl, providers, oidcOnly } = config
    // Commands sign no cookies, so any secret will do.
    const secret = systemRandom.token(32)
    const mailer = new Mailer(config, systemClock)
    const people = userParts({ driver, users, secret, publicUrl, providers, oidcOnly, mailer, ...context })
    const { userAccounts } = people
    const noted = notedForService(stores.state, systemRandom.uuid)
    const acts = new UserAccountActs(noted, userAccounts.tellChange.bind(userAccounts))
    const done: Done = (act, user) => acts.done(act, user, 'operator')
    const result = await work({ ...people, stores, mailer, done })
    await mailer.close()
    return result
  } finally {
    await stores.close()
  }
}
