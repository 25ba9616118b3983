import type { Draft, RecordId, WritableKind } from '@saldo/core'
import type { DeviceClock } from '../host/clock.ts'
import type { Transport } from '../host/transport.ts'
import { StoreError } from '../store/errors.ts'
import { type Conflict, changeKey, type RejectedChange, recordKey } from '../store/rows.ts'
import type { LocalStore, Tables } from '../store/store.ts'
import {
  directRequest,
  type Mutation,
  queueMutation,
  RejectedError,
  readDirectReply,
  toMutation,
  toUpdate,
  undoChange,
} from './mutations.ts'
import { invalidateRequests, startSending } from './outbox.ts'
import { type RowSettlement, releaseRows, settleRow } from './push.ts'
import type { ChangeOutcome } from './settle.ts'

/** `stored` if the service has the mutation, `queued` if it waits in the outbox. */
export type MutationResult = 'stored' | 'queued'

/** An effect of a mutation on the sync. */
export type MutationEvent = 'mutated' | 'unauthenticated' | 'historyReset' | 'figuresOutdated'

export interface MutatorOptions {
  store: LocalStore
  transport: Transport
  clock: DeviceClock
  newId: () => RecordId
  /** Returns the name of this tab in the rows that it sends. */
  tabName: () => string
  /** True while change notifications arrive. */
  isLive: () => boolean
  onEvent: (event: MutationEvent) => void
  /** The store could not keep the result of a request: this tab has to give its name up. */
  onLostResult: () => Promise<void>
}

/** Takes mutations at any time, and sends a mutation directly if nothing else waits (R5.1). */
export class Mutator {
  readonly #options: MutatorOptions

  constructor(options: MutatorOptions) {
    this.#options = options
  }

  /**
   * Creates or replaces a record; without an id, a new one is drawn (R5.2). Throws `InvalidRecordError`,
   * `RejectedError`.
   */
  async put<K extends WritableKind>(
    kind: K,
    content: Draft<K>,
    id: RecordId = this.#options.newId(),
  ): Promise<{ id: RecordId; stored: MutationResult }> {
    const mutation = toMutation(kind, id, content)
    return { id, stored: await this.#send(async () => mutation) }
  }

  /** Replaces fields of a record. Throws like `put`, and a `RangeError` if there is no such record. */
  update<K extends WritableKind>(kind: K, id: RecordId, patch: Partial<Draft<K>>): Promise<MutationResult> {
    return this.#send((tables) => toUpdate(tables, kind, id, patch))
  }

  /** Deletes a record. Throws `RejectedError`. */
  delete(kind: WritableKind, id: RecordId): Promise<MutationResult> {
    return this.#send(async () => ({ kind, id, content: null }))
  }

  /** Queues a rejected change again, with its time (D7); not if a later change of the record waits. */
  async retry({ change }: RejectedChange): Promise<void> {
    const { store, clock, onEvent } = this.#options
    await store.write(async (tables) => {
      const before = await tables.outbox.get(recordKey(change))
      if (before && before.updatedAt >= change.updatedAt) return
      await tables.rejectedChanges.delete([changeKey(change)])
      // An earlier state of the record may have reached the service before this one was rejected.
      const generation = (before?.generation ?? 0) + 1
      const { place = change.seq, queuedAtMs = clock.now() } = before ?? {}
      await tables.outbox.put([{ ...change, place, queuedAtMs, generation, sender: null }])
    })
    onEvent('mutated')
  }

  /** Makes a rejected change anew, with other fields. Throws `InvalidRecordError`. */
  async edit({ change }: RejectedChange, patch: object): Promise<void> {
    await this.#queue(async (tables) => {
      await tables.rejectedChanges.delete([changeKey(change)])
      return toMutation(change.kind, change.id, { ...change.content, ...patch })
    })
  }

  discard({ change }: RejectedChange): Promise<void> {
    return this.#options.store.write((tables) => tables.rejectedChanges.delete([changeKey(change)]))
  }

  /** Makes a change that lost anew, so that it wins. */
  async restoreMine({ mine }: Conflict): Promise<void> {
    await this.#queue(async (tables) => {
      await tables.conflicts.delete([changeKey(mine)])
      return mine
    })
  }

  dismiss({ mine }: Conflict): Promise<void> {
    return this.#options.store.write((tables) => tables.conflicts.delete([changeKey(mine)]))
  }

  /** Makes the mutation that `prepare` returns in the same transaction, and sends it at once if nothing else waits. */
  async #send(prepare: (tables: Tables) => Promise<Mutation>): Promise<MutationResult> {
    const { store, transport, clock, tabName, onEvent } = this.#options
    const { device, direct } = await store.write(async (tables) => {
      const { device, row, isAlone } = await queueMutation(tables, await prepare(tables), clock.now())
      const direct = row && isAlone ? startSending(row, tabName()) : undefined
      if (direct) await tables.outbox.put([direct])
      return { device, direct }
    })
    if (!direct) {
      onEvent('mutated')
      return 'queued'
    }
    const reply = await transport(directRequest(direct, device))
    const outcome = readDirectReply(direct, reply)
    if (!outcome) {
      await this.#keep((tables) => releaseRows(tables, [direct]))
      const error = store.error()
      if (error?.code === 'gone') throw error
      onEvent(reply.outcome === 'unauthenticated' ? 'unauthenticated' : 'mutated')
      return 'queued'
    }
    const settlement = await this.#keep((tables) =>
      outcome.status === 'rejected' ? undoChange(tables, direct) : settleRow(tables, direct, outcome, clock.now()),
    )
    return settlement ? this.#report(settlement, outcome) : 'queued'
  }

  /**
   * Makes a mutation of a change that a request has carried before, so that a state of it may have arrived. It is
   * pushed with others: if it is rejected, it is kept with the rejected changes and does not depend on the caller.
   */
  async #queue(prepare: (tables: Tables) => Promise<Mutation>): Promise<void> {
    const { store, clock, onEvent } = this.#options
    await store.write(async (tables) => {
      const { row } = await queueMutation(tables, await prepare(tables), clock.now())
      if (row) await tables.outbox.put([invalidateRequests(row)])
    })
    onEvent('mutated')
  }

  #report(settlement: RowSettlement, outcome: ChangeOutcome): MutationResult {
    const { onEvent, isLive } = this.#options
    if (settlement.effect === 'historyReset') onEvent('historyReset')
    else if (settlement.row) onEvent('mutated')
    if (settlement.effect !== 'settled') return 'queued'
    if (outcome.status === 'rejected') throw new RejectedError(outcome.problem)
    if (!isLive()) onEvent('figuresOutdated')
    return 'stored'
  }

  /** Stores the result of a request. If the store cannot, returns `undefined`: another tab sends the row again. */
  async #keep<T>(body: (tables: Tables) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#options.store.write(body)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      await this.#options.onLostResult()
      return undefined
    }
  }
}
