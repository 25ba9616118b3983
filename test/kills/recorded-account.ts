import { setTimeout } from 'node:timers/promises'
import type { Person, RealService } from '../browser/service.ts'
import type { Chance } from '../simulation/chance.ts'
import type { Own } from './attempts.ts'
import { KillsDevice } from './device.ts'
import { type Acknowledgements, Pusher } from './pusher.ts'
import { someSettings, weeks } from './records.ts'

/** Time limit until everything is at rest, in milliseconds; never reached. */
const PATIENCE_MS = 120_000
/** Interval between checks of a condition, in milliseconds. */
const AGAIN_MS = 20

export interface AccountOptions {
  name: string
  service: RealService
  chance: Chance
  /** For the devices' local stores. */
  folder: string
  pushers: number
  devices: number
  /** A user that is there already. */
  person?: Person | undefined
}

/** A user with several clients that all work at once, and repeat what was not answered. */
export class Account {
  readonly person: Person
  readonly acknowledgements: Acknowledgements = {
    attempts: new Map(),
    acknowledged: new Map(),
    closed: new Set(),
    changes: 0,
    unheard: 0,
  }
  readonly devices: KillsDevice[] = []
  readonly #service: RealService
  readonly #pushers: Pusher[] = []
  #weeks = 0

  static async open(options: AccountOptions): Promise<Account> {
    const { service, chance, name, folder, pushers, devices, person: known } = options
    const account = new Account(service, known ?? (await service.addPerson()))
    const { acknowledgements, person } = account
    const shared = { entries: [chance.uuid(), chance.uuid(), chance.uuid()], settings: chance.uuid() }
    await service.ask(person, `/api/settings`, { id: shared.settings, ...someSettings(8, `${name} begins`) })
    const post = account.#post.bind(account)
    for (let number = 1; number <= pushers; number += 1) {
      const nextWeek = () => weeks[account.#weeks++]
      account.#pushers.push(
        new Pusher({ name: `${name} pusher ${number}`, chance, post, acknowledgements, shared, nextWeek }),
      )
    }
    for (let number = 1; number <= devices; number += 1) {
      const its = {
        name: `${name} device ${number}`,
        chance,
        service,
        person,
        folder,
        acknowledgements,
        shared: shared.entries,
      }
      account.devices.push(await KillsDevice.open(its))
    }
    return account
  }

  private constructor(service: RealService, person: Person) {
    this.#service = service
    this.person = person
  }

  /** The changes of each client to its own records. */
  get own(): ReadonlyMap<string, Own> {
    return new Map([...this.#pushers, ...this.devices].flatMap(({ own }) => [...own]))
  }

  /** Of those, the records whose every change is one of the service too. */
  get pushed(): ReadonlyMap<string, Own> {
    return new Map(this.#pushers.flatMap(({ own }) => [...own]))
  }

  /** Lets all clients work until it is over. */
  async work(isOver: () => boolean): Promise<void> {
    const each = [...this.#pushers, ...this.devices].map(async (client) => {
      while (!isOver()) if (!(await client.step())) await setTimeout(AGAIN_MS)
    })
    await Promise.all(each)
  }

  /**
   * Repeats all that has no answer, and has all devices sync, until nothing waits and no closed day is to be
   * computed.
   */
  async settle(): Promise<void> {
    await Promise.all(this.#pushers.map((pusher) => eventually(() => pusher.settle())))
    const sync = () => Promise.all(this.devices.map((device) => eventually(() => device.settle())))
    await sync()
    await eventually(async () => (await this.ask('/api/balance')).recomputing.length === 0)
    // The others have not pulled the changes that one of them sent meanwhile.
    await sync()
  }

  /** Returns the service's answer, once it can reach its database. */
  // biome-ignore lint/suspicious/noExplicitAny: what is looked at is compared with what must be
  async ask(path: string): Promise<any> {
    for (;;) {
      try {
        return await this.#service.ask(this.person, path)
      } catch (error) {
        if (!(error instanceof Error && error.message.includes(': 503 '))) throw error
        await setTimeout(AGAIN_MS)
      }
    }
  }

  async close(): Promise<void> {
    for (const { saldo } of this.devices) await saldo.close()
  }

  async #post(path: string, json: object): Promise<{ status: number; body: unknown } | undefined> {
    try {
      const response = await fetch(this.#service.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.person.token}`,
          'content-type': 'application/json',
          // Leaves the answers uncompressed, so that they can be read on their way.
          'accept-encoding': 'identity',
        },
        body: JSON.stringify(json),
      })
      const body: unknown = await response.json()
      return response.status >= 500 ? undefined : { status: response.status, body }
    } catch (error) {
      // The connection broke, or the answer in the middle.
      if (error instanceof TypeError || error instanceof SyntaxError) return undefined
      throw error
    }
  }
}

/** Asks again until it is so. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + PATIENCE_MS; !(await isSo()); await setTimeout(AGAIN_MS)) {
    if (Date.now() > endMs) throw new Error(`still not so after ${PATIENCE_MS} ms: ${isSo}`)
  }
}
