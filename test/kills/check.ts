import { isDeepStrictEqual } from 'node:util'
import {
  type DigestResponse,
  DigestSum,
  type JsonObject,
  type PullResponse,
  type RecordKind,
  recordKinds,
} from '@saldo/core'
import { requireClosedRight } from '../simulation/check.ts'
import type { Standing } from './attempts.ts'
import type { Log, LogRow, ReadLog } from './log.ts'
import type { Account } from './recorded-account.ts'

type Stored = JsonObject & { id: string; version: number; updated_at: string }
type Lists = Partial<Record<RecordKind, Stored[]>>

/** A live record or a tombstone under a key. */
interface Found {
  version: number
  updated_at: string
  record: Stored | null
}

/** All records at one moment. */
interface Look {
  /** By the records. */
  live: Lists
  /** By the log. */
  found: ReadonlyMap<string, Found>
  log: Log
  digests: DigestResponse
  balance: { recomputing: unknown[]; closed_weeks_delta_ms: number }
}

/** Checks the invariants of a user's account repeatedly, independent of what was killed. */
export class Checker {
  readonly #account: Account
  readonly #readLog: ReadLog
  readonly #isPruned: boolean
  #log: readonly LogRow[] = []

  /** With `isPruned`, the log does not have all versions any more, so the records alone are checked. */
  constructor(account: Account, readLog: ReadLog, { isPruned = false } = {}) {
    this.#account = account
    this.#readLog = readLog
    this.#isPruned = isPruned
  }

  /** Checks right after a kill, without writers, that every acknowledged change is there and complete. */
  async afterKill(): Promise<void> {
    await this.#check(false)
  }

  /** Once everything was repeated and all devices have synced: nothing is lost or doubled, and all have the same. */
  async atRest(): Promise<void> {
    const live = await this.#check(true)
    for (const device of this.#account.devices) {
      for (const [kind, records] of Object.entries(await device.shown())) {
        const [has, should] = [byId(records as Stored[]), byId(live[kind as RecordKind] ?? [])]
        if (!isDeepStrictEqual(plain(has), should)) throw new Error(`a device differs in ${kind}`)
      }
    }
  }

  async #check(settled: boolean): Promise<Lists> {
    const { own, acknowledgements } = this.#account
    const { live, found, log, digests, balance } = await this.#look()
    const standing = (key: string): Standing => {
      const one = found.get(key)
      if (!one && this.#isPruned) return { note: null }
      return one && { version: one.version, note: one.record && String(one.record.note) }
    }
    for (const [key, its] of own) {
      const problem = its.problemOf(standing(key), settled)
      if (problem) throw new Error(`${key}: ${problem}`)
    }
    for (const [key, { version, updated_at }] of acknowledgements.acknowledged) {
      const there = found.get(key)
      if (!there && this.#isPruned && own.has(key)) continue
      if (!there || there.version < version || there.updated_at < updated_at) {
        throw new Error(`lost: ${key} of version ${version} and ${updated_at}, there is ${JSON.stringify(there)}`)
      }
    }
    const closed = new Set((live.closed_weeks ?? []).map(({ week }) => week))
    for (const week of acknowledgements.closed) if (!closed.has(week)) throw new Error(`lost: ${week} is not closed`)
    requireNoNoteTwice(live)
    requireDigests(live, digests)
    const { recomputing, closed_weeks_delta_ms } = balance
    if (recomputing.length === 0) requireClosedRight({ changes: live } as unknown as PullResponse)
    const sum = (live.closed_weeks ?? []).reduce((all, { delta_ms }) => all + Number(delta_ms), 0)
    if (sum !== closed_weeks_delta_ms) throw new Error(`the balance is ${closed_weeks_delta_ms} instead of ${sum}`)
    if (!this.#isPruned) this.#requireLog(log, found, settled)
    return live
  }

  /** All that there is, at one moment: work that was left for later may go on meanwhile. */
  async #look(): Promise<Look> {
    for (;;) {
      const { live, version } = await this.#snapshot()
      const { through, found } = this.#isPruned ? foundIn(live) : await this.#pulled()
      const digests = await this.#account.ask('/api/sync/digest')
      const balance = await this.#account.ask('/api/balance')
      const log = await this.#readLog(this.#account.person.user)
      if (log.version !== version) continue
      for (const kind of recordKinds) {
        const [logged, records] = [byId(through[kind] ?? []), byId(live[kind] ?? [])]
        if (!isDeepStrictEqual(logged, records)) throw new Error(`log and records differ in ${kind}`)
      }
      return { live, found, log, digests, balance }
    }
  }

  /** All that is live, from the records. */
  async #snapshot(): Promise<{ live: Lists; version: number }> {
    const live: Lists = {}
    for (let query = 'limit=5000'; ; ) {
      const { changes, has_more, cursor, version } = await this.#account.ask(`/api/sync/pull?${query}`)
      for (const [kind, records] of Object.entries(changes) as [RecordKind, Stored[]][]) {
        live[kind] = [...(live[kind] ?? []), ...records]
      }
      if (!has_more) return { live, version }
      query = `limit=5000&cursor=${cursor}`
    }
  }

  /** All that the log leads to. */
  async #pulled(): Promise<{ through: Lists; found: Map<string, Found> }> {
    const found = new Map<string, Found>()
    const through: Lists = {}
    for (let since = 0; ; ) {
      const { changes, deleted, has_more, version } = await this.#account.ask(
        `/api/sync/pull?since=${since}&limit=5000`,
      )
      for (const kind of recordKinds) {
        through[kind] = [...(through[kind] ?? []), ...(changes[kind] ?? [])]
        for (const one of deleted[kind] ?? []) found.set(`${kind} ${one.id}`, { ...one, record: null })
        for (const one of changes[kind] ?? []) found.set(`${kind} ${one.id}`, { ...one, record: one })
      }
      since = version
      if (!has_more) return { through, found }
    }
  }

  /** Versions are consecutive, and each has one content for ever; what is repeated is not applied again. */
  #requireLog({ rows, version }: Log, found: ReadonlyMap<string, Found>, settled: boolean): void {
    const { acknowledgements, pushed, own } = this.#account
    const counts = new Map<string, number>()
    for (const [index, { version, kind, id, tag }] of rows.entries()) {
      if (version !== index + 1) throw new Error(`the log has ${version} as its row ${index + 1}`)
      const before = this.#log[index]
      if (before && (before.tag !== tag || before.id !== id || before.kind !== kind)) {
        throw new Error(`version ${version} has two contents`)
      }
      const key = `${kind} ${id}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    if (rows.length !== version) throw new Error(`the counter is ${version}, the log has ${rows.length} rows`)
    if (rows.length < this.#log.length) throw new Error(`lost: ${this.#log.length - rows.length} rows of the log`)
    this.#log = rows
    for (const [key, { version }] of found) {
      const row = rows[version - 1]
      if (`${row?.kind} ${row?.id}` !== key) throw new Error(`${key} has version ${version}, which is another's`)
    }
    for (const [key, { made }] of own) {
      const count = counts.get(key) ?? 0
      const isExact = settled && pushed.has(key)
      if (count > made || (isExact && count < made))
        throw new Error(`doubled: ${key}, ${count} rows of ${made} changes`)
    }
    for (const [key, made] of acknowledgements.attempts) {
      // One more: the settings that the account began with.
      if ((counts.get(key) ?? 0) > made + 1) throw new Error(`doubled: ${key} was changed ${made} times`)
    }
  }
}

/** Returns live records as the log would lead to them. */
function foundIn(live: Lists): { through: Lists; found: Map<string, Found> } {
  const all = recordKinds.flatMap((kind) =>
    (live[kind] ?? []).map((record) => ({ key: `${kind} ${record.id}`, record })),
  )
  return { through: live, found: new Map(all.map(({ key, record }) => [key, { ...record, record }])) }
}

function requireDigests(live: Lists, answer: DigestResponse): void {
  const sum = new DigestSum()
  for (const kind of recordKinds) for (const record of live[kind] ?? []) sum.add(kind, record)
  if (!isDeepStrictEqual(answer.kinds, sum.digests())) throw new Error('the digest is wrong')
}

function requireNoNoteTwice(live: Lists): void {
  const notes = new Set<string>()
  for (const { id, note } of live.entries ?? []) {
    if (notes.has(String(note))) throw new Error(`doubled: ${note} is the note of ${id} too`)
    notes.add(String(note))
  }
}

const byId = (records: readonly Stored[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Without the prototypes that equality would tell apart. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
