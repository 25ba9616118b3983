import { join } from 'node:path'
import { fetchNotifications, fetchTransport, openSaldo, type Saldo } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import type { Entry, RecordId } from '@saldo/core'
import type { Person, RealService } from '../browser/service.ts'
import type { Chance } from '../simulation/chance.ts'
import { Own } from './attempts.ts'
import type { Acknowledgements } from './pusher.ts'
import { someWork } from './records.ts'

/** Maximum number of live records of a device. */
const OWN_RECORDS = 20

export interface DeviceOptions {
  name: string
  chance: Chance
  service: RealService
  person: Person
  /** The folder of its local store. */
  folder: string
  acknowledgements: Acknowledgements
  shared: readonly string[]
}

/** A program with the client library, its store on disk. */
export class KillsDevice {
  readonly own = new Map<string, Own>()
  readonly saldo: Saldo
  readonly #options: DeviceOptions
  #notes = 0

  static async open(options: DeviceOptions): Promise<KillsDevice> {
    const { service, person, folder, name } = options
    const clock = {
      now: () => Date.now(),
      after(ms: number, work: () => void) {
        const timer = setTimeout(work, ms)
        return () => clearTimeout(timer)
      },
    }
    // The service is somewhere else each time.
    const reached = () => ({ url: service.url, token: person.token, user: person.user })
    const saldo = await openSaldo({
      user: person.user,
      store: sqliteStore(join(folder, `${name}.db`)),
      transport: (request) => fetchTransport(reached())(request),
      listen: (notify, signal) => fetchNotifications(reached(), clock)(notify, signal),
      clock,
    })
    const device = new KillsDevice(options, saldo)
    await saldo.sync()
    return device
  }

  private constructor(options: DeviceOptions, saldo: Saldo) {
    this.#options = options
    this.saldo = saldo
  }

  /** Makes a change. Returns whether the service has it. */
  async step(): Promise<boolean> {
    const { chance, shared, acknowledgements, name } = this.#options
    const { entries } = this.saldo
    this.#notes += 1
    const note = `${name} ${this.#notes}`
    if (chance.below(5) === 0) {
      const id = shared[chance.below(shared.length)] as RecordId
      const key = `entries ${id}`
      acknowledgements.attempts.set(key, (acknowledgements.attempts.get(key) ?? 0) + 1)
      const { result } = await entries.create(someWork(chance, note), { id }).settled
      acknowledgements.changes += 1
      return result === 'stored'
    }
    const ids = [...this.own.keys()]
    const isNew = ids.length === 0 || (ids.length < OWN_RECORDS && chance.below(2) === 0)
    const id = isNew ? chance.uuid() : ((ids[chance.below(ids.length)] as string).slice('entries '.length) as RecordId)
    const own = this.own.get(`entries ${id}`) ?? new Own()
    this.own.set(`entries ${id}`, own)
    const isDeletion = !isNew && chance.below(4) === 0
    const attempt = own.attempt(isDeletion ? null : note)
    const making = isDeletion ? undefined : entries.create(someWork(chance, note), { id })
    const stored = making ? (await making.settled).result : await entries.delete(id).settled
    if (stored === 'stored') own.acknowledge(attempt)
    // Either way it is kept.
    acknowledgements.changes += 1
    return stored === 'stored'
  }

  /** Exchanges what there is. Returns whether nothing waits any more. */
  async settle(): Promise<boolean> {
    await this.saldo.sync()
    const { state, unsent } = await this.saldo.status.read()
    return state === 'idle' && unsent === 0
  }

  /** Returns its shown records by kind. Throws if a change was rejected or a record diverged. */
  async shown(): Promise<{ entries: Entry[]; closed_weeks: object[]; settings_history: object[] }> {
    const { rejected, divergence, unreadable } = await this.saldo.status.read()
    if (rejected || divergence || unreadable) {
      throw new Error(`${this.#options.name}: ${JSON.stringify({ rejected, divergence, unreadable })}`)
    }
    const entries = await this.saldo.entries.all().read()
    const settings = await this.saldo.settings.all().read()
    return {
      entries: entries.map(({ record }) => record),
      closed_weeks: await this.saldo.account.closedWeeks().read(),
      settings_history: settings.map(({ record }) => record),
    }
  }
}
