import type { PushResponse } from '@saldo/core'
import type { Chance } from '../simulation/chance.ts'
import { type Attempt, Own } from './attempts.ts'
import { someSettings, someWork } from './records.ts'

/** Maximum number of records of a pusher. */
const OWN_RECORDS = 60

interface Change {
  wire: object
  key: string
  /** Of a record that is the pusher's alone. */
  own?: { own: Own; attempt: Attempt }
}

/** Outcome of a request; `undefined` if it was not answered or is unavailable. */
export type Post = (path: string, json: object) => Promise<{ status: number; body: unknown } | undefined>

/** Acknowledged state that several clients of a user share. */
export interface Acknowledgements {
  /** By record that several change, how often it was changed. */
  attempts: Map<string, number>
  /** By record, the highest acknowledged version and its time. */
  acknowledged: Map<string, { version: number; updated_at: string }>
  /** The weeks whose closing was acknowledged. */
  closed: Set<string>
  /** Number of acknowledged changes. */
  changes: number
  /** Acknowledged changes whose first answer was lost by a kill. */
  unheard: number
}

export interface PusherOptions {
  name: string
  chance: Chance
  post: Post
  acknowledgements: Acknowledgements
  /** Records that others change too: entries, and a settings row. */
  shared: { entries: readonly string[]; settings: string }
  /** Tells the next week to close. */
  nextWeek: () => string | undefined
}

/** A program that pushes, and repeats a push until it is answered. */
export class Pusher {
  readonly own = new Map<string, Own>()
  readonly #options: PusherOptions
  readonly #device: string
  readonly #ids: string[] = []
  #waiting: Change[] | undefined
  #week: string | undefined
  #notes = 0
  #lastMs = 0

  constructor(options: PusherOptions) {
    this.#options = options
    this.#device = options.chance.uuid()
  }

  /** Pushes, or repeats what has no answer; sometimes closes a week. Returns whether it was answered. */
  async step(): Promise<boolean> {
    const { chance, nextWeek } = this.#options
    if (!this.#waiting && !this.#week && chance.below(6) === 0) this.#week = nextWeek()
    if (this.#week) return this.#close(this.#week)
    this.#waiting ??= this.#changes()
    return this.#push(this.#waiting)
  }

  /** Repeats what has no answer. Returns whether there is nothing such any more. */
  async settle(): Promise<boolean> {
    return !(this.#waiting || this.#week) || this.step()
  }

  async #close(week: string): Promise<boolean> {
    const { post, acknowledgements } = this.#options
    const answer = await post('/api/closed-weeks', { week })
    if (!answer) return false
    if (answer.status !== 200 && answer.status !== 201) throw new Error(`closing ${week}: ${answer.status}`)
    this.#week = undefined
    acknowledgements.closed.add(week)
    return true
  }

  async #push(changes: readonly Change[]): Promise<boolean> {
    const { post, acknowledgements, name } = this.#options
    const json = { device: this.#device, changes: changes.map(({ wire }) => wire) }
    const answer = await post('/api/sync/push', json)
    if (!answer) return false
    if (answer.status !== 200) throw new Error(`push of ${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    this.#waiting = undefined
    for (const [index, { status, version = 0, updated_at = '' }] of (answer.body as PushResponse).results.entries()) {
      const { key, own } = changes[index] as Change
      const isStored = status === 'applied' || status === 'unchanged'
      if (!isStored && (own || status !== 'superseded')) throw new Error(`${name} got ${status} of ${key}`)
      if (own) own.own.acknowledge(own.attempt, version)
      if ((acknowledgements.acknowledged.get(key)?.version ?? 0) < version)
        acknowledgements.acknowledged.set(key, { version, updated_at })
      acknowledgements.changes += 1
      if (status === 'unchanged') acknowledgements.unheard += 1
    }
    return true
  }

  #changes(): Change[] {
    const { chance, shared } = this.#options
    const count = 1 + chance.below(chance.below(4) === 0 ? 30 : 4)
    // A record comes once in a push, so that the version in its push result is the stored one.
    const ids = new Set(Array.from({ length: count }, () => this.#ownId()))
    const changes = [...ids].map((id) => this.#ofOwn(id))
    if (chance.below(3) === 0) changes.push(this.#ofShared(shared.entries[chance.below(shared.entries.length)] ?? ''))
    if (chance.below(60) === 0) changes.push(this.#ofSettings())
    return changes
  }

  #ownId(): string {
    const { chance } = this.#options
    const isNew = this.#ids.length === 0 || (this.#ids.length < OWN_RECORDS && chance.below(2) === 0)
    if (isNew) this.#ids.push(chance.uuid())
    return this.#ids[chance.below(this.#ids.length)] as string
  }

  #ofOwn(id: string): Change {
    const own = this.own.get(`entries ${id}`) ?? new Own()
    this.own.set(`entries ${id}`, own)
    const isDeletion = own.made > 0 && this.#options.chance.below(4) === 0
    const note = isDeletion ? null : this.#note()
    return { ...this.#entry(id, note), own: { own, attempt: own.attempt(note) } }
  }

  #ofShared(id: string): Change {
    return this.#counted(this.#entry(id, this.#note()))
  }

  #ofSettings(): Change {
    const { chance, shared } = this.#options
    const { settings: id } = shared
    const record = { id, updated_at: this.#stamp(), ...someSettings(4 + chance.below(5), this.#note()) }
    const wire = { kind: 'settings_history', op: 'upsert', record }
    return this.#counted({ wire, key: `settings_history ${id}` })
  }

  #counted(change: Change): Change {
    const { attempts } = this.#options.acknowledgements
    attempts.set(change.key, (attempts.get(change.key) ?? 0) + 1)
    return change
  }

  #entry(id: string, note: string | null): Change {
    const updated_at = this.#stamp()
    const key = `entries ${id}`
    if (note === null) return { wire: { kind: 'entries', op: 'delete', id, updated_at }, key }
    const record = { id, updated_at, ...someWork(this.#options.chance, note) }
    return { wire: { kind: 'entries', op: 'upsert', record }, key }
  }

  #note(): string {
    this.#notes += 1
    return `${this.#options.name} ${this.#notes}`
  }

  #stamp(): string {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1)
    return new Date(this.#lastMs).toISOString()
  }
}
