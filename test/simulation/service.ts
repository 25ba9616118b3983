import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EpochMs } from '@saldo/core'
import {
  type Config,
  createAuth,
  type DatabasePlace,
  databaseFile,
  type Log,
  openStores,
  readConfig,
  type Service,
  startService,
} from '@saldo/server'
import { type Chance, chanceOf } from './chance.ts'
import type { Answer, Message } from './network.ts'

const silent: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** Where the files of the runs lie: in memory where there is such a place, since nothing here waits for a real disk. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export function makeFolder(name: string): string {
  return mkdtempSync(join(FOLDER, `saldo-${name}-`))
}

/** A user of the service, with what tells their browser's requests. */
export interface User {
  id: number
  token: string
}

export const START_MS = Date.parse('2026-11-21T08:00:00.000Z')

/** The database of a run, with two users. While the service is stopped, it can be set back to what it was. */
export interface Database {
  readonly users: readonly User[]
  /** Where the service finds it. */
  readonly config: Partial<Config>
  readonly hasBackup: boolean
  backUp(): Promise<void>
  restore(): Promise<void>
}

/** Makes the database of a run, whose files, where it has some, lie in a folder. */
export type MakeDatabase = (folder: string) => Promise<Database>

/** Makes the two users of every run in a new database. */
export async function addUsers(place: DatabasePlace): Promise<User[]> {
  const [clock, random] = [{ now: () => START_MS }, chanceOf(0)]
  const stores = await openStores({ ...place, clock, random, as: 'service' })
  const auth = createAuth({ ...stores, clock, random, secret: random.token(32), publicUrl: undefined })
  const users: User[] = []
  for (const name of ['ada', 'ben']) {
    const at = new Date(START_MS).toISOString()
    const added = await stores.users.add({ email: `${name}@example.com`, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    users.push({ id: added.user, token: (await auth.createToken(added.user, 'simulation')).secret })
  }
  await stores.close()
  return users
}

/** A folder with a database, made once for all runs. */
let template: Promise<{ file: string; users: User[] }> | undefined

async function makeTemplate(): Promise<{ file: string; users: User[] }> {
  const folder = makeFolder('template')
  const file = databaseFile({ dataDir: folder })
  const users = await addUsers({ file })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { file, users }
}

export const fileDatabase: MakeDatabase = async (dataDir) => {
  template ??= makeTemplate()
  const { file: from, users } = await template
  const file = databaseFile({ dataDir })
  const backup = `${file}.backup`
  copyFileSync(from, file)
  return {
    users,
    config: { dataDir },
    get hasBackup() {
      return existsSync(backup)
    },
    backUp: async () => copyFileSync(file, backup),
    restore: async () => copyFileSync(backup, file),
  }
}

/** The real service on a real socket; it can be stopped, and its database be set back to what it was. */
export class SimulatedService {
  readonly database: Database
  readonly #clock: { now(): EpochMs }
  readonly #random: Chance
  #running: Service | undefined

  private constructor(database: Database, clock: { now(): EpochMs }, random: Chance) {
    this.database = database
    this.#clock = clock
    this.#random = random
  }

  static async start(database: Database, clock: { now(): EpochMs }, random: Chance): Promise<SimulatedService> {
    const service = new SimulatedService(database, clock, random)
    await service.start()
    return service
  }

  async start(): Promise<void> {
    const config = { ...readConfig({}), port: 0, ...this.database.config, writesPerMinute: 1_000_000 }
    this.#running = await startService({ config, clock: this.#clock, random: this.#random, log: silent, build: 'test' })
  }

  async stop(): Promise<void> {
    await this.#running?.close()
    this.#running = undefined
  }

  async ask({ method, path, headers, body }: Pick<Message, 'method' | 'path' | 'headers' | 'body'>): Promise<Answer> {
    const url = new URL(path, (this.#running as Service).url)
    const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  async runDueJobs(): Promise<void> {
    await this.#running?.runDueJobs()
  }
}
