import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  fetchNotifications,
  fetchTransport,
  openSaldo,
  type Saldo,
  type SaldoOptions,
  type ServiceRequest,
  type ServiceResponse,
} from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import { type Instant, LAST_DATE, type MemberRules, type Month, type PullResponse, type UserNumber } from '@saldo/core'
import {
  type Config,
  databaseFile,
  databaseOf,
  type Log,
  openStores,
  readConfig,
  type Service,
  startService,
  systemRandom,
  userParts,
} from '@saldo/server'
import { afterEach, beforeEach } from 'vitest'
import { copyOf, newDatabase, putBack } from '../../packages/server/test/postgres/database.ts'
import { quickHashing } from '../../packages/server/test/quick-hashing.ts'

const silent: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** Opens a harness with a device «phone» for each test of a file, and closes it afterwards. */
export function eachWithPhone(take: (harness: Harness, phone: Saldo) => void): void {
  let harness: Harness
  beforeEach(async () => {
    harness = await Harness.open()
    take(harness, await harness.device('phone'))
  })
  afterEach(() => harness.close())
}

/** The real service with one user, and devices of theirs that a test can cut off. */
export class Harness {
  nowMs: number
  /** The delays that devices asked for, in milliseconds; they end only by `pass`. */
  readonly waits: number[] = []
  #timers: { atMs: number; work: () => void }[] = []
  /** The requests that devices sent, and that reached the service. */
  readonly requests: ServiceRequest[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-client-'))
  readonly #config: Config
  readonly #offline = new Set<string>()
  readonly #changes = new Map<
    string,
    (reply: ServiceResponse, path: string) => ServiceResponse | Promise<ServiceResponse>
  >()
  readonly #answers = new Map<string, (request: ServiceRequest) => ServiceResponse | undefined>()
  readonly #open: Saldo[] = []
  #service: Service | undefined
  #token = ''
  #user = 0 as UserNumber

  private constructor(now: string, wanted: Partial<Config>) {
    this.nowMs = Date.parse(now)
    this.#config = { ...readConfig({}), port: 0, dataDir: this.#folder, ...wanted }
  }

  static async open(now: Instant = '2026-11-21T12:00:00.000Z', wanted: Partial<Config> = {}): Promise<Harness> {
    const databaseUrl = await newDatabase()
    const harness = new Harness(now, { databaseUrl, ...wanted })
    const [clock, config] = [{ now: () => harness.nowMs }, harness.#config]
    await harness.#start()
    const stores = await openStores({ ...databaseOf(config), clock, random: systemRandom, as: 'command' })
    const added = await stores.users.add({ email: 'ada@example.com', passwordHash: 'none', at: now })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    harness.#user = added.user
    const secret = systemRandom.token(32)
    const { tokens } = userParts({ ...stores, clock, random: systemRandom, secret, publicUrl: undefined })
    harness.#token = (await tokens.create(added.user, 'test')).secret
    await stores.close()
    return harness
  }

  /**
   * Opens a device under a name; the same name again is the same device. It gets change notifications
   * if `live`; its clock is `aheadMs` ahead.
   */
  async device(
    name: string,
    { live = false, aheadMs = 0, ...options }: { live?: boolean; aheadMs?: number } & Partial<SaldoOptions> = {},
  ): Promise<Saldo> {
    const after = (ms: number, work: () => void) => {
      const timer = { atMs: this.nowMs + ms, work }
      this.waits.push(ms)
      this.#timers.push(timer)
      return () => {
        this.#timers = this.#timers.filter((one) => one !== timer)
      }
    }
    const clock = { now: () => this.nowMs + aheadMs, after }
    const saldo = await openSaldo({
      user: this.#user,
      store: sqliteStore(join(this.#folder, `${name}.db`)),
      transport: (request) => this.#send(name, request),
      listen: live ? fetchNotifications(this.address, clock) : async () => 'missing',
      clock,
      random: { ...systemRandom, fraction: () => 0.5 },
      ...options,
    })
    this.#open.push(saldo)
    await saldo.sync()
    return saldo
  }

  /** The address of the service, its user with a token, and a folder that is deleted at the end. */
  get address(): { url: string; user: UserNumber; token: string; folder: string } {
    return { url: (this.#service as Service).url, user: this.#user, token: this.#token, folder: this.#folder }
  }

  /** Has what a device's pulls bring be changed on its way. */
  rewrite(name: string, change: (path: string, body: PullResponse) => PullResponse): void {
    this.change(name, '/api/sync/pull', (reply, path) =>
      reply.outcome === 'ok' ? { ...reply, body: change(path, reply.body as PullResponse) } : reply,
    )
  }

  /** Has what comes of a device's requests below a path be changed on its way. */
  change(
    name: string,
    below: string,
    change: (reply: ServiceResponse, path: string) => ServiceResponse | Promise<ServiceResponse>,
  ): void {
    this.#changes.set(name, (reply, path) => (path.startsWith(below) ? change(reply, path) : reply))
  }

  /** Copies the service's database while it does not run. Returns the copy. */
  async backUp(): Promise<string> {
    const { databaseUrl } = this.#config
    let copy = join(this.#folder, 'backup.sqlite')
    await this.whileStopped(async () => {
      if (databaseUrl === undefined) copyFileSync(databaseFile(this.#config), copy)
      else copy = await copyOf(databaseUrl)
    })
    return copy
  }

  /** Makes the user a member of a company whose months are locked. */
  async lockMonths(locked: readonly Month[]): Promise<void> {
    const clock = { now: () => this.nowMs }
    const stores = await openStores({ ...databaseOf(this.#config), clock, random: systemRandom, as: 'command' })
    const rules: MemberRules = { company: 1, dates: [{ from: '2026-01-01', to: LAST_DATE }], versions: [] }
    await stores.driver.run('UPDATE counters SET member_rules = $2, member_months = $3 WHERE user_id = $1', [
      ...[this.#user, JSON.stringify(rules), JSON.stringify({ locked, submitted: [] })],
    ])
    await stores.close()
  }

  /** Puts a copy in the place of the service's database. */
  restore(copy: string): Promise<void> {
    const { databaseUrl } = this.#config
    return this.whileStopped(async () => {
      if (databaseUrl === undefined) copyFileSync(copy, databaseFile(this.#config))
      else await putBack(copy, databaseUrl)
    })
  }

  /** Stops the service, does something to its folder, and starts it again. */
  async whileStopped(work: () => Promise<void>): Promise<void> {
    await this.#service?.close()
    await work()
    await this.#start()
  }

  /** Advances the clock, and ends the delays that are over. */
  pass(ms: number): void {
    this.nowMs += ms
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs)
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.nowMs)
    for (const { work } of due) work()
  }

  /** Answers the requests of a device in place of the service for which `answer` returns a reply. */
  answer(name: string, answer: (request: ServiceRequest) => ServiceResponse | undefined): void {
    this.#answers.set(name, answer)
  }

  cutOff(name: string): void {
    this.#offline.add(name)
  }

  /** Connects a device again, and waits until it has exchanged everything. */
  async connect(name: string, saldo: Saldo): Promise<void> {
    this.#offline.delete(name)
    await saldo.sync()
  }

  /** Returns the answer of the service to its user. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies that the contract check has proved elsewhere
  async ask(path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST'): Promise<any> {
    const response = await fetch(`${this.#service?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    return response.json()
  }

  async #start(): Promise<void> {
    const clock = { now: () => this.nowMs }
    this.#service = await startService({
      config: this.#config,
      clock,
      random: systemRandom,
      log: silent,
      build: 'test',
      hashing: quickHashing,
    })
  }

  async close(): Promise<void> {
    for (const saldo of this.#open) await saldo.close()
    await this.#service?.close()
    rmSync(this.#folder, { recursive: true })
  }

  async #send(name: string, request: ServiceRequest): Promise<ServiceResponse> {
    if (this.#offline.has(name)) return { outcome: 'retryable', retryAfterMs: 0 }
    this.requests.push(request)
    const answered = this.#answers.get(name)?.(request)
    if (answered) return answered
    const reply = await fetchTransport(this.address)(request)
    return this.#changes.get(name)?.(reply, request.path) ?? reply
  }
}
