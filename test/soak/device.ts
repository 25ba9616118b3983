import { DigestSum, type JsonObject, type PullResponse, type RecordKind } from '@saldo/core'
import type { Question } from './wire.ts'

type Ask = (question: Question, ...may: number[]) => Promise<{ status: number; body: PullResponse }>

/** A device as the service sees it: it pulls from its sync position, and does a cold start after a 410. */
export class Device {
  readonly id: string
  /** The number of its last edit. */
  seq = 0
  #version: number | undefined
  #tag: string | null = null
  /** By kind and id; empty on devices that are not checked. */
  readonly #held: Map<string, { kind: RecordKind; record: JsonObject }> | undefined
  readonly #ask: Ask

  constructor(id: string, ask: Ask, isFollowed: boolean) {
    this.id = id
    this.#ask = ask
    this.#held = isFollowed ? new Map() : undefined
  }

  /** Pulls everything. Returns true if it did a cold start. */
  async pull(): Promise<boolean> {
    for (let isMore = this.#version !== undefined; isMore; ) {
      const path = `/api/sync/pull?since=${this.#version}`
      const { status, body } = await this.#ask({ kind: 'pull', method: 'GET', path }, 200, 410)
      if (status === 410) {
        this.#version = undefined
        break
      }
      if (body.since_tag !== this.#tag) throw new Error('a pull tells of another history')
      this.#take(body)
      this.#go(body)
      isMore = body.has_more
    }
    if (this.#version !== undefined) return false
    await this.#beginAnew()
    return true
  }

  /**
   * Compares what it holds with the service's digests, where both are of the same version. Returns whether they were.
   */
  async compare(): Promise<boolean> {
    // biome-ignore lint/suspicious/noExplicitAny: another answer than that of a pull.
    const { body }: { body: any } = await this.#ask({ kind: 'digest', method: 'GET', path: '/api/sync/digest' }, 200)
    if (!this.#held || body.version !== this.#version) return false
    if (body.tag !== this.#tag) throw new Error('a digest tells of another history')
    const sum = new DigestSum()
    for (const { kind, record } of this.#held.values()) sum.add(kind, record)
    const [has, should] = [JSON.stringify(sum.digests()), JSON.stringify(body.kinds)]
    if (has !== should) throw new Error(`a device holds ${has} instead of ${should}`)
    return true
  }

  async #beginAnew(): Promise<void> {
    this.#held?.clear()
    for (let path: string | undefined = '/api/sync/pull'; path; ) {
      const { body }: { body: PullResponse } = await this.#ask({ kind: 'snapshot', method: 'GET', path }, 200)
      this.#take(body)
      this.#go(body)
      path = body.has_more ? `/api/sync/pull?cursor=${encodeURIComponent(body.cursor ?? '')}` : undefined
    }
  }

  #go({ version, tag }: PullResponse): void {
    if (version < (this.#version ?? 0)) throw new Error('a version went back')
    this.#version = version
    this.#tag = tag
  }

  #take({ changes, deleted }: PullResponse): void {
    if (!this.#held) return
    for (const [kind, records] of Object.entries(changes) as [RecordKind, JsonObject[]][]) {
      for (const record of records) this.#held.set(`${kind} ${record.id}`, { kind, record })
    }
    for (const [kind, records] of Object.entries(deleted)) {
      for (const { id } of records ?? []) this.#held.delete(`${kind} ${id}`)
    }
  }
}
