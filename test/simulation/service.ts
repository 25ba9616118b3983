import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EpochMs } from '@saldo/core'
import { createAuth, databaseFile, type Log, openStores, readConfig, type Service, startService } from '@saldo/server'
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

/** A folder with a database that has two users, made once for all runs. */
let template: Promise<{ folder: string; users: User[] }> | undefined

async function makeTemplate(): Promise<{ folder: string; users: User[] }> {
  const folder = makeFolder('template')
  const [clock, random] = [{ now: () => START_MS }, chanceOf(0)]
  const stores = await openStores({ file: databaseFile({ dataDir: folder }), clock, random, as: 'service' })
  const auth = createAuth({ ...stores, clock, random, secret: random.token(32), publicUrl: undefined })
  const users: User[] = []
  for (const name of ['ada', 'ben']) {
    const at = new Date(START_MS).toISOString()
    const added = await stores.users.add({ email: `${name}@example.com`, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    users.push({ id: added.user, token: (await auth.createToken(added.user, 'simulation')).secret })
  }
  await stores.close()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { folder, users }
}

/** The real service on a real socket; it can be stopped, and its database be set back to what it was. */
export class SimulatedService {
  readonly users: readonly User[]
  readonly #dataDir: string
  readonly #database: string
  readonly #clock: { now(): EpochMs }
  readonly #random: Chance
  #running: Service | undefined

  private constructor(dataDir: string, users: readonly User[], clock: { now(): EpochMs }, random: Chance) {
    this.#dataDir = dataDir
    this.#database = databaseFile({ dataDir })
    this.users = users
    this.#clock = clock
    this.#random = random
  }

  static async start(dataDir: string, clock: { now(): EpochMs }, random: Chance): Promise<SimulatedService> {
    template ??= makeTemplate()
    const { folder, users } = await template
    const service = new SimulatedService(dataDir, users, clock, random)
    copyFileSync(databaseFile({ dataDir: folder }), service.#database)
    await service.start()
    return service
  }

  async start(): Promise<void> {
    const config = { ...readConfig({}), port: 0, dataDir: this.#dataDir, writesPerMinute: 1_000_000 }
    this.#running = await startService({ config, clock: this.#clock, random: this.#random, log: silent, build: 'test' })
  }

  async stop(): Promise<void> {
    await this.#running?.close()
    this.#running = undefined
  }

  /** Keeps a copy of the database of a service that is stopped. */
  backUp(): void {
    copyFileSync(this.#database, this.#backup)
  }

  get hasBackup(): boolean {
    return existsSync(this.#backup)
  }

  restore(): void {
    copyFileSync(this.#backup, this.#database)
  }

  get #backup(): string {
    return `${this.#database}.backup`
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
