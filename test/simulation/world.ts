import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EpochMs } from '@saldo/core'
import { createAuth, databaseFile, type Log, openStores, readConfig, type Service, startService } from '@saldo/server'
import { type Chance, chanceOf } from './chance.ts'
import { Computer } from './computer.ts'
import { Ledger } from './ledger.ts'
import { type Answer, failure, type Message, Network } from './network.ts'

const silent: Log = { error() {}, warn() {}, info() {}, debug() {} }
const START_MS = Date.parse('2026-11-21T08:00:00.000Z')
/** After how long a device waits no longer for an answer, in milliseconds. */
const TIMEOUT_MS = 30_000

/** A tag that the service fails at. */
export const POISON = 'poison'
/** How many records a pull brings at most. */
const PAGE = 4

interface Timer {
  atMs: EpochMs
  work: () => void
}

/** A folder with a database that has one user, made once for all worlds, and that user's token. */
let template: Promise<{ folder: string; token: string }> | undefined

async function makeTemplate(): Promise<{ folder: string; token: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-template-'))
  const [clock, random] = [{ now: () => START_MS }, chanceOf(0)]
  const stores = await openStores({ file: databaseFile({ dataDir: folder }), clock, random, as: 'service' })
  const at = new Date(START_MS).toISOString()
  const added = await stores.users.add({ email: 'ada@example.com', passwordHash: 'none', at })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  const auth = createAuth({ ...stores, clock, random, secret: random.token(32), publicUrl: undefined })
  const { secret: token } = await auth.createToken(added.user, 'simulation')
  await stores.close()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { folder, token }
}

/** One service, some computers with a device each, one clock, one network. Nothing happens by itself. */
export class World {
  nowMs: EpochMs = START_MS
  readonly chance: Chance
  readonly network = new Network()
  readonly ledger = new Ledger()
  readonly computers: Computer[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-world-'))
  readonly #database = databaseFile({ dataDir: this.#folder })
  #service: Service | undefined
  #token = ''
  #timers: Timer[] = []

  private constructor(seed: number) {
    this.chance = chanceOf(seed)
  }

  static async create(seed: number, devices: number): Promise<World> {
    template ??= makeTemplate()
    const { folder, token } = await template
    const world = new World(seed)
    mkdirSync(world.#folder, { recursive: true })
    copyFileSync(databaseFile({ dataDir: folder }), world.#database)
    world.#token = token
    await world.startService()
    for (let index = 0; index < devices; index += 1) {
      world.computers.push(new Computer(world, `d${index}`, join(world.#folder, `d${index}.journal`), token))
    }
    return world
  }

  /** Calls `work` once, when the clock has gone on so far. */
  after(ms: number, work: () => void): () => void {
    const timer = { atMs: this.nowMs + ms, work }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  async pass(ms: number): Promise<void> {
    if (ms > TIMEOUT_MS) {
      this.network.giveUp(() => true)
      await quiet()
    }
    this.nowMs += ms
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs)
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.nowMs)
    for (const { work } of due) work()
    await quiet()
  }

  /** Has the service carry out a request that is on its way. */
  async carry(message: Message): Promise<void> {
    this.network.requests = this.network.requests.filter((one) => one !== message)
    const isPoison = message.body?.includes(`"${POISON}"`)
    const answer = isPoison ? failure(500) : await this.ask({ ...message, path: inSmallPages(message.path) })
    this.ledger.carried(message, answer)
    if (message.waiting) this.network.answers.push({ message, answer })
  }

  async answer(one: { message: Message; answer: Answer }): Promise<void> {
    this.network.answers = this.network.answers.filter((other) => other !== one)
    this.ledger.heard(one.message, one.answer)
    one.message.waiting?.resolve(one.answer)
    await quiet()
  }

  /** Carries out and answers what a device asks, until it asks no more. */
  async flow(from?: string, most = 100): Promise<void> {
    const isIts = (message: Message) => from === undefined || message.from === from
    for (let count = 0; count < most; count += 1) {
      const request = this.network.requests.find(isIts)
      if (request) await this.carry(request)
      const answer = this.network.answers.find(({ message }) => isIts(message))
      if (answer) await this.answer(answer)
      if (!request && !answer) return
    }
  }

  /** Asks the service, past the network. */
  async ask({ method, path, headers, body }: Pick<Message, 'method' | 'path' | 'headers' | 'body'>): Promise<Answer> {
    const url = new URL(path, (this.#service as Service).url)
    const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** A program without a copy of its own changes something over REST. */
  async program(method: string, path: string, content?: object): Promise<void> {
    const body = content && JSON.stringify(content)
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    await this.carry({ from: 'program', method, path, headers, body, waiting: undefined })
  }

  async snapshot(): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#token}` }
    return this.ask({ method: 'GET', path: '/api/sync/pull', headers, body: undefined })
  }

  async runDueJobs(): Promise<void> {
    await this.#service?.runDueJobs()
  }

  async startService(): Promise<void> {
    const config = { ...readConfig({}), port: 0, dataDir: this.#folder, writesPerMinute: 1_000_000 }
    const clock = { now: () => this.nowMs }
    this.#service = await startService({ config, clock, random: this.chance, log: silent, build: 'test' })
  }

  /** Stops the service, and with it every request under way; starts it again, maybe with another database. */
  async restartService(change: 'none' | 'backUp' | 'restore'): Promise<void> {
    await this.#service?.close()
    const backup = `${this.#database}.backup`
    if (change === 'backUp') {
      copyFileSync(this.#database, backup)
      this.ledger.backedUp()
    }
    if (change === 'restore' && existsSync(backup)) {
      copyFileSync(backup, this.#database)
      this.ledger.restored(await this.#everythingHeld())
    }
    await this.startService()
  }

  async #everythingHeld() {
    const held = []
    for (const computer of this.computers) held.push(...(await computer.held()))
    return held
  }

  async close(): Promise<void> {
    for (const computer of this.computers) await computer.shutDown()
    await this.#service?.close()
    rmSync(this.#folder, { recursive: true })
  }
}

/** The service may answer with fewer records than are asked for; so few that there is a next page. */
function inSmallPages(path: string): string {
  if (!path.startsWith('/api/sync/pull')) return path
  return path.includes('limit=') ? path.replace(/limit=\d+/, `limit=${PAGE}`) : `${path}&limit=${PAGE}`
}

/** Lets devices do all that they can do without an answer: they wait for nothing else. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
