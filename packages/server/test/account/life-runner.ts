import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, parseContent, type Random } from '@saldo/core'
import { expect } from 'vitest'
import { balanceSummary } from '../../src/account/balance.ts'
import { closeOneDay, closeOneWeek, reopenDay, reopenWeek } from '../../src/account/closing.ts'
import { JobRunner } from '../../src/account/jobs.ts'
import { readTimeline } from '../../src/records/reading.ts'
import type { RecordStore, UserId } from '../../src/store/store.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { applyChanges } from '../../src/sync/apply-changes.ts'
import { push } from '../../src/sync/push.ts'
import { systemRandom } from '../../src/system/random.ts'
import { ManualClock } from '../manual-clock.ts'
import type { WritableKind } from './ledger.ts'
import type { Step, Wish } from './life.ts'
import {
  dates,
  figureNames,
  isoWeek,
  NaiveAccount,
  type NaiveEntry,
  type NaiveSettings,
  type NaiveWeek,
  plusDays,
  sumOf,
  weekday,
} from './naive-account.ts'
import { naiveBalance } from './naive-balance.ts'

type Day = NaiveWeek & { date: string; revision: number; version: number }
type Week = NaiveWeek & { week: string; start_date: string; revision: number; version: number; revisions: object[] }

const random: Random = systemRandom

/** The stores on a file of their own, to lead many lives in. */
export class LifeHouse {
  readonly #dir = mkdtempSync(join(tmpdir(), 'saldo-life-'))
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

  /** Leads a life from its birth, with a check behind every step. */
  async lead(steps: readonly Step[], now: string): Promise<Life> {
    this.clock.set(now)
    this.#users += 1
    const email = `life-${this.#users}@example.com`
    const added = await (await this.stores()).users.add({ email, passwordHash: '', at: now })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const life = new Life(this, added.user)
    for (const step of steps) await life.take(step)
    await life.take({ do: 'all jobs' })
    await life.end()
    return life
  }

  async close(): Promise<void> {
    await this.restart()
    rmSync(this.#dir, { recursive: true })
  }
}

/** What the store held at some moment. */
interface Held {
  days: Map<string, Day>
  weeks: Map<string, Week>
  recomputing: { from: string; to: string }[]
}

/** One account, a plain note of all that happened to it, and what must hold after every step. */
export class Life {
  readonly #house: LifeHouse
  readonly #user: UserId
  readonly #notes: Record<WritableKind, Map<string, object>> = {
    entries: new Map(),
    settings_history: new Map(),
    balance_adjustments: new Map(),
  }
  readonly #created = new Map<string, string>()
  readonly #reopened = new Set<string>()
  #held: Held = { days: new Map(), weeks: new Map(), recomputing: [] }
  #account = new NaiveAccount([], [], 60_000)
  /** How often days were recomputed, so that a test can see that its lives are lived. */
  recomputed = 0
  autoClosed = 0

  constructor(house: LifeHouse, user: UserId) {
    this.#house = house
    this.#user = user
  }

  async take(step: Step): Promise<void> {
    this.#house.clock.advance(1_000)
    await this.#do(step)
    const before = { held: this.#held, account: this.#account }
    this.#account = this.#reckoned()
    this.#held = await this.#read()
    for (const name of [...this.#held.days.keys(), ...this.#held.weeks.keys()]) this.#reopened.delete(name)

    this.#expectDays(before, step)
    this.#expectWeeks()
    if (step.do === 'all jobs') this.#expectAutoClosed(before.held)
    else if (step.do !== 'piece of a job') this.#expectSparing(before.held)
    await this.#expectBalance()
  }

  /** Leaves no work behind for the next life. */
  async end(): Promise<void> {
    await (await this.#store()).write(this.#user, async (writer) => {
      for (const { id } of await writer.jobs()) await writer.deleteJob(id)
    })
  }

  async #do(step: Step): Promise<void> {
    const now = this.#house.clock.now()
    const closer = { user: this.#user, by: 'user' as const, nowMs: now }
    const store = await this.#store()
    switch (step.do) {
      case 'rest':
        return this.#rest(step.wish)
      case 'push':
        return this.#push(step.wishes)
      case 'close day':
        await store.write(this.#user, (writer) => closeOneDay(writer, step.date, closer))
        return
      case 'close week':
        await store.write(this.#user, async (writer) =>
          closeOneWeek(writer, await readTimeline(writer), isoWeek(step.date), closer),
        )
        return
      case 'reopen day': {
        const { outcome } = await store.write(this.#user, (writer) => reopenDay(writer, step.date, closer))
        if (outcome === 'reopened') this.#reopened.add(step.date)
        return
      }
      case 'reopen week': {
        const week = isoWeek(step.date)
        const { outcome } = await store.write(this.#user, (writer) => reopenWeek(writer, week, closer))
        if (outcome !== 'reopened') return
        for (const name of [week, ...datesOf(week, step.date)]) {
          if (name === week || this.#held.days.has(name)) this.#reopened.add(name)
        }
        return
      }
      case 'wait':
        return this.#house.clock.advance(step.minutes * 60_000)
      case 'all jobs':
        return this.#jobs(store)
      case 'piece of a job':
        return this.#piece(store)
      case 'restart':
        return this.#house.restart()
    }
  }

  async #rest({ kind, slot, content }: Wish): Promise<void> {
    const id = idOf(kind, slot)
    // REST answers 404 to the deletion of what is not there, and changes nothing.
    if (content === null && !this.#notes[kind].has(id)) return
    const read = content && parseContent(kind, content)
    if (read && !read.ok) throw new Error(JSON.stringify(read.errors))
    const wanted = { kind, id, content: read ? (read.value as JsonObject) : null, updatedAt: null }
    const context = { user: this.#user, nowMs: this.#house.clock.now(), random }
    await (await this.#store()).write(this.#user, (writer) => applyChanges(writer, [wanted], context))
    this.#note({ kind, slot, content })
  }

  async #push(wishes: readonly Wish[]): Promise<void> {
    const now = this.#house.clock.now()
    const changes = wishes.map(({ kind, slot, content }, index) => {
      const stamp = { id: idOf(kind, slot), updated_at: new Date(now + index).toISOString() }
      return content ? { kind, op: 'upsert', record: { ...stamp, ...content } } : { kind, op: 'delete', ...stamp }
    })
    const context = { user: this.#user, nowMs: now, random }
    const { results } = await push(await this.#store(), { device: undefined, changes }, context)
    for (const result of results) expect(result.status).toBe('applied')
    for (const wish of wishes) this.#note(wish)
  }

  #note({ kind, slot, content }: Wish): void {
    const id = idOf(kind, slot)
    // The first that is heard of an id creates it, a deletion too.
    if (!this.#created.has(id)) this.#created.set(id, new Date(this.#house.clock.now()).toISOString())
    if (content) this.#notes[kind].set(id, content)
    else this.#notes[kind].delete(id)
  }

  async #jobs(store: RecordStore): Promise<void> {
    await new JobRunner(store, this.#house.clock, (_, error) => failed(error)).runDue()
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
    const runner = new JobRunner(once, this.#house.clock, (_, error) => failed(error))
    await runner.runDue()
  }

  async #store(): Promise<RecordStore> {
    return (await this.#house.stores()).records
  }

  async #read(): Promise<Held> {
    return (await this.#store()).read(this.#user, async (reader) => {
      const days = (await reader.live('closed_days')).map(({ body }) => JSON.parse(body) as Day)
      const weeks = (await reader.live('closed_weeks')).map(({ body }) => JSON.parse(body) as Week)
      const recomputing = (await reader.jobs()).flatMap(({ task }) => (task.kind === 'recompute' ? task.ranges : []))
      return {
        days: new Map(days.map((day) => [day.date, day])),
        weeks: new Map(weeks.map((week) => [week.week, week])),
        recomputing,
      }
    })
  }

  #reckoned(): NaiveAccount {
    return new NaiveAccount([...this.#notes.entries.values()] as NaiveEntry[], this.#rows(), 60_000)
  }

  #rows(): NaiveSettings[] {
    return [...this.#notes.settings_history].map(([id, row]) => {
      return { ...(row as NaiveSettings), id, created_at: this.#created.get(id) ?? '' }
    })
  }

  /** The invariant: a stored closed day is what the records say, outside open jobs; inside, where an edit touched it. */
  #expectDays(before: { held: Held; account: NaiveAccount }, step: Step): void {
    for (const [date, day] of this.#held.days) {
      const waits = this.#held.recomputing.some(({ from, to }) => from <= date && date <= to)
      const right = this.#account.day(date)
      if (waits && !(isEdit(step) && figuresOf(before.account.day(date)) !== figuresOf(right))) continue
      expect(day).toMatchObject(right)
      const old = before.held.days.get(date)
      if (old && old.revision !== day.revision) this.recomputed += 1
    }
  }

  /** A closed week has all its days closed, and is their sum, also while a job is open. */
  #expectWeeks(): void {
    const jobs = this.#held.recomputing.length > 0
    for (const [week, stored] of this.#held.weeks) {
      const inside = datesOf(week, stored.start_date).filter((date) => this.#account.isInside(date))
      const days = datesOf(week, stored.start_date).flatMap((date) => this.#held.days.get(date) ?? [])
      if (!jobs) expect(inside.filter((date) => !this.#held.days.has(date))).toEqual([])
      expect(stored).toMatchObject(sumOf(days))
      expect(stored.revisions.at(-1)).toMatchObject({ revision: stored.revision, delta_ms: stored.delta_ms })
      expect(stored.revisions.length).toBe(Math.min(stored.revision, 50))
    }
  }

  /** In one transaction a closing is written at most once, and only where something in it changed. */
  #expectSparing(before: Held): void {
    for (const kind of ['days', 'weeks'] as const) {
      for (const [name, now] of this.#held[kind]) {
        const old: Day | Week | undefined = before[kind].get(name)
        if (!old) continue
        if (old.version === now.version) expect(now).toEqual(old)
        else {
          expect(now.revision).toBe(old.revision + 1)
          expect(facts(now)).not.toEqual(facts(old))
        }
      }
    }
  }

  /** Everything that is due is closed, but what the user reopened; and nothing else was. */
  #expectAutoClosed(before: Held): void {
    const now = this.#house.clock.now()
    const first = this.#rows()
      .map(({ effective_from }) => effective_from)
      .sort()[0]
    const dueDays = new Set<string>()
    const dueWeeks = new Set<string>()
    for (const date of first === undefined ? [] : dates(first, new Date(now).toISOString().slice(0, 10))) {
      const auto = this.#account.rowOn(date)?.auto_close
      if (!auto) continue
      if (this.#account.start(plusDays(date, 1)) + auto.day_after_ms <= now) dueDays.add(date)
      if (weekday(date) === 7 && this.#account.start(plusDays(date, 1 + auto.week_after_days)) <= now) {
        dueWeeks.add(isoWeek(date))
        const names = [isoWeek(date), ...datesOf(isoWeek(date), date)]
        if (!names.some((name) => this.#reopened.has(name))) {
          expect([...this.#held.weeks.keys()], `${isoWeek(date)} is due`).toContain(isoWeek(date))
        }
      }
    }
    for (const date of dueDays) {
      if (!this.#reopened.has(date)) expect([...this.#held.days.keys()], `${date} is due`).toContain(date)
    }
    for (const week of this.#held.weeks.keys()) {
      if (before.weeks.has(week)) continue
      this.autoClosed += 1
      expect(dueWeeks).toContain(week)
    }
    for (const date of this.#held.days.keys()) {
      if (before.days.has(date) || this.#held.weeks.has(isoWeek(date))) continue
      this.autoClosed += 1
      expect(dueDays).toContain(date)
    }
  }

  async #expectBalance(): Promise<void> {
    if (this.#held.recomputing.length > 0) return
    const now = this.#house.clock.now()
    const expected = naiveBalance({
      account: this.#account,
      first: this.#rows()
        .map(({ effective_from }) => effective_from)
        .sort()[0],
      closedWeeks: [...this.#held.weeks.values()],
      adjustments: [...this.#notes.balance_adjustments.values()] as { effective_date: string; delta_ms: number }[],
      now,
    })
    const store = await this.#store()
    expect(await store.read(this.#user, (reader) => balanceSummary(reader, now))).toEqual(expected)
  }
}

/** Whether a step changes entries and nothing else. */
function isEdit(step: Step): boolean {
  const wishes = step.do === 'rest' ? [step.wish] : step.do === 'push' ? step.wishes : []
  return wishes.length > 0 && wishes.every(({ kind }) => kind === 'entries')
}

function figuresOf(day: NaiveWeek): string {
  return figureNames.map((name) => day[name]).join(' ')
}

function failed(error: unknown): never {
  throw error
}

/** What a closing says, without what tells when and how often it was said. */
function facts(closing: object) {
  const names = [...figureNames, 'time_zone', 'settings_id'] as string[]
  return Object.fromEntries(Object.entries(closing).filter(([name]) => names.includes(name)))
}

function idOf(kind: WritableKind, slot: number): string {
  const digit = { entries: 'e', settings_history: '5', balance_adjustments: 'a' }[kind]
  return `${digit}0000000-0000-4000-8000-00000000000${slot}`
}

/** The dates of the week that a date of it is in. */
function datesOf(week: string, date: string): string[] {
  const monday = plusDays(date, 1 - weekday(date))
  if (isoWeek(monday) !== week) throw new Error(`${date} is not in ${week}`)
  return dates(monday, plusDays(monday, 6))
}
