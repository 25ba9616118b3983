import type { Edit, Held, Tables } from '@saldo/client'
import {
  isJsonObject,
  isWritableKind,
  type JsonObject,
  type PullAnswer,
  type PushAnswer,
  type PushResult,
} from '@saldo/core'
import type { Watch } from './fragile-store.ts'
import type { Answer, Message } from './network.ts'

const kinds: Record<string, string> = {
  entries: 'entries',
  settings: 'settings_history',
  'balance/adjustments': 'balance_adjustments',
}

const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`
const editOf = ({ kind, id, updatedAt }: Pick<Edit, 'id' | 'updatedAt'> & { kind: string }) =>
  `${kind} ${id} ${updatedAt}`

/** A change that a request carries, and what its answer says of it. */
interface Told {
  key: string
  edit: string
  /** Whether the service has the change. */
  isStored: boolean
  isRefused: boolean
  /** The time of what stands; absent where the answer does not tell. */
  stands: string | undefined
}

/** What is known from outside of what must be true: the requests that the service carried out, and what each device keeps. */
export class Ledger {
  /** By record, the time of what the service has. */
  #stands = new Map<string, string>()
  #backup = new Map<string, string>()
  /** By record, the least time of what there must be in the end. */
  #floor = new Map<string, string>()
  /** By device and edit, the time that the service gave it. */
  readonly #stored = new Map<string, string>()
  readonly #refused = new Set<string>()
  readonly #sent = new Set<string>()
  #restores = 0

  /** The service carried a request out. */
  carried(message: Message, answer: Answer): void {
    for (const { key, edit, stands } of toldBy(message, answer)) {
      this.#sent.add(`${message.from} ${edit}`)
      if (stands === undefined) continue
      const before = this.#stands.get(key)
      if (before !== undefined && before > stands) throw new Error(`the service went back: ${key} ${before} ${stands}`)
      this.#stands.set(key, stands)
      this.#raise(key, stands)
    }
  }

  /** A device hears an answer. */
  heard(message: Message, answer: Answer): void {
    for (const { edit, isStored, isRefused, stands } of toldBy(message, answer)) {
      if (isStored && stands !== undefined) this.#stored.set(`${message.from} ${edit}`, stands)
      if (isRefused) this.#refused.add(`${message.from} ${edit}`)
    }
  }

  backedUp(): void {
    this.#backup = new Map(this.#stands)
  }

  /** The service has what the backup has; what any device holds must come back. */
  restored(held: readonly Held[]): void {
    this.#restores += 1
    this.#stands = new Map(this.#backup)
    this.#floor = new Map(this.#backup)
    for (const row of held) if (isWritableKind(row.kind)) this.#raise(keyOf(row), row.updatedAt)
  }

  /** Sees that a transaction of a device drops nothing silently, and does not go back. */
  watch(device: string): Watch {
    return async (before) => {
      const outbox = await before.outbox.all()
      const held = await before.held.all()
      const { point } = await before.meta()
      return async (after) => {
        for (const row of outbox) {
          await this.#left(device, row, after)
        }
        if (this.#restores > 0) return
        for (const row of held) {
          const now = await after.held.get(keyOf(row))
          if (now && now.version < row.version) throw new Error(`${device} went back: ${keyOf(row)}`)
          if (now && now.updatedAt < row.updatedAt) throw new Error(`${device} went back in time: ${keyOf(row)}`)
        }
        const end = (await after.meta()).point
        if (point && (!end || end.version < point.version)) throw new Error(`${device} forgot where it stood`)
      }
    }
  }

  /** What must be true of the service and of what it says it has, once everything is at rest. */
  check({ changes }: PullAnswer, excused: readonly string[]): void {
    for (const [key, floor] of this.#floor) {
      const stands = this.#stands.get(key)
      if ((stands === undefined || stands < floor) && !excused.includes(key)) {
        throw new Error(`lost: ${key} of ${floor}, the service has ${stands}`)
      }
    }
    const notes = new Set<string>()
    for (const [kind, records] of Object.entries(changes)) {
      if (kind.startsWith('closed')) continue
      for (const record of records as ({ id: string; updated_at: string } & JsonObject)[]) {
        const stands = this.#stands.get(keyOf({ kind, id: record.id }))
        if (stands !== record.updated_at) throw new Error(`the service has ${record.updated_at} instead of ${stands}`)
        const note = String(record.note ?? record.reason)
        if (notes.has(note)) throw new Error(`doubled: ${note}`)
        notes.add(note)
      }
    }
  }

  async #left(device: string, row: Edit & { attempts?: number }, after: Tables): Promise<void> {
    const now = await after.outbox.get(keyOf(row))
    if (now && now.updatedAt >= row.updatedAt) return
    const name = `${device} ${editOf(row)}`
    const stored = this.#stored.get(name)
    if (stored !== undefined) {
      this.#raise(keyOf(row), stored)
      return
    }
    if (this.#refused.has(name)) return
    if (await after.refused.get(editOf(row))) return
    if (await after.overridden.get(editOf(row))) return
    const wasNeverSent = ![...this.#sent].some((sent) => sent.startsWith(`${device} ${keyOf(row)} `))
    if (!now && wasNeverSent && !(await after.held.get(keyOf(row)))) return
    throw new Error(`${device} dropped ${editOf(row)}`)
  }

  #raise(key: string, floor: string): void {
    if ((this.#floor.get(key) ?? '') < floor) this.#floor.set(key, floor)
  }
}

function toldBy({ method, path, body }: Message, answer: Answer): Told[] {
  const said = body === undefined ? undefined : JSON.parse(body)
  const isOurs = answer.headers.has('saldo-protocol')
  if (path === '/api/sync/push') {
    const { results } = isOurs && answer.status === 200 ? (JSON.parse(answer.text) as PushAnswer) : { results: [] }
    return (said.changes as Sent[]).map((change, index) => toldByResult(change, results[index]))
  }
  const named = /^\/api\/(entries|settings|balance\/adjustments)(?:\/([^?]+))?(.*)/.exec(path)
  if (method === 'GET' || !named) return []
  const [, collection = '', id = said.id, query] = named
  const kind = kinds[collection] as string
  const updatedAt = new URLSearchParams(query).get('updated_at') ?? ''
  const { status, headers } = answer
  const there = isOurs && (status === 200 || status === 201) ? JSON.parse(answer.text) : undefined
  const stands = there?.updated_at ?? headers.get('saldo-updated-at') ?? undefined
  const isStored =
    isOurs && (method === 'DELETE' ? status === 204 || status === 404 : there !== undefined && says(there, said))
  const isRefused = isOurs && status >= 400 && ![401, 404, 408, 425, 429].includes(status) && status < 500
  return [{ key: keyOf({ kind, id }), edit: editOf({ kind, id, updatedAt }), isStored, isRefused, stands }]
}

type Sent = { kind: string; id: string; updated_at: string; record?: { id: string; updated_at: string } }

function toldByResult(change: Sent, result: PushResult | undefined): Told {
  const { kind } = change
  const { id, updated_at: updatedAt } = change.record ?? change
  const isStored = result?.status === 'applied' || result?.status === 'unchanged'
  const isRefused = result?.status === 'rejected'
  const stands = result?.updated_at
  return { key: keyOf({ kind, id }), edit: editOf({ kind, id, updatedAt }), isStored, isRefused, stands }
}

function says(record: unknown, content: unknown): boolean {
  if (!isJsonObject(record) || !isJsonObject(content)) return false
  return (record.note ?? record.reason) === (content.note ?? content.reason)
}
