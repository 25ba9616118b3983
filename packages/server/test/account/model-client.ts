import { expect } from 'vitest'
import type { TestService } from '../harness.ts'

type Call = TestService['call']
// biome-ignore lint/suspicious/noExplicitAny: records of every kind; the harness has checked them
type AnyRecord = Record<string, any>

export const kinds = ['entries', 'settings_history', 'balance_adjustments', 'closed_days', 'closed_weeks'] as const
export type Kind = (typeof kinds)[number]

/** A minimal client that only pulls (D5), and checks every page. */
export class ModelClient {
  readonly #call: Call
  readonly #limit: number
  readonly #records = new Map<Kind, Map<string, AnyRecord>>(kinds.map((kind) => [kind, new Map()]))
  #version: number | undefined

  constructor(call: Call, limit = 5_000) {
    this.#call = call
    this.#limit = limit
  }

  get version(): number {
    return this.#version ?? 0
  }

  /** Returns the live records of a kind by id. */
  all(kind: Kind): ReadonlyMap<string, AnyRecord> {
    return this.#records.get(kind) ?? new Map()
  }

  /** Takes a snapshot first, then pulls until there is no more. Returns the number of records received. */
  async pull(): Promise<number> {
    return (this.#version === undefined ? await this.#takeSnapshot() : 0) + (await this.#pullChanges())
  }

  async #takeSnapshot(): Promise<number> {
    let count = 0
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await this.#page(cursor === '' ? '' : `&cursor=${cursor}`)
      if (this.#version !== undefined) expect(page.version).toBe(this.#version)
      this.#version = page.version
      count += this.#apply(page)
      cursor = page.cursor
    }
    return count
  }

  async #pullChanges(): Promise<number> {
    let count = 0
    for (let more = true; more; ) {
      const page = await this.#page(`&since=${this.version}`)
      count += this.#apply(page)
      expect(page.version).toBeGreaterThanOrEqual(this.version)
      this.#version = page.version
      more = page.has_more
    }
    return count
  }

  async #page(query: string) {
    const { status, body } = await this.#call('GET', `/api/sync/pull?limit=${this.#limit}${query}`)
    expect(status).toBe(200)
    return body
  }

  #apply({ changes, deleted }: { changes: Record<Kind, AnyRecord[]>; deleted: Record<Kind, AnyRecord[]> }): number {
    let count = 0
    for (const kind of kinds) {
      for (const record of changes[kind] ?? []) {
        const held = this.all(kind).get(record.id)
        if (held && held.version > record.version)
          throw new Error(`the service sent an older version: ${JSON.stringify(record)}`)
        this.#records.get(kind)?.set(record.id, record)
        count += 1
      }
      for (const { id } of deleted[kind] ?? []) {
        this.#records.get(kind)?.delete(id)
        count += 1
      }
    }
    return count
  }
}
