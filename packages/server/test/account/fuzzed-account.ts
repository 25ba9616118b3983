import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AdjustmentContent,
  buildTimeline,
  type ClosedDelta,
  dateAt,
  expiryOf,
  expiryProposals,
  type Instant,
  type IsoWeek,
  type JsonObject,
  type LimitSettings,
  type LocalDate,
  MINUTE_MS,
  parseContent,
  periodEnds,
  type Random,
  type RecordId,
  type UserNumber,
  type WritableKind,
  weekOf,
} from '@saldo/core'
import { expect } from 'vitest'
import {
  dates,
  figureNames,
  isoWeek,
  type NaiveAccount,
  type NaiveWeek,
  plusDays,
  sumOf,
  weekday,
} from '../../../core/test/naive-account.ts'
import { readTimeline } from '../../src/account/account-reads.ts'
import { balanceSummary } from '../../src/account/balance.ts'
import { closeDay, closeWeek, reopenDay, reopenWeek } from '../../src/account/closing.ts'
import { JobRunner } from '../../src/account/jobs.ts'
import { accountProposals } from '../../src/account/proposals.ts'
import type { RecordStore } from '../../src/store/store.ts'
import { dateSpan } from '../../src/store/stored-records.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { applyChanges } from '../../src/sync/apply-changes.ts'
import { push } from '../../src/sync/push.ts'
import { systemRandom } from '../../src/system.ts'
import { ManualClock } from '../manual-clock.ts'
import type { Mutation, Step } from './fuzz-steps.ts'
import { SentRecords } from './sent-records.ts'

type Day = NaiveWeek & { date: string; revision: number; version: number }
type Week = NaiveWeek & { week: string; start_date: string; revision: number; version: number; revisions: object[] }

const random: Random = systemRandom

/** Opens stores on a file of their own, for many fuzzed accounts. */
export class FuzzStores {
  readonly #dir = mkdtempSync(join(tmpdir(), 'saldo-fuzz-'))
  readonly clock = new ManualClock('2026-01-01T00:00:00.000Z')
  #stores: Stores | undefined
  #users = 0

  async stores(): Promise<Stores> {
    const file = join(this.#dir, 'saldo.db')
    this.#stores ??= await openStores({ file, clock: this.clock, random, as: 'service' })
    return this.#stores
  }

  async restart(): Promise<void> {
    await this.#stores?.close()
    this.#stores = undefined
  }

  /** Takes the steps with a new account and checks it after each. */
  async run(steps: readonly Step[], now: Instant): Promise<FuzzedAccount> {
    this.clock.set(now)
    this.#users += 1
    const email = `fuzz-${this.#users}@example.com`
    const added = await (await this.stores()).users.add({ email, passwordHash: '', at: now })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const account = new FuzzedAccount(this, added.user)
    for (const step of steps) await account.take(step)
    await account.take({ do: 'all jobs' })
    await account.end()
    return account
  }

  async close(): Promise<void> {
    await this.restart()
    rmSync(this.#dir, { recursive: true })
  }
}

/** The closings that are stored at some moment. */
interface Closings {
  days: Map<string, Day>
  weeks: Map<string, Week>
  recomputing: { from: string; to: string }[]
}

/** One account, the records that were sent for it, and the invariants that must hold after every step. */
export class FuzzedAccount {
  readonly #shared: FuzzStores
  readonly #user: UserNumber
  readonly #sent = new SentRecords()
  readonly #reopened = new Set<string>()
  #closings: Closings = { days: new Map(), weeks: new Map(), recomputing: [] }
  #expected: NaiveAccount
  /** The number of recomputed days, so that a test sees that its steps have an effect. */
  recomputed = 0
  autoClosed = 0
  /** The number of proposals that were accepted or declined. */
  decided = 0

  constructor(stores: FuzzStores, user: UserNumber) {
    this.#shared = stores
    this.#user = user
    this.#expected = this.#sent.account(MINUTE_MS)
  }

  async take(step: Step): Promise<void> {
    this.#shared.clock.advance(1_000)
    await this.#do(step)
    const before = { closings: this.#closings, expected: this.#expected }
    this.#expected = this.#sent.account(MINUTE_MS)
    this.#closings = await this.#read()
    for (const name of [...this.#closings.days.keys(), ...this.#closings.weeks.keys()]) this.#reopened.delete(name)

    this.#expectDays(before, step)
    this.#expectWeeks()
    if (step.do === 'all jobs') this.#expectAutoClosed(before.closings)
    else if (step.do !== 'piece of a job') this.#expectFewWrites(before.closings)
    await this.#expectBalance()
    await this.#expectProposals()
  }

  /** Deletes the jobs, so that the next account does not run them. */
  async end(): Promise<void> {
    await (await this.#store()).write(this.#user, async (writer) => {
      for (const { id } of await writer.jobs()) await writer.deleteJob(id)
    })
  }

  async #do(step: Step): Promise<void> {
    const now = this.#shared.clock.now()
    const context = { user: this.#user, nowMs: now }
    const store = await this.#store()
    switch (step.do) {
      case 'rest':
        return this.#rest(step.mutation)
      case 'push':
        return this.#push(step.mutations)
      case 'close day':
        await store.write(this.#user, (writer) => closeDay(writer, step.date, context))
        return
      case 'close week':
        await store.write(this.#user, async (writer) =>
          closeWeek({ ...context, writer, timeline: await readTimeline(writer) }, isoWeek(step.date), 'user'),
        )
        return
      case 'reopen day': {
        const { outcome } = await store.write(this.#user, (writer) => reopenDay(writer, step.date, context))
        if (outcome === 'reopened') this.#reopened.add(step.date)
        return
      }
      case 'reopen week': {
        const week = isoWeek(step.date)
        const { outcome } = await store.write(this.#user, (writer) => reopenWeek(writer, week, context))
        if (outcome !== 'reopened') return
        for (const name of [week, ...datesOf(week, step.date)]) {
          if (name === week || this.#closings.days.has(name)) this.#reopened.add(name)
        }
        return
      }
      case 'wait':
        return this.#shared.clock.advance(step.minutes * MINUTE_MS)
      case 'accept':
      case 'decline':
        return this.#decide(step.do)
      case 'all jobs':
        return this.#jobs(store)
      case 'piece of a job':
        return this.#piece(store)
      case 'restart':
        return this.#shared.restart()
    }
  }

  async #rest({ kind, slot, content }: Mutation): Promise<void> {
    const id = idOf(kind, slot)
    // REST answers 404 to the deletion of an unknown record and changes nothing.
    if (content === null && !this.#sent.all(kind).has(id)) return
    const read = content && parseContent(kind, content)
    if (read && !read.ok) throw new Error(JSON.stringify(read.errors))
    const change = { kind, id, content: read ? (read.value as JsonObject) : null, updatedAt: null }
    const context = { user: this.#user, nowMs: this.#shared.clock.now(), random, quotaBytes: Infinity }
    await (await this.#store()).write(this.#user, (writer) => applyChanges(writer, [change], context))
    this.#add({ kind, slot, content })
  }

  /** Accepts or declines the open proposal, if there is one. */
  async #decide(decision: 'accept' | 'decline'): Promise<void> {
    const store = await this.#store()
    const proposals = await store.read(this.#user, (reader) =>
      accountProposals(reader, this.#user, this.#shared.clock.now()),
    )
    const open = proposals.find(({ state }) => state === 'open')
    if (!open) return
    const content = expiryOf(open, decision, 'so decided') as JsonObject
    const change = { kind: 'balance_adjustments', id: open.adjustment_id, content, updatedAt: null } as const
    const context = { user: this.#user, nowMs: this.#shared.clock.now(), random, quotaBytes: Infinity }
    await store.write(this.#user, (writer) => applyChanges(writer, [change], context))
    this.#sent.add(change)
    this.decided += 1
  }

  async #push(mutations: readonly Mutation[]): Promise<void> {
    const now = this.#shared.clock.now()
    const changes = mutations.map(({ kind, slot, content }, index) => {
      const stamp = { id: idOf(kind, slot), updated_at: new Date(now + index).toISOString() }
      return content ? { kind, op: 'upsert', record: { ...stamp, ...content } } : { kind, op: 'delete', ...stamp }
    })
    const context = { user: this.#user, nowMs: now, random, quotaBytes: Infinity }
    const { results } = await push(await this.#store(), { device: undefined, entriesOnly: false, changes }, context)
    for (const result of results) expect(result.status).toBe('applied')
    for (const mutation of mutations) this.#add(mutation)
  }

  #add({ kind, slot, content }: Mutation): void {
    this.#sent.add({ kind, id: idOf(kind, slot), content })
  }

  async #jobs(store: RecordStore): Promise<void> {
    await new JobRunner({ store, clock: this.#shared.clock, onFailure: (_, error) => failed(error) }).runDue()
  }

  /** Runs one transaction of what is due, as if the service ended behind it. */
  async #piece(store: RecordStore): Promise<void> {
    const once: RecordStore = {
      ...store,
      writeIfFree: async (user, body) => {
        const result = await store.writeIfFree(user, body)
        void runner.stop()
        return result
      },
    }
    const runner = new JobRunner({ store: once, clock: this.#shared.clock, onFailure: (_, error) => failed(error) })
    await runner.runDue()
  }

  async #store(): Promise<RecordStore> {
    return (await this.#shared.stores()).records
  }

  async #read(): Promise<Closings> {
    return (await this.#store()).read(this.#user, async (reader) => {
      const days = (await reader.overlapping('closed_days', dateSpan({}))).map(({ body }) => JSON.parse(body) as Day)
      const weeks = (await reader.overlapping('closed_weeks', dateSpan({}))).map(({ body }) => JSON.parse(body) as Week)
      const recomputing = (await reader.jobs()).flatMap(({ task }) => (task.kind === 'recompute' ? task.ranges : []))
      return {
        days: new Map(days.map((day) => [day.date, day])),
        weeks: new Map(weeks.map((week) => [week.week, week])),
        recomputing,
      }
    })
  }

  /** A closed day has the figures of the records, unless it waits for a job and no edit affected it. */
  #expectDays(before: { closings: Closings; expected: NaiveAccount }, step: Step): void {
    for (const [date, day] of this.#closings.days) {
      const waits = this.#closings.recomputing.some(({ from, to }) => from <= date && date <= to)
      const right = this.#expected.day(date)
      if (waits && !(isEdit(step) && figuresOf(before.expected.day(date)) !== figuresOf(right))) continue
      expect(day).toMatchObject(right)
      const old = before.closings.days.get(date)
      if (old && old.revision !== day.revision) this.recomputed += 1
    }
  }

  /** A closed week has no open days and is the sum of its days, also while a job waits. */
  #expectWeeks(): void {
    const jobs = this.#closings.recomputing.length > 0
    for (const [week, stored] of this.#closings.weeks) {
      const inside = datesOf(week, stored.start_date).filter((date) => this.#expected.isInside(date))
      const days = datesOf(week, stored.start_date).flatMap((date) => this.#closings.days.get(date) ?? [])
      if (!jobs) expect(inside.filter((date) => !this.#closings.days.has(date))).toEqual([])
      expect(stored).toMatchObject(sumOf(days))
      expect(stored.revisions.at(-1)).toMatchObject({ revision: stored.revision, delta_ms: stored.delta_ms })
      expect(stored.revisions.length).toBe(Math.min(stored.revision, 50))
    }
  }

  /** A transaction writes a closing at most once, and only if a figure changes. */
  #expectFewWrites(before: Closings): void {
    for (const kind of ['days', 'weeks'] as const) {
      for (const [name, now] of this.#closings[kind]) {
        const old: Day | Week | undefined = before[kind].get(name)
        if (!old) continue
        if (old.version === now.version) expect(now).toEqual(old)
        else {
          expect(now.revision).toBe(old.revision + 1)
          expect(contentOfClosing(now)).not.toEqual(contentOfClosing(old))
        }
      }
    }
  }

  /** Auto-close closes everything that is due, except what the user reopened, and nothing else. */
  #expectAutoClosed(before: Closings): void {
    const now = this.#shared.clock.now()
    const first = this.#sent
      .settings()
      .map(({ effective_from }) => effective_from)
      .sort()[0]
    const dueDays = new Set<string>()
    const dueWeeks = new Set<string>()
    for (const date of first === undefined ? [] : dates(first, new Date(now).toISOString().slice(0, 10))) {
      const auto = this.#expected.rowOn(date)?.auto_close
      if (!auto) continue
      if (this.#expected.start(plusDays(date, 1)) + auto.day_after_ms <= now) dueDays.add(date)
      if (weekday(date) === 7 && this.#expected.start(plusDays(date, 1 + auto.week_after_days)) <= now) {
        dueWeeks.add(isoWeek(date))
        const names = [isoWeek(date), ...datesOf(isoWeek(date), date)]
        if (!names.some((name) => this.#reopened.has(name))) {
          expect([...this.#closings.weeks.keys()], `${isoWeek(date)} is due`).toContain(isoWeek(date))
        }
      }
    }
    for (const date of dueDays) {
      if (!this.#reopened.has(date)) expect([...this.#closings.days.keys()], `${date} is due`).toContain(date)
    }
    for (const week of this.#closings.weeks.keys()) {
      if (before.weeks.has(week)) continue
      this.autoClosed += 1
      expect(dueWeeks).toContain(week)
    }
    for (const date of this.#closings.days.keys()) {
      if (before.days.has(date) || this.#closings.weeks.has(isoWeek(date))) continue
      this.autoClosed += 1
      expect(dueDays).toContain(date)
    }
  }

  async #expectBalance(): Promise<void> {
    if (this.#closings.recomputing.length > 0) return
    const now = this.#shared.clock.now()
    const expected = this.#expected.balance([...this.#closings.weeks.values()], this.#sent.adjustments(), now)
    const store = await this.#store()
    expect(await store.read(this.#user, (reader) => balanceSummary(reader, now))).toEqual(expected)
  }

  /** The service adds up whole weeks where it can. The proposals are those of the closed days of closed weeks. */
  async #expectProposals(): Promise<void> {
    const store = await this.#store()
    const proposals = await store.read(this.#user, (reader) =>
      accountProposals(reader, this.#user, this.#shared.clock.now()),
    )
    const weeks = new Set([...this.#closings.weeks.keys()] as IsoWeek[])
    const rows = [...this.#sent.all<LimitSettings>('settings_history')].map(([id, row]) => ({
      ...row,
      id: id as RecordId,
    }))
    const timeline = buildTimeline(rows)
    const days = [...this.#closings.days.values()].filter(({ date }) => weeks.has(weekOf(date as LocalDate)))
    const adjustments = [...this.#sent.all<AdjustmentContent>('balance_adjustments')]
    const expected = expiryProposals(
      this.#user,
      periodEnds(timeline, weeks, dateAt(timeline, this.#shared.clock.now())),
      days as unknown as ClosedDelta[],
      adjustments.map(([id, content]) => ({ ...content, id: id as RecordId })),
    )
    expect(proposals).toEqual(expected)
  }
}

/** True if a step changes entries and nothing else. */
function isEdit(step: Step): boolean {
  const mutations = step.do === 'rest' ? [step.mutation] : step.do === 'push' ? step.mutations : []
  return mutations.length > 0 && mutations.every(({ kind }) => kind === 'entries')
}

function figuresOf(day: NaiveWeek): string {
  return figureNames.map((name) => day[name]).join(' ')
}

function failed(error: unknown): never {
  throw error
}

/** Returns the figures, zone and settings of a closing. */
function contentOfClosing(closing: object) {
  const names = [...figureNames, 'time_zone', 'settings_id'] as string[]
  return Object.fromEntries(Object.entries(closing).filter(([name]) => names.includes(name)))
}

function idOf(kind: WritableKind, slot: number): RecordId {
  const digit = { entries: 'e', settings_history: '5', balance_adjustments: 'a' }[kind]
  return `${digit}0000000-0000-4000-8000-00000000000${slot}`
}

/** Returns the dates of a week, given one of them. */
function datesOf(week: string, date: string): string[] {
  const monday = plusDays(date, 1 - weekday(date))
  if (isoWeek(monday) !== week) throw new Error(`${date} is not in ${week}`)
  return dates(monday, plusDays(monday, 6))
}
