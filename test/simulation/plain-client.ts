import { isDeepStrictEqual } from 'node:util'
import { type Instant, instantOf, type JsonObject, type PullResponse, type PushResponse } from '@saldo/core'
import { keyOf } from './change-outcomes.ts'
import { contentOf, type Kind } from './contents.ts'
import type { Answer } from './network.ts'
import type { User } from './service.ts'
import type { Simulation } from './simulation.ts'

type Stored = JsonObject & { id: string; updated_at: Instant }

/** When a state was made, in milliseconds; 0 where there is none. */
const timeOf = (state: Stored | undefined) => (state ? Date.parse(state.updated_at) : 0)

/** A change that waits; `record` is what push carries, or of a delete what the time is in. */
type Change = { kind: Kind; record: Stored; [name: string]: unknown }

/** Maximum number of records of a page. */
const PAGE = 4

/**
 * A client of the first protocol, which knows the given rules and no more: an outbox without device and numbers, a last
 * version without a tag, no digests, no change notifications. It does not detect a restore.
 */
export class PlainClient {
  readonly #simulation: Simulation
  readonly #user: User
  #version: number | undefined
  #records = new Map<string, Stored>()
  readonly #outbox = new Map<string, Change>()

  constructor(simulation: Simulation, user: User) {
    this.#simulation = simulation
    this.#user = user
  }

  /** Changes a record, or deletes it; the later time wins (R3.8), so it is later than that of what is edited. */
  edit(kind: Kind, id: string, number: number): void {
    const key = keyOf({ kind, id })
    const before = Math.max(...[this.#records.get(key), this.#outbox.get(key)?.record].map(timeOf))
    const updated_at = instantOf(Math.max(this.#simulation.nowMs, before + 1))
    const content = contentOf(kind, this.#simulation.note(this.#user), number)
    const isDelete = number % 5 === 0
    const change = isDelete ? { op: 'delete', id, updated_at } : { op: 'upsert' }
    this.#outbox.set(key, { kind, ...change, record: { id, ...(!isDelete && content), updated_at } })
  }

  /** Pushes and pulls (R5.3, R5.4). Of the answers, the first come, and the next is lost. */
  async sync(answers = Number.POSITIVE_INFINITY): Promise<void> {
    let left = answers
    const isHeard = () => {
      left -= 1
      return left >= 0
    }
    const sent = [...this.#outbox]
    if (sent.length > 0) {
      const changes = sent.map(([, change]) => change)
      const answer = await this.#ask('POST', '/api/sync/push', { changes })
      if (!isHeard() || answer.status !== 200) return
      const { results } = JSON.parse(answer.text) as PushResponse
      if (results.length !== sent.length) throw new Error('a push has not one result for each change')
      for (const [key] of sent) this.#outbox.delete(key)
    }
    for (;;) {
      if (this.#version === undefined) this.#records.clear()
      const since = this.#version === undefined ? '' : `since=${this.#version}&`
      const answer = await this.#ask('GET', `/api/sync/pull?${since}limit=${PAGE}`)
      if (!isHeard()) return
      if (answer.status === 410) {
        // A cold start (R5.5, R5.6).
        this.#version = undefined
      } else if (answer.status !== 200) return
      else if (!(await this.#apply(JSON.parse(answer.text) as PullResponse))) return
    }
  }

  /** Throws where it is not at rest with what the service has. */
  check({ changes }: PullResponse): void {
    if (this.#outbox.size > 0) throw new Error(`the plain client is at rest with ${this.#outbox.size} unsent changes`)
    const should = new Map<string, Stored>()
    for (const [kind, records] of Object.entries(changes)) {
      for (const record of records as unknown as Stored[]) should.set(keyOf({ kind, id: record.id }), record)
    }
    for (const key of new Set([...should.keys(), ...this.#records.keys()])) {
      const [has, its] = [this.#records.get(key), should.get(key)]
      if (!isDeepStrictEqual(has, its)) {
        throw new Error(`the plain client differs: ${JSON.stringify(has)} instead of ${JSON.stringify(its)}`)
      }
    }
  }

  /** Takes a page, and those behind it of a snapshot. Returns whether there is more. */
  async #apply(page: PullResponse): Promise<boolean> {
    for (const [kind, records] of Object.entries(page.changes)) {
      for (const record of records as unknown as Stored[]) this.#records.set(keyOf({ kind, id: record.id }), record)
    }
    for (const [kind, records] of Object.entries(page.deleted)) {
      for (const { id } of records as { id: string }[]) this.#records.delete(keyOf({ kind, id }))
    }
    if (!page.cursor) {
      this.#version = page.version
      return page.has_more
    }
    const next = await this.#ask('GET', `/api/sync/pull?cursor=${page.cursor}&limit=${PAGE}`)
    // It begins again the next time.
    return next.status === 200 && this.#apply(JSON.parse(next.text) as PullResponse)
  }

  #ask(method: string, path: string, body?: object): Promise<Answer> {
    return this.#simulation.program(this.#user, method, path, body)
  }
}
