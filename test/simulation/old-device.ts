import { instantOf, type JsonObject, type PullResponse, settingsIdOf } from '@saldo/core'
import type { OutboxRow } from '../../packages/client/src/store/rows.ts'
import { type OldChange, OldProgram } from '../../packages/client/test/dexie/old-databases.ts'
import type { Fake } from './drive.ts'
import type { User } from './service.ts'

export type OldVersion = 1 | 2 | 3

/** Marks a record that gets its name when the database is upgraded. */
const UNNAMED = '#'

/** A browser with the database of an old program, which queues changes, and what must become of them. */
export class OldDevice {
  readonly #version: OldVersion
  readonly #user: User
  readonly #program: Promise<OldProgram>
  /** By the record's name in the outbox of today, the note of the last change; null where that deletes it. */
  readonly #last = new Map<string, string | null>()

  constructor(version: OldVersion, user: User, { indexedDB }: Fake) {
    this.#version = version
    this.#user = user
    this.#program = OldProgram.open(version, user.id, indexedDB)
  }

  /** The result of a pull, as such a program understood it. */
  async pulled({ version, changes }: PullResponse): Promise<void> {
    const kinds = ['entries', 'closed_days', 'closed_weeks', 'balance_adjustments', 'settings_history'] as const
    const known = kinds.filter((kind) => kind !== 'balance_adjustments' || this.#version > 1)
    const understood = known.filter((kind) => kind !== 'settings_history' || this.#version > 2)
    const records = Object.fromEntries(understood.map((kind) => [kind, (changes[kind] ?? []) as JsonObject[]]))
    await (await this.#program).pulled(version, records)
  }

  /**
   * Queues a change; `undefined` where such a program had no such thing. Returns the change as a push of that time,
   * or of today, carries it; `undefined` also where the service has never had the record's number.
   */
  async change(
    kind: OldChange['kind'],
    id: string,
    content: JsonObject | null,
    nowMs: number,
  ): Promise<object | undefined> {
    if (kind === 'balance_adjustments' && this.#version === 1) return undefined
    const hasInteger = kind === 'settings_history' && this.#version < 3
    // Those above 0 are the service's, the others were made without a network.
    const number = Number(id.at(-1)) - 2
    const updated_at = instantOf(nowMs)
    const oldId = hasInteger ? number : id
    const stamp = kind === 'settings_history' && this.#version < 3 ? {} : { updated_at }
    const record = content && { id: oldId, ...content, ...stamp }
    const op = record ? 'upsert' : 'delete'
    await (await this.#program).changedOffline({ kind, op, id: oldId, updated_at, ...(record && { record }) })
    const newId = !hasInteger ? id : number > 0 ? settingsIdOf(this.#user.id, number) : undefined
    this.#last.set(`${kind} ${newId ?? UNNAMED + number}`, content && String(content.note ?? content.reason))
    if (newId === undefined) return undefined
    return content ? { kind, op, record: { ...content, id: newId, updated_at } } : { kind, op, id: newId, updated_at }
  }

  async end(): Promise<void> {
    const program = await this.#program
    program.close()
  }

  /** Throws where a change is not in the outbox of today. */
  check(outbox: readonly OutboxRow[]): void {
    if (outbox.length !== this.#last.size)
      throw new Error(`an upgrade made ${outbox.length} changes of ${this.#last.size}`)
    for (const [key, note] of this.#last) {
      const isIt = ({ kind, id, content }: OutboxRow) =>
        note === null
          ? content === null && (key === `${kind} ${id}` || key.includes(UNNAMED))
          : (content?.note ?? content?.reason) === note
      if (!outbox.some(isIt)) throw new Error(`an upgrade dropped ${key} of ${note}`)
    }
  }
}
