import { randomUUID } from 'node:crypto'
import type { UserNumber, WritableKind } from '@saldo/core'
import { expect } from 'vitest'
import { dates, figureNames, type NaiveAccount, sumOf } from '../../../core/test/naive-account.ts'
import type { TestService } from '../harness.ts'
import { type SentChange, SentRecords } from './sent-records.ts'

const paths = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
} as const

/** A user of the service over HTTP, whose account is compared with the naive account of all records that were sent. */
export class TestAccount {
  readonly service: TestService
  readonly call: TestService['call']
  readonly user: UserNumber
  readonly token: string
  readonly #tickMs: number
  readonly #sent = new SentRecords()

  private constructor(
    service: TestService,
    { user, token, call }: Awaited<ReturnType<TestService['user']>>,
    tickMs: number,
  ) {
    this.service = service
    this.user = user
    this.token = token
    this.call = call
    this.#tickMs = tickMs
  }

  static async open(service: TestService, tickMs = 60_000): Promise<TestAccount> {
    return new TestAccount(service, await service.user(), tickMs)
  }

  /** Returns the live records of a kind by id. */
  all<T extends object = object>(kind: WritableKind): ReadonlyMap<string, T> {
    return this.#sent.all<T>(kind)
  }

  /** Creates a record over REST and returns its id. */
  async post(kind: WritableKind, content: object, id: string = randomUUID()): Promise<string> {
    this.service.clock.advance(1_000)
    const { status, text } = await this.call('POST', paths[kind], { json: { id, ...content } })
    expect(status, text).toBe(201)
    this.#add({ kind, id, content })
    return id
  }

  async put(kind: WritableKind, id: string, content: object): Promise<void> {
    this.service.clock.advance(1_000)
    const { status, text } = await this.call('PUT', `${paths[kind]}/${id}`, { json: content })
    expect(status, text).toBe(200)
    this.#add({ kind, id, content })
  }

  async delete(kind: WritableKind, id: string): Promise<void> {
    this.service.clock.advance(1_000)
    expect((await this.call('DELETE', `${paths[kind]}/${id}`)).status).toBe(204)
    this.#add({ kind, id, content: null })
  }

  /** Sends changes in one push, in their order; all of them are applied. */
  async push(changes: readonly SentChange[]): Promise<void> {
    this.service.clock.advance(1_000)
    const stamp = this.service.clock.now()
    const json = {
      changes: changes.map(({ kind, id, content }, index) => {
        const updated_at = new Date(stamp + index).toISOString()
        return content
          ? { kind, op: 'upsert', record: { id, updated_at, ...content } }
          : { kind, op: 'delete', id, updated_at }
      }),
    }
    const { status, body } = await this.call('POST', '/api/sync/push', { json })
    expect(status).toBe(200)
    expect(body.results.filter((result: { status: string }) => result.status !== 'applied')).toEqual([])
    for (const change of changes) this.#add(change)
  }

  /** Creates, replaces or deletes a record over REST or in a push. */
  async apply(change: SentChange, way: 'rest' | 'push'): Promise<void> {
    const { kind, id, content } = change
    if (way === 'push') return this.push([change])
    if (content === null) return this.delete(kind, id)
    if (this.#sent.all(kind).has(id)) return this.put(kind, id, content)
    await this.post(kind, content, id)
  }

  async closeDay(date: string, status = 201): Promise<void> {
    expect((await this.call('POST', '/api/closed-days', { json: { date } })).status).toBe(status)
  }

  async closeWeek(week: string, status = 201): Promise<void> {
    expect((await this.call('POST', '/api/closed-weeks', { json: { week } })).status).toBe(status)
  }

  async reopenDay(date: string): Promise<void> {
    expect((await this.call('DELETE', `/api/closed-days/${date}`)).status).toBe(204)
  }

  async reopenWeek(week: string): Promise<void> {
    expect((await this.call('DELETE', `/api/closed-weeks/${week}`)).status).toBe(204)
  }

  async day(date: string) {
    return (await this.call('GET', `/api/closed-days/${date}`)).body
  }

  async week(week: string) {
    return (await this.call('GET', `/api/closed-weeks/${week}`)).body
  }

  async balance() {
    return (await this.call('GET', '/api/balance')).body
  }

  /** Returns the counter, which moves by one for each record written. */
  async version(): Promise<number> {
    return (await this.call('GET', '/api/sync/pull?limit=1')).body.version
  }

  /** Lists all records of a collection, page by page. */
  async list(path: string, query = ''): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await this.call('GET', `${path}?limit=1000${query}${cursor && `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      items.push(...body.items)
      cursor = body.next_cursor
    }
    return items
  }

  /** Returns the naive account of all records that were sent. */
  expected(): NaiveAccount {
    return this.#sent.account(this.#tickMs)
  }

  /** Compares every closed day, every closed week and the balance with the naive account. */
  async expectCorrect(): Promise<{ days: number; weeks: number }> {
    // Everything is asked for first: what follows can take longer than the service keeps an idle connection.
    const days = await this.list('/api/closed-days')
    const weeks = await this.list('/api/closed-weeks')
    const balance = await this.balance()

    const account = this.expected()
    expect(days.map(pickDay)).toEqual(days.map((day) => account.day(day.date as string)))

    const closedDates = new Set(days.map((day) => day.date))
    for (const week of weeks) {
      const inside = datesOf(week).filter((date) => account.isInside(date))
      expect(
        inside.filter((date) => !closedDates.has(date)),
        `open days in closed ${week.week}`,
      ).toEqual([])
      expect(pick(week, figureNames), `week ${week.week}`).toEqual(sumOf(inside.map((date) => account.day(date))))
    }
    const closedWeeks = weeks as unknown as { week: string; delta_ms: number }[]
    expect(balance).toEqual(account.balance(closedWeeks, this.#sent.adjustments(), this.service.clock.now()))
    return { days: days.length, weeks: weeks.length }
  }

  #add(change: SentChange): void {
    this.#sent.add(change)
  }
}

const dayFields = ['date', 'time_zone', 'settings_id', ...figureNames]

export function pickDay(day: Record<string, unknown>): Record<string, unknown> {
  return pick(day, dayFields)
}

function pick(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

function datesOf(week: Record<string, unknown>): string[] {
  return dates(week.start_date as string, week.end_date as string)
}
