import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchTransport, openSaldo, type Reply, type Request, type Saldo } from '@saldo/client'
import { journalStore } from '@saldo/client/node'
import {
  type Config,
  createAuth,
  databaseFile,
  type Log,
  openStores,
  readConfig,
  type Service,
  startService,
  systemRandom,
} from '@saldo/server'

const silent: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** The real service with one user, and devices of theirs that a test can cut off. */
export class House {
  nowMs: number
  /** The requests that devices sent, and that reached the service. */
  readonly requests: Request[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-client-'))
  readonly #offline = new Set<string>()
  readonly #open: Saldo[] = []
  #service: Service | undefined
  #token = ''

  private constructor(now: string) {
    this.nowMs = Date.parse(now)
  }

  static async open(now = '2026-11-21T12:00:00.000Z', wanted: Partial<Config> = {}): Promise<House> {
    const house = new House(now)
    const clock = { now: () => house.nowMs }
    const config = { ...readConfig({}), port: 0, dataDir: house.#folder, ...wanted }
    house.#service = await startService({ config, clock, random: systemRandom, log: silent, build: 'test' })
    const stores = await openStores({ file: databaseFile(config), clock, random: systemRandom, as: 'command' })
    const added = await stores.users.add({ email: 'ada@example.com', passwordHash: 'none', at: now })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const secret = systemRandom.token(32)
    const auth = createAuth({ ...stores, clock, random: systemRandom, secret, publicUrl: undefined })
    house.#token = (await auth.createToken(added.user, 'test')).secret
    await stores.close()
    return house
  }

  /** Opens a device under a name; the same name again is the same device. */
  async device(name: string): Promise<Saldo> {
    const saldo = await openSaldo({
      store: journalStore(join(this.#folder, `${name}.journal`), systemRandom),
      transport: (request) => this.#send(name, request),
      clock: { now: () => this.nowMs, after: () => () => {} },
      random: { ...systemRandom, fraction: () => 0.5 },
    })
    this.#open.push(saldo)
    await saldo.device.settled()
    return saldo
  }

  /** Where the service is, a token for it, and a folder that goes with the house. */
  get address(): { url: string; token: string; folder: string } {
    return { url: (this.#service as Service).url, token: this.#token, folder: this.#folder }
  }

  cutOff(name: string): void {
    this.#offline.add(name)
  }

  /** Connects a device again, and waits until it has exchanged everything. */
  async connect(name: string, saldo: Saldo): Promise<void> {
    this.#offline.delete(name)
    saldo.device.happen('woken')
    await saldo.device.settled()
  }

  /** What the service answers to its user. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies that the contract check has proved elsewhere
  async ask(path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST'): Promise<any> {
    const response = await fetch(`${this.#service?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    return response.json()
  }

  async close(): Promise<void> {
    for (const saldo of this.#open) await saldo.close()
    await this.#service?.close()
    rmSync(this.#folder, { recursive: true })
  }

  #send(name: string, request: Request): Promise<Reply> {
    if (this.#offline.has(name)) return Promise.resolve({ outcome: 'unreachable', retryAfterMs: 0 })
    this.requests.push(request)
    return fetchTransport({ url: (this.#service as Service).url, token: this.#token })(request)
  }
}
