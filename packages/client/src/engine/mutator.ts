import { type ContentInput, type EpochMs, isToAskFor, type RecordId, type WritableKind } from '@saldo/core'
import type { DeviceClock } from '../host/environment.ts'
import { noResponse, type Transport } from '../host/transport.ts'
import { StoreError } from '../store/errors.ts'
import { type Conflict, changeKey, type OutboxRow, type RejectedChange, recordKey } from '../store/rows.ts'
import type { LocalStore, Tables } from '../store/store.ts'
import { directRequest, readDirectResponse } from './direct-write.ts'
import { RejectedError } from './errors.ts'
import { type CheckedMutation, type Mutation, toMutation, toMutations, toUpdate } from './mutation.ts'
import { queueMutation, queueMutations, rowAfterChange, startGeneration } from './outbox.ts'
import { type ChangeOutcome, keepRejected, releaseRow, settleRow } from './settle.ts'

/** `stored` if the service has the mutation, `queued` if it waits in the outbox, or for its user to ask for it. */
export type MutationResult = 'stored' | 'queued'

/** A mutation under way. If the local store cannot keep it, both promises reject; `queued` may be ignored. */
export interface PendingMutation<Result = MutationResult> {
  /** Resolves once the local store has the change, before the service responds. */
  queued: Promise<void>
  /** Resolves once the service has responded or cannot be reached. */
  settled: Promise<Result>
}

/** An effect of a mutation on the sync. */
export type MutatorEvent = 'outboxReady' | 'unauthenticated' | 'historyReset' | 'pullDue'

export interface MutatorOptions {
  store: LocalStore
  transport: Transport
  clock: DeviceClock
  newId: () => RecordId
  /** Returns the name of this tab in the rows that it sends. */
  tabName: () => string
  /** True while change notifications arrive. */
  isConnected: () => boolean
  onEvent: (event: MutatorEvent) => void
  /** The store could not keep the result of a request: this tab has to give its name up. */
  onLostResult: () => Promise<void>
}

/** Takes mutations at any time, and sends a mutation directly if nothing else waits (R5.1). */
export class Mutator {
  readonly #options: MutatorOptions

  constructor(options: MutatorOptions) {
    this.#options = options
  }

  /** Creates or replaces a record; without an id, a new one is drawn (R5.2). Throws like `Collection.create`. */
  put<K extends WritableKind>(
    kind: K,
    content: ContentInput<K>,
    { id = this.#options.newId() }: { id?: RecordId } = {},
  ): PendingMutation<{ id: RecordId; result: MutationResult }> {
    const { queued, settled } = this.#sendOrQueue(async () => toMutation(kind, id, content))
    return { queued, settled: settled.then((result) => ({ id, result })) }
  }

  /** Replaces fields of a record. Throws like `put`, and `MissingRecordError` if there is no such record. */
  update<K extends WritableKind>(kind: K, id: RecordId, patch: Partial<ContentInput<K>>): PendingMutation {
    return this.#sendOrQueue((tables) => toUpdate(tables, kind, id, patch))
  }

  delete(kind: WritableKind, id: RecordId): PendingMutation {
    return this.#sendOrQueue(async () => ({ kind, id, content: null }))
  }

  /** Queues mutations of different records in one transaction, to be pushed together. Throws like the collection's. */
  queueAll<K extends WritableKind>(kind: K, mutations: readonly Mutation<K>[]): Promise<void> {
    return this.#queue(async (tables, nowMs) => {
      await queueMutations(tables, await toMutations(tables, kind, mutations), nowMs)
    })
  }

  /** Queues a rejected change again, with its time (D7.20), unless a later change of the record waits. */
  retry({ change }: RejectedChange): Promise<void> {
    return this.#queue(async (tables, nowMs) => {
      const [before] = await tables.outbox.ofRecords([recordKey(change)])
      if (before && before.updatedAt >= change.updatedAt) return
      await tables.rejectedChanges.delete([changeKey(change)])
      const row = rowAfterChange(before, change, { mayBeStored: true, nowMs })
      if (row) await tables.outbox.put([startGeneration(row)])
    })
  }

  /** Makes a rejected change anew, with other fields. Throws `InvalidRecordError` and `StoreError`. */
  edit({ change }: RejectedChange, patch: object): Promise<void> {
    return this.#queueForPush(async (tables) => {
      await tables.rejectedChanges.delete([changeKey(change)])
      return toMutation(change.kind, change.id, { ...change.content, ...patch })
    })
  }

  discard({ change }: RejectedChange): Promise<void> {
    return this.#options.store.write((tables) => tables.rejectedChanges.delete([changeKey(change)]))
  }

  /** Makes a change that lost anew, so that it wins. Throws `StoreError`. */
  restoreMine({ mine }: Conflict): Promise<void> {
    return this.#queueForPush(async (tables) => {
      await tables.conflicts.delete([changeKey(mine)])
      return mine
    })
  }

  dismiss({ mine }: Conflict): Promise<void> {
    return this.#options.store.write((tables) => tables.conflicts.delete([changeKey(mine)]))
  }

  undoDismiss(conflict: Conflict): Promise<void> {
    return this.#options.store.write((tables) => tables.conflicts.put([conflict]))
  }

  /** Makes the mutation that `prepare` returns in the same transaction, and sends it at once if nothing else waits. */
  #sendOrQueue(prepare: (tables: Tables) => Promise<CheckedMutation>): PendingMutation {
    const { store, clock, tabName, onEvent } = this.#options
    const queueing = store.write(async (tables) => {
      const { device, row, isAlone } = await queueMutation(tables, await prepare(tables), clock.now())
      const sentRow = row && isAlone ? startGeneration(row, tabName()) : undefined
      if (sentRow) await tables.outbox.put([sentRow])
      return { device, sentRow }
    })
    const settled = queueing.then(({ device, sentRow }): Promise<MutationResult> | MutationResult => {
      if (sentRow) return this.#sendDirectly(sentRow, device)
      onEvent('outboxReady')
      return 'queued'
    })
    const queued = queueing.then(() => {})
    // `settled` has the error, too.
    queued.catch(() => {})
    return { queued, settled }
  }

  async #sendDirectly(row: OutboxRow, device: string): Promise<MutationResult> {
    const { transport, onEvent } = this.#options
    // A push follows, which meets the same defect and reports it.
    const response = await transport(directRequest(row, device)).catch(() => noResponse)
    const outcome = readDirectResponse(row, response)
    if (outcome) return this.#settleDirectly(row, outcome)
    await this.#storeResultOrRejoin((tables) => releaseRow(tables, row))
    onEvent(response.outcome === 'unauthenticated' ? 'unauthenticated' : 'outboxReady')
    return 'queued'
  }

  async #settleDirectly(row: OutboxRow, outcome: ChangeOutcome): Promise<MutationResult> {
    const { clock, onEvent, isConnected } = this.#options
    // Whoever made the change can ask for it later, from the rejected changes.
    const isKept = outcome.outcome === 'rejected' && isToAskFor(outcome.problem)
    const settlement = await this.#storeResultOrRejoin(async (tables) => {
      const settled = await settleRow(tables, row, outcome, clock.now())
      if (isKept) await keepRejected(tables, [settled], clock.now())
      return settled
    })
    if (settlement?.outcome === 'historyReset') onEvent('historyReset')
    else if (settlement?.row) onEvent('outboxReady')
    if (settlement?.outcome !== 'settled' || isKept) return 'queued'
    if (outcome.outcome === 'rejected') throw new RejectedError(outcome.problem)
    // The change may have altered figures of closed days, which only a pull brings.
    if (!isConnected()) onEvent('pullDue')
    return 'stored'
  }

  /**
   * Makes a mutation of a change that a request has carried before, so that a state of it may have arrived. It is
   * pushed with others: if it is rejected, it is kept with the rejected changes and does not depend on the caller.
   */
  #queueForPush(prepare: (tables: Tables) => Promise<CheckedMutation>): Promise<void> {
    return this.#queue(async (tables, nowMs) => {
      const { row } = await queueMutation(tables, await prepare(tables), nowMs)
      if (row) await tables.outbox.put([startGeneration(row)])
    })
  }

  /** Runs a transaction that changes the outbox, and has it sent. */
  async #queue(body: (tables: Tables, nowMs: EpochMs) => Promise<void>): Promise<void> {
    const { store, clock, onEvent } = this.#options
    await store.write((tables) => body(tables, clock.now()))
    onEvent('outboxReady')
  }

  /**
   * Stores the result of a request. If the store cannot, returns `undefined`: another tab sends the row again. Throws a
   * `StoreError` if the row was deleted with the store.
   */
  async #storeResultOrRejoin<T>(body: (tables: Tables) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#options.store.write(body)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      await this.#options.onLostResult()
      if (this.#options.store.error()?.code === 'gone') throw error
      return undefined
    }
  }
}
