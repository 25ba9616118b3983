import { isDeepStrictEqual } from 'node:util'
import {
  contentOf,
  GENERATED_AT,
  HOLIDAYS_SOURCE,
  isWritableKind,
  type JsonObject,
  type PullResponse,
} from '@saldo/core'
import { isOffer } from '../../packages/client/src/engine/outbox.ts'
import type { BaseRecord, OutboxRow } from '../../packages/client/src/store/rows.ts'
import type { ReadTables, TableName } from '../../packages/client/src/store/store.ts'
import { changeOutcomes, editOf, keyOf, type Rejection } from './change-outcomes.ts'
import type { Watch } from './disk.ts'
import type { Answer, Message, Reply } from './network.ts'

/** The content of a device's store when it was last checked. */
interface Kept {
  outbox: Map<string, OutboxRow>
  baseRecords: Map<string, Pick<BaseRecord, 'kind' | 'version' | 'updatedAt' | 'record' | 'unconfirmed'>>
  version: number | undefined
  /** When it last found that it does not hold what the service has. */
  divergedAtMs: number | undefined
}

/** Expected state of a user: changes that the service applied, and each device's store. */
export class Ledger {
  /** Every note that this user writes begins with it. */
  readonly mark: string
  /** By record, the time of what the service has. */
  #updatedAtByKey = new Map<string, string>()
  /** By device, the edits that the service has applied. */
  #applied = new Set<string>()
  #backup = { updatedAtByKey: new Map<string, string>(), applied: new Set<string>() }
  /** By record, the least time of what there must be in the end. */
  #floor = new Map<string, string>()
  /** By device and edit, the time that the service gave it. */
  readonly #stored = new Map<string, string>()
  readonly #rejected = new Map<string, Rejection>()
  /** The records with an edit that reached the service, by device. */
  readonly #sent = new Set<string>()
  /** By device, the notes that were written down. */
  readonly #written = new Set<string>()
  /** Number of restores of the service. */
  restores = 0
  /** Number of faults in a device's store. */
  corruptions = 0
  /**
   * By device, the records that rose from the dead; were they lost then too, no device would know that they were
   * deleted.
   */
  readonly risen = new Set<string>()

  constructor(mark: string) {
    this.mark = mark
  }

  /** The service carried requests out, at the same time where there are several. */
  carried(...replies: readonly Pick<Reply, 'message' | 'answer'>[]): void {
    const outcomes = replies.flatMap(({ message, answer }) =>
      changeOutcomes(message, answer).map((one) => ({ ...one, device: message.device })),
    )
    // In which order it stored them their times tell, which only grow.
    if (replies.length > 1) outcomes.sort((a, b) => ((a.storedUpdatedAt ?? '') < (b.storedUpdatedAt ?? '') ? -1 : 1))
    for (const { key, edit, seq, isApplied, storedUpdatedAt, device } of outcomes) {
      // A claim is stored at another time, so that its own may be that of a later edit; only its number tells it (D6).
      if (isApplied && seq !== undefined) this.#applyOnce(`${device} ${edit} #${seq}`)
      if (isApplied && edit.endsWith(` ${storedUpdatedAt}`)) this.#applyOnce(`${device} ${edit}`)
      this.#sent.add(`${device} ${key}`)
      if (storedUpdatedAt !== undefined) this.#noteStored(key, storedUpdatedAt)
    }
  }

  /** Notes that a request reached the service, with an unknown outcome. */
  reached(message: Message): void {
    const nothing = { status: 0, headers: new Headers(), text: '' }
    for (const { key } of changeOutcomes(message, nothing)) this.#sent.add(`${message.device} ${key}`)
  }

  /** The service's records according to pulls. */
  seen({ changes, deleted }: Pick<PullResponse, 'changes' | 'deleted'>): void {
    for (const [kind, rows] of [...Object.entries(changes), ...Object.entries(deleted)]) {
      if (!isWritableKind(kind)) continue
      for (const { id, updated_at } of rows as { id: string; updated_at: string }[])
        this.#noteStored(keyOf({ kind, id }), updated_at)
    }
  }

  #noteStored(key: string, storedUpdatedAt: string): void {
    const before = this.#updatedAtByKey.get(key)
    if (before !== undefined && before > storedUpdatedAt)
      throw new Error(`the service went back: ${key} ${before} ${storedUpdatedAt}`)
    this.#updatedAtByKey.set(key, storedUpdatedAt)
    this.#raise(key, storedUpdatedAt)
  }

  /** An edit is applied once in a history, however often it is sent. */
  #applyOnce(edit: string): void {
    if (this.#applied.has(edit)) throw new Error(`applied twice: ${edit}`)
    this.#applied.add(edit)
  }

  /** Notes that a device got an answer. */
  heard(message: Message, answer: Answer): void {
    for (const { edit, isStored, rejected, storedUpdatedAt } of changeOutcomes(message, answer)) {
      const name = `${message.device} ${edit}`
      if (isStored && storedUpdatedAt !== undefined) this.#stored.set(name, storedUpdatedAt)
      // An answer that could not be stored counts no longer once the change was sent again.
      if (rejected) this.#rejected.set(name, rejected)
      else this.#rejected.delete(name)
    }
  }

  /** A device says that it has a change. */
  acknowledged(device: string, note: string): void {
    if (!this.#written.has(`${device} ${note}`)) throw new Error(`${device} never wrote down ${note}`)
  }

  backedUp(): void {
    this.#backup = { updatedAtByKey: new Map(this.#updatedAtByKey), applied: new Set(this.#applied) }
  }

  /** The service has what the backup has; what any device holds must come back. */
  restored(held: readonly BaseRecord[]): void {
    this.restores += 1
    this.#updatedAtByKey = new Map(this.#backup.updatedAtByKey)
    this.#applied = new Set(this.#backup.applied)
    this.#floor = new Map(this.#backup.updatedAtByKey)
    for (const row of held) if (isWritableKind(row.kind)) this.#raise(keyOf(row), row.updatedAt)
  }

  /** A fault took a record from a device. What neither the service nor any device has of it cannot come back. */
  takenByFault(taken: BaseRecord, held: readonly BaseRecord[]): void {
    if (!isWritableKind(taken.kind)) return
    const key = keyOf(taken)
    const stored = this.#updatedAtByKey.get(key)
    const left = held.filter((row) => keyOf(row) === key).map(({ updatedAt }) => updatedAt)
    this.#floor.delete(key)
    for (const updatedAt of stored === undefined ? left : [stored, ...left]) this.#raise(key, updatedAt)
  }

  /**
   * Sees that a device drops nothing silently, nor when the power fails, that it has nothing of anybody else, that it
   * goes back no more often than the service was restored or something went wrong with what it keeps, and that
   * without the latter it never finds that it differs from the service.
   */
  watch(device: string): Watch {
    let kept: Kept | undefined
    let keptBefore: Kept | undefined
    let goneBack = 0
    let diverged = 0
    return {
      begin: async (tables, isTorn) => {
        const before = isTorn ? keptBefore : kept
        // A finding lost with the power is found again.
        if (before?.divergedAtMs !== kept?.divergedAtMs) diverged -= 1
        if (isTorn && before && kept && wentBack(before, kept)) goneBack -= 1
        const now = await this.#keptIn(device, tables, undefined, undefined)
        for (const row of before?.outbox.values() ?? []) await this.#left(device, row, now, tables)
        kept = now
      },
      look: async (tables, changed) => {
        const before = kept
        const now = await this.#keptIn(device, tables, before, changed)
        keptBefore = before
        kept = now
        if (!before) throw new Error(`${device} wrote before it was looked at`)
        if (changed.has('outbox')) {
          for (const row of before.outbox.values()) await this.#left(device, row, now, tables)
        }
        this.#requireKept(device, before, now)
        if (now.divergedAtMs !== before.divergedAtMs) diverged += 1
        // Between the pages of a snapshot, a restore can take away what the later pages were of.
        if (diverged > this.corruptions + this.restores) throw new Error(`${device} diverged by itself`)
        if (!wentBack(before, now)) return
        goneBack += 1
        if (goneBack > this.restores + this.corruptions) throw new Error(`${device} went back`)
      },
    }
  }

  /** Checks the service and its answers, once everything is at rest. */
  check({ changes }: PullResponse, excused: readonly string[]): void {
    for (const [key, floor] of this.#floor) {
      const storedUpdatedAt = this.#updatedAtByKey.get(key)
      if ((storedUpdatedAt === undefined || storedUpdatedAt < floor) && !excused.includes(key)) {
        throw new Error(`lost: ${key} of ${floor}, the service has ${storedUpdatedAt}`)
      }
    }
    const notes = new Set<string>()
    for (const [kind, records] of Object.entries(changes)) {
      if (kind.startsWith('closed')) continue
      for (const record of records as ({ id: string; updated_at: string } & JsonObject)[]) {
        if (isGenerated(record)) continue
        const storedUpdatedAt = this.#updatedAtByKey.get(keyOf({ kind, id: record.id }))
        if (storedUpdatedAt !== record.updated_at)
          throw new Error(`the service has ${record.updated_at} instead of ${storedUpdatedAt}`)
        const note = noteOf(record) ?? ''
        this.#requireOwn('the service', note)
        if (notes.has(note)) throw new Error(`doubled: ${note}`)
        notes.add(note)
      }
    }
  }

  async #keptIn(
    device: string,
    tables: ReadTables,
    before: Kept | undefined,
    changed: ReadonlySet<TableName> | undefined,
  ): Promise<Kept> {
    const isNews = (name: TableName) => !before || !changed || changed.has(name)
    const { position, divergence } = await tables.meta()
    const version = position?.version
    const outbox = isNews('outbox') ? byKey(await tables.outbox.all()) : (before as Kept).outbox
    const baseRecords = isNews('baseRecords') ? byKey(await tables.baseRecords.all()) : (before as Kept).baseRecords
    for (const { content, updatedAt } of outbox.values()) {
      // A cold start offers a holiday that the service lost.
      if (content && isGenerated({ ...content, updated_at: updatedAt })) continue
      const note = noteOf(content)
      if (note !== undefined) this.#written.add(`${device} ${note}`)
      this.#requireOwn(device, note)
    }
    if (isNews('baseRecords'))
      for (const { record } of baseRecords.values() as Iterable<BaseRecord>) {
        if (!record || !isGenerated(record)) this.#requireOwn(device, noteOf(record))
      }
    return { outbox, baseRecords, version, divergedAtMs: divergence?.foundAtMs }
  }

  #requireOwn(where: string, note: string | undefined): void {
    if (note !== undefined && !note.startsWith(this.mark))
      throw new Error(`${where} has what another user wrote: ${note}`)
  }

  /** An outbox row may change to a later edit, and leave once the service has it or the user sees it elsewhere. */
  async #left(device: string, row: OutboxRow, now: Kept, tables: ReadTables): Promise<void> {
    const key = keyOf(row)
    const there = now.outbox.get(key)
    if (there && there.updatedAt >= row.updatedAt) return
    const edit = editOf(row)
    const stored = this.#stored.get(`${device} ${edit}`)
    if (stored !== undefined) {
      // The restored service need not know of a delete in the old history, and nothing is lost by that.
      if (row.content !== null || this.#updatedAtByKey.has(key)) this.#raise(key, stored)
      return
    }
    const rejected = this.#rejected.get(`${device} ${edit}`)
    if (rejected === 'thrown') return
    if (rejected === 'kept') {
      if (!(await tables.rejectedChanges.get(edit))) throw new Error(`${device} has no rejected change for ${edit}`)
      return
    }
    // Nobody made this edit: the floor says whether the record was lost.
    if (isOffer(row)) return
    if ((await tables.rejectedChanges.get(edit)) || (await tables.conflicts.get(edit))) return
    // Somebody else made of it what was wanted.
    const has = now.baseRecords.get(key)
    if (has && isDeepStrictEqual(has.record && plain(contentOf(has.record)), plain(row.content))) return
    // Created and deleted here, before any request carried it.
    if (!there && row.generation === 0 && !this.#sent.has(`${device} ${key}`) && !now.baseRecords.has(key)) return
    throw new Error(`${device} dropped ${edit}`)
  }

  /** Checks that tombstones stay, and that only pulls confirm records. */
  #requireKept(device: string, before: Kept, now: Kept): void {
    if (before.baseRecords !== now.baseRecords) {
      for (const [key, { kind, record }] of before.baseRecords) {
        const isDeleted = record === null && isWritableKind(kind) && !this.risen.has(`${device} ${key}`)
        const isForgotten = isDeleted && !now.baseRecords.has(key)
        if (isForgotten) throw new Error(`${device} forgot the deletion of ${key}`)
      }
    }
    const { version } = now
    if (version === undefined) return
    for (const [key, row] of now.baseRecords) {
      if (row.version > version && !row.unconfirmed) throw new Error(`${device} takes ${key} for confirmed`)
    }
  }

  #raise(key: string, floor: string): void {
    if ((this.#floor.get(key) ?? '') < floor) this.#floor.set(key, floor)
  }
}

function byKey<T extends { kind: string; id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [keyOf(row), row]))
}

function wentBack(before: Kept, now: Kept): boolean {
  if (before.version !== undefined && (now.version === undefined || now.version < before.version)) return true
  if (before.baseRecords === now.baseRecords) return false
  return [...before.baseRecords].some(([key, row]) => {
    const there = now.baseRecords.get(key)
    return there !== undefined && (there.version < row.version || there.updatedAt < row.updatedAt)
  })
}

/** A value that no two changes share. */
function noteOf(content: JsonObject | null): string | undefined {
  const note = content?.note ?? content?.reason
  return typeof note === 'string' ? note : undefined
}

/** True for a public holiday that the service generated and nobody edited. */
function isGenerated({ updated_at, source }: JsonObject): boolean {
  return source === HOLIDAYS_SOURCE && updated_at === GENERATED_AT
}

/** Without the prototypes that equality would tell apart. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
