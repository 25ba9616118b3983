import {
  type Content,
  DAY_MS,
  type EpochMs,
  type InputError,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  type Problem,
  parseContent,
  type Random,
  type RecordKind,
  type WritableKind,
} from '@saldo/core'
import { backoffMs } from './backoff.ts'
import { doubtAfterDefect, NO_DOUBT } from './batch.ts'
import { coldStart, contentOf } from './cold-start.ts'
import type { Held } from './held.ts'
import { type Edit, editTime, type Pending, queue, release, send } from './pending.ts'
import type { Answer, Settlement } from './settle.ts'
import { after, type Event, isBusy, type State, type Sync } from './states.ts'
import { Listeners } from './store/listeners.ts'
import { editKey, type LocalStore, type Overridden, type Refused, recordKey, type Tables } from './store/store.ts'
import { type Failure, pullOnce, pushOnce, releaseRows, type SyncContext, settleRow } from './sync.ts'
import type { Reply, Request, Transport } from './transport.ts'
import { type Shown, show, showAll } from './view.ts'

/** How many cold starts in a row may fail before the user is told (D7). */
const MOST_COLD_STARTS = 3

/** How long what another device overrode is kept, in milliseconds (D7). */
const OVERRIDDEN_KEPT_MS = 30 * DAY_MS

export interface DeviceOptions {
  store: LocalStore
  transport: Transport
  clock: DeviceClock
  random: Random & { fraction(): number }
}

/** A clock that can also wait. */
export interface DeviceClock {
  now(): EpochMs
  /** Calls `work` once after `ms` milliseconds. Returns what prevents that. */
  after(ms: number, work: () => void): () => void
}

/** What became of a change: the service has it, or it waits to be sent. */
export type Stored = 'stored' | 'queued'

/** The change is not valid, and was not made. */
export class InvalidRecordError extends Error {
  readonly errors: readonly InputError[]

  constructor(errors: readonly InputError[]) {
    super(errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; '))
    this.name = 'InvalidRecordError'
    this.errors = errors
  }
}

/** The service refused the change, and it was undone here. */
export class RefusedError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'RefusedError'
    this.problem = problem
  }
}

/** What a device tells of itself. */
export interface Status {
  state: State
  pending: number
  refused: number
  overridden: number
  /** When sync last came to an end, in milliseconds since 1970. */
  lastSuccessMs: EpochMs | null
  lastError: string | null
}

/** What a user wants a record to be; null content deletes it. */
type Wanted = Pick<Edit, 'kind' | 'id' | 'content'>

const paths: Record<WritableKind, string> = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
}

/** One device of a user: it takes changes at any time, and exchanges them with the service when it can. */
export class Device {
  readonly #store: LocalStore
  readonly #transport: Transport
  readonly #clock: DeviceClock
  readonly #random: DeviceOptions['random']
  readonly #tab: string
  #sync: Sync = { state: 'stopped', again: false }
  #working: Promise<void> | undefined
  /** Counts the changes of state, so that the outcome of a step that an event overtook is known as such. */
  #turn = 0
  readonly #listeners = new Listeners()
  #stopWaiting = () => {}
  #failures = 0
  #retryAfterMs = 0
  #doubt = NO_DOUBT
  #coldStarts = 0
  #isOther = false
  #lastSuccessMs: EpochMs | null = null
  #lastError: string | null = null

  constructor({ store, transport, clock, random }: DeviceOptions) {
    this.#store = store
    this.#transport = transport
    this.#clock = clock
    this.#random = random
    this.#tab = random.uuid()
  }

  /** Repairs what a crash left, forgets what was overridden long ago, and begins to sync. */
  async start(): Promise<void> {
    const oldestMs = this.#clock.now() - OVERRIDDEN_KEPT_MS
    await this.#store.run(async (tables) => {
      const left = (await tables.outbox.all()).filter(({ sender }) => sender !== null)
      await tables.outbox.put(left.map(release))
      const old = (await tables.overridden.all()).filter(({ overriddenAtMs }) => overriddenAtMs < oldestMs)
      await tables.overridden.delete(old.map(({ mine }) => editKey(mine)))
    })
    this.happen('start')
  }

  /** Calls `listener` when what the device does has changed. Returns what ends that. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Ends the sync once the work under way is done. Nothing that waits is lost. */
  async stop(): Promise<void> {
    this.happen('stop')
    await this.#working
  }

  /** Creates or replaces a record; without an id, a new one is made (R5.2). Throws `InvalidRecordError`, `RefusedError`. */
  async put<K extends WritableKind>(
    kind: K,
    content: Content<K>,
    id = this.#random.uuid(),
  ): Promise<{ id: string; stored: Stored }> {
    const wanted = wantedOf(kind, id, content)
    return { id, stored: await this.#change(async () => wanted) }
  }

  /** Replaces some fields of a record as it is shown. Throws like `put`, and a `RangeError` where there is none. */
  update<K extends WritableKind>(kind: K, id: string, patch: Partial<Content<K>>): Promise<Stored> {
    return this.#change(async (tables) => {
      const key = recordKey({ kind, id })
      const shown = show(await tables.held.get(key), await tables.outbox.get(key))
      if (!shown) throw new RangeError(`there is no record ${id}`)
      return wantedOf(kind, id, { ...shown.record, ...patch })
    })
  }

  /** Deletes a record. Throws `RefusedError`. */
  delete(kind: WritableKind, id: string): Promise<Stored> {
    return this.#change(async () => ({ kind, id, content: null }))
  }

  /** The records of a kind as the user sees them. */
  list(kind: RecordKind): Promise<Shown[]> {
    return this.#store.run((tables) => showAll(tables, kind))
  }

  /** What the service refused. */
  refused(): Promise<Refused[]> {
    return this.#store.run((tables) => tables.refused.all())
  }

  /** Queues a refused edit again, with its time (D7). */
  async retry({ edit }: Refused): Promise<void> {
    await this.#store.run(async (tables) => {
      const key = recordKey(edit)
      const before = await tables.outbox.get(key)
      await tables.refused.delete([editKey(edit)])
      if (before && before.updatedAt >= edit.updatedAt) return
      // An earlier state of the record may have reached the service before this one was refused.
      const attempts = (before?.attempts ?? 0) + 1
      await tables.outbox.put([{ ...edit, place: before?.place ?? edit.seq, attempts, sender: null }])
    })
    this.happen('mutated')
  }

  discard({ edit }: Refused): Promise<void> {
    return this.#store.run((tables) => tables.refused.delete([editKey(edit)]))
  }

  /** What other devices overrode. */
  overridden(): Promise<Overridden[]> {
    return this.#store.run((tables) => tables.overridden.all())
  }

  /** Makes an edit that lost anew, so that it wins. */
  takeMineBack({ mine }: Overridden): Promise<Stored> {
    return this.#change(async (tables) => {
      await tables.overridden.delete([editKey(mine)])
      return mine
    })
  }

  dismiss({ mine }: Overridden): Promise<void> {
    return this.#store.run((tables) => tables.overridden.delete([editKey(mine)]))
  }

  async status(): Promise<Status> {
    const counts = await this.#store.run(async (tables) => ({
      pending: (await tables.outbox.all()).length,
      refused: (await tables.refused.all()).length,
      overridden: (await tables.overridden.all()).length,
    }))
    return { ...counts, state: this.#sync.state, lastSuccessMs: this.#lastSuccessMs, lastError: this.#lastError }
  }

  /** Tells the device what happened outside: `online`, `offline`, `woken`, `signedIn`. */
  happen(event: Event): void {
    const before = this.#sync.state
    this.#sync = after(this.#sync, event)
    if (this.#sync.state === before) return
    this.#listeners.call()
    this.#turn += 1
    this.#stopWaiting()
    if (this.#sync.state === 'waiting') this.#wait()
    if (isBusy(this.#sync.state)) this.#working ??= this.#work()
  }

  /** Resolved when the device has come to rest: nothing to do, or waiting for something. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working
  }

  /** Makes an edit, which `prepare` tells in the same transaction. */
  async #change(prepare: (tables: Tables) => Promise<Wanted>): Promise<Stored> {
    const { device, direct } = await this.#store.run(async (tables) => this.#record(tables, await prepare(tables)))
    if (!direct) {
      this.happen('mutated')
      return 'queued'
    }
    const reply = await this.#transport(directRequest(direct, device))
    const answer = directAnswer(direct, reply)
    if (!answer) {
      await this.#store.run((tables) => releaseRows(tables, [direct]))
      this.happen(reply.outcome === 'unauthenticated' ? 'unauthenticated' : 'mutated')
      return 'queued'
    }
    const settle = answer.status === 'rejected' ? undo : settleRow
    const { counts, pending, isForeign } = await this.#store.run((tables) =>
      settle(tables, direct, answer, this.#clock.now()),
    )
    if (isForeign) this.happen(this.#replaced())
    else if (pending) this.happen('mutated')
    if (!counts) return 'queued'
    if (answer.status === 'rejected') throw new RefusedError(answer.problem)
    return 'stored'
  }

  /** Writes an edit into the outbox, before any request leaves. `direct` where a request of its own carries it (R5.1). */
  async #record(tables: Tables, wanted: Wanted): Promise<{ device: string; direct: Pending | undefined }> {
    const key = recordKey(wanted)
    const [held, before, others, meta] = [
      await tables.held.get(key),
      await tables.outbox.get(key),
      await tables.outbox.all(),
      await tables.meta(),
    ]
    const seq = meta.seq + 1
    const updatedAt = editTime(later(held, before), { nowMs: this.#clock.now(), offsetMs: meta.offsetMs })
    const edit: Edit = { ...wanted, updatedAt, seq }
    await tables.setMeta({ ...meta, seq })
    const row = queue(before, edit, held !== undefined)
    if (!row) {
      await tables.outbox.delete([key])
      return { device: meta.device, direct: undefined }
    }
    const direct = !before && others.every(({ sender }) => sender !== null) ? send(row, this.#tab) : undefined
    await tables.outbox.put([direct ?? row])
    return { device: meta.device, direct }
  }

  async #work(): Promise<void> {
    const context: SyncContext = {
      store: this.#store,
      transport: this.#transport,
      now: () => this.#clock.now(),
      tab: this.#tab,
    }
    while (isBusy(this.#sync.state)) {
      const turn = this.#turn
      const event = await this.#step(context).catch((error: unknown) => this.#broke(error))
      if (event && turn === this.#turn) this.happen(event)
    }
    this.#working = undefined
  }

  /** Does what the state asks for; `undefined` where it asks for nothing. */
  async #step(context: SyncContext): Promise<Event | undefined> {
    switch (this.#sync.state) {
      case 'pushing': {
        const pushed = await pushOnce(context, this.#doubt.most)
        if (typeof pushed === 'object') {
          if (pushed.failed === 'defect') await this.#suspect(pushed.batch, pushed.problem)
          return this.#failed(pushed)
        }
        if (pushed === 'replaced') return this.#replaced()
        this.#doubt = pushed === 'some' ? { ...this.#doubt, defects: 0 } : NO_DOUBT
        return pushed === 'some' ? 'pushedSome' : 'pushedAll'
      }
      case 'pulling': {
        const pulled = await pullOnce(context)
        if (typeof pulled === 'object') {
          return 'failed' in pulled ? this.#failed(pulled) : this.#replaced()
        }
        if (pulled === 'all') this.#succeeded()
        return ({ some: 'pulledSome', all: 'pulledAll', stale: 'stale' } as const)[pulled]
      }
      case 'coldStarting': {
        if (this.#coldStarts === MOST_COLD_STARTS) return this.#gaveUp()
        const started = await coldStart(context, this.#isOther)
        if (typeof started === 'object') return this.#failed(started)
        this.#coldStarts += 1
        this.#isOther = started === 'replaced'
        return started === 'replaced' ? 'replaced' : 'coldStarted'
      }
      case 'stopped':
      case 'idle':
      case 'waiting':
      case 'offline':
      case 'signInNeeded':
      case 'broken':
        return undefined
    }
  }

  /** The service failed at a batch: its rows are sent again, and one that is found to be the cause goes to the tray. */
  async #suspect(batch: readonly Pending[], problem: Problem): Promise<void> {
    const doubt = doubtAfterDefect(this.#doubt, batch.length)
    this.#doubt = doubt === 'found' ? NO_DOUBT : doubt
    if (doubt !== 'found') return
    const answer: Answer = { status: 'rejected', problem }
    await this.#store.run((tables) => settleRow(tables, batch[0] as Pending, answer, this.#clock.now()))
  }

  #failed(failure: Failure): Event {
    if (failure.failed === 'unauthenticated') return 'unauthenticated'
    this.#failures += 1
    this.#retryAfterMs = failure.failed === 'refused' ? 0 : failure.retryAfterMs
    this.#lastError = failure.problem?.detail ?? 'The service cannot be reached.'
    return 'unreachable'
  }

  #replaced(): Event {
    this.#isOther = true
    return 'replaced'
  }

  #gaveUp(): Event {
    this.#coldStarts = 0
    this.#lastError = 'The service cannot be followed.'
    return 'gaveUp'
  }

  /** The store failed, such as on a full disk. */
  #broke(error: unknown): Event {
    this.#failures += 1
    this.#retryAfterMs = 0
    this.#lastError = String(error)
    return 'unreachable'
  }

  #succeeded(): void {
    this.#failures = 0
    this.#coldStarts = 0
    this.#lastError = null
    this.#lastSuccessMs = this.#clock.now()
  }

  #wait(): void {
    const ms = backoffMs(Math.max(this.#failures, 1), this.#random.fraction(), this.#retryAfterMs)
    this.#stopWaiting = this.#clock.after(ms, () => this.happen('waited'))
  }
}

function wantedOf(kind: WritableKind, id: string, content: unknown): Wanted {
  const checked = parseContent(kind, content)
  if (!checked.ok) throw new InvalidRecordError(checked.errors)
  return { kind, id, content: checked.value as JsonObject }
}

/** The later of what is edited: what is pending, or else what the service has. */
function later(held: Held | undefined, pending: Pending | undefined): { updatedAt: string } | undefined {
  if (!held || !pending) return pending ?? held
  return held.updatedAt > pending.updatedAt ? held : pending
}

/** The request that carries an edit alone (D6). */
function directRequest({ kind, id, content, updatedAt, seq }: Edit, device: string): Request {
  const query = new URLSearchParams({ updated_at: updatedAt, device, seq: String(seq) })
  const path = `${paths[kind]}/${id}?${query}`
  return content === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: content }
}

/** What the reply to such a request says of the edit; `undefined` where it says nothing. */
function directAnswer(edit: Edit, reply: Reply): Answer | undefined {
  if (reply.outcome === 'answered') {
    if (edit.content === null && reply.status === 204) return gone(edit, reply.headers)
    return isRecord(reply.body) ? standing(edit, reply.body) : undefined
  }
  if (reply.outcome !== 'refused') return undefined
  return reply.status === 404 ? gone(edit, reply.headers) : { status: 'rejected', problem: reply.problem }
}

/** The record is deleted, as the edit or another change wanted it. */
function gone({ kind, id, content }: Edit, headers: Headers): Answer | undefined {
  const [version, updatedAt] = [headers.get('saldo-version'), headers.get('saldo-updated-at')]
  if (version === null || updatedAt === null) return undefined
  const stands = { kind, id, version: Number(version), updatedAt, record: null }
  return { status: content === null ? 'stored' : 'superseded', stands: { ...stands, unconfirmed: true } }
}

function standing({ kind, id, content }: Edit, record: JsonObject & Stamp): Answer {
  const stands = { kind, id, version: record.version, updatedAt: record.updated_at, record, unconfirmed: true }
  return { status: content !== null && jsonEqual(contentOf(record), content) ? 'stored' : 'superseded', stands }
}

interface Stamp {
  version: number
  updated_at: string
}

function isRecord(body: unknown): body is JsonObject & Stamp {
  return isJsonObject(body) && Number.isSafeInteger(body.version) && typeof body.updated_at === 'string'
}

/** Takes a refused edit back, unless another was made on it meanwhile. */
async function undo(tables: Tables, sent: Pending): Promise<Settlement> {
  const row = await tables.outbox.get(recordKey(sent))
  if (row?.attempts !== sent.attempts) return { counts: false, pending: row }
  if (row.updatedAt === sent.updatedAt) {
    await tables.outbox.delete([recordKey(sent)])
    return { counts: true, pending: undefined }
  }
  await tables.outbox.put([release(row)])
  return { counts: true, pending: row }
}
