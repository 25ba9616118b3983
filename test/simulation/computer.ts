import { Device, fetchTransport, type Held, InvalidRecordError, RefusedError } from '@saldo/client'
import type { EpochMs } from '@saldo/core'
import { FragileStore } from './fragile-store.ts'
import type { World } from './world.ts'

/** A computer with one device on it; it can crash, and its clock may be wrong. */
export class Computer {
  readonly name: string
  readonly #world: World
  readonly #file: string
  readonly #token: string
  #store: FragileStore
  #life = 0
  /** What went wrong that no device may do. */
  failures: unknown[] = []
  device: Device
  skewMs: EpochMs = 0

  constructor(world: World, name: string, file: string, token: string) {
    this.#world = world
    this.name = name
    this.#file = file
    this.#token = token
    ;[this.#store, this.device] = this.#boot()
  }

  #boot(): [FragileStore, Device] {
    const { chance, network, ledger } = this.#world
    const life = this.#life
    const watch = ledger.watch(this.name)
    const store = new FragileStore(this.#file, chance, async (tables) => {
      try {
        const look = await watch(tables)
        return (after) => look(after).catch((error) => void this.failures.push(error))
      } catch (error) {
        this.failures.push(error)
        return async () => {}
      }
    })
    const device = new Device({
      store,
      transport: fetchTransport({ url: 'http://saldo', fetch: network.fetchOf(this.name), token: this.#token }),
      clock: {
        now: () => this.#world.nowMs + this.skewMs,
        after: (ms, work) => this.#world.after(ms, () => life === this.#life && work()),
      },
      random: chance,
    })
    return [store, device]
  }

  start(): void {
    this.does((device) => device.start())
  }

  /** Has the user do something. What the device throws that it must not is kept. */
  does(what: (device: Device) => Promise<unknown>): void {
    what(this.device).catch((error) => {
      if (!(error instanceof RefusedError) && !(error instanceof InvalidRecordError)) this.failures.push(error)
    })
  }

  /** The power fails: now, or while the device writes. */
  async crash(tornBytes?: number): Promise<void> {
    this.#life += 1
    await this.#store.die()
    if (tornBytes !== undefined) this.#store.tear(tornBytes)
    this.#world.network.forget(this.name)
    ;[this.#store, this.device] = this.#boot()
    this.start()
  }

  /** The power will fail once the device has written so many times more. */
  crashAfter(writes: number, tornBytes: number | undefined): void {
    const life = this.#life
    this.#store.dieAfter(writes, () => {
      if (life === this.#life) void this.crash(tornBytes).catch((error) => this.failures.push(error))
    })
  }

  calm(): void {
    this.#store.dieAfter(Number.POSITIVE_INFINITY, () => {})
  }

  held(): Promise<Held[]> {
    return this.#store.peek((tables) => tables.held.all())
  }

  /** Whether the device rests though it has something to send. */
  async isStuck(): Promise<boolean> {
    if (this.#store.isDoomed || (await this.device.status()).state !== 'idle') return false
    return this.#store.peek(async (tables) => (await tables.outbox.all()).some(({ sender }) => sender === null))
  }

  async shutDown(): Promise<void> {
    await this.#store.die()
  }
}
