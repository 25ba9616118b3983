import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addDays,
  buildTimeline,
  type ClosedDay,
  type ClosedWeek,
  computeDay,
  type Entry,
  type Settings,
  sumFigures,
  weekOf,
} from '@saldo/core'
import { expect } from 'vitest'
import { runSaldo } from './program.ts'

export const PASSWORD = 'correct horse battery'
export const EMAIL = 'ada@example.com'

/** An answer as these tests look at it. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: bodies are judged by what the tests expect of them
  body: any
}

/** Requests as one user of one service. */
export type Call = (method: string, path: string, json?: unknown) => Promise<Answer>

export function caller(url: string, token?: string): Call {
  return async (method, path, json) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
  }
}

let template: Promise<{ dir: string; token: string }> | undefined

/** Puts a database with one user into a folder; returns a token. Made once by the program's commands, then copied. */
export async function addAccount(dir: string): Promise<string> {
  template ??= makeTemplate()
  const { dir: from, token } = await template
  cpSync(from, dir, { recursive: true })
  return token
}

async function makeTemplate() {
  const dir = mkdtempSync(join(tmpdir(), 'saldo-fault-'))
  // Vitest ends its processes by this signal.
  process.once('SIGTERM', () => process.exit())
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const env = { SALDO_DATA_DIR: dir }
  const added = await runSaldo(['admin', 'user', 'add', EMAIL, '--password-stdin'], { env, input: PASSWORD })
  const { stdout, stderr } = await runSaldo(['admin', 'token', 'add', EMAIL, '--name', 'test'], { env })
  if (!stdout) throw new Error(added.stderr + stderr)
  return { dir, token: stdout.trim() }
}

/** The content of an entry of so many hours on a date. */
export function work(date: string, hours = 8, note = ''): object {
  return {
    kind: 'work',
    started_at: `${date}T08:00:00.000Z`,
    ended_at: new Date(Date.parse(`${date}T08:00:00.000Z`) + hours * 3_600_000).toISOString(),
    time_zone: 'Europe/Berlin',
    note,
    tags: [],
    project: null,
    source: null,
    import_ref: null,
  }
}

/** The content of a settings record: eight hours from Monday to Friday. */
export function fullTime(from: string, hours = 8): object {
  const target_ms = [...Array<number>(5).fill(hours * 3_600_000), 0, 0]
  return {
    effective_from: from,
    time_zone: 'UTC',
    target_ms,
    break_policy: null,
    auto_close: null,
    week_starts_on: 1,
    note: '',
  }
}

/** The first Monday of accounts with auto-close: long enough ago that all their days have ended. */
export const FIRST = '2020-01-06'

/** Full time from `FIRST` on, of which each day and week is closed as soon as it is over. */
export function closingAtOnce(hours = 8): object {
  return { ...fullTime(FIRST, hours), auto_close: { day_after_ms: 0, week_after_days: 0 } }
}

/** Work for auto-close to catch up with, given to it as it is wanted: of a bounded number of weeks, from `FIRST` on. */
export class Backlog {
  /** Number of weeks to close. */
  weeks = 0
  /** The settings that close them. */
  settings = ''
  readonly #call: Call
  #end = ''

  constructor(call: Call) {
    this.#call = call
  }

  /** Adds what takes auto-close 40 pieces. Returns the last week that is to be closed. */
  async grow(): Promise<string> {
    this.weeks += 20
    const end = fullTime(addDays(FIRST, 7 * this.weeks))
    if (this.settings === '') {
      this.#end = (await this.#call('POST', '/api/settings', end)).body.id
      this.settings = (await this.#call('POST', '/api/settings', closingAtOnce())).body.id
    } else {
      expect((await this.#call('PUT', `/api/settings/${this.#end}`, end)).status).toBe(200)
    }
    return weekOf(addDays(FIRST, 7 * (this.weeks - 1)))
  }
}

/** A live record or a tombstone as pull tells it. */
export interface Pulled {
  kind: string
  id: string
  version: number
  updated_at: string
  deleted: boolean
  record: Record<string, unknown>
}

/** All that pull hands out from the beginning. */
export async function pullAll(call: Call): Promise<Pulled[]> {
  const pulled: Pulled[] = []
  for (let since = 0; ; ) {
    const { status, body } = await call('GET', `/api/sync/pull?since=${since}&limit=10000`)
    expect(status).toBe(200)
    for (const deleted of [false, true]) {
      for (const [kind, records] of Object.entries<Pulled[]>(deleted ? body.deleted : body.changes)) {
        for (const record of records) pulled.push({ ...record, kind, deleted, record: { ...record } })
      }
    }
    if (!body.has_more) return pulled
    since = body.version
  }
}

/** Asserts that every closed figure is what the records say (D3), and the balance the sum of the weeks. */
export async function expectConsistentClosings(call: Call): Promise<{ days: ClosedDay[]; weeks: ClosedWeek[] }> {
  const live = (await pullAll(call)).filter(({ deleted }) => !deleted)
  const ofKind = <T>(kind: string) => live.filter((one) => one.kind === kind).map(({ record }) => record as T)
  const timeline = buildTimeline(ofKind<Settings>('settings_history'))
  const entries = ofKind<Entry>('entries')
  const days = ofKind<ClosedDay>('closed_days')
  for (const day of days) expect(day).toMatchObject(computeDay(entries, timeline, day.date))
  const weeks = ofKind<ClosedWeek>('closed_weeks')
  const daysByWeek = Map.groupBy(days, ({ date }) => weekOf(date))
  for (const week of weeks) expect(week).toMatchObject(sumFigures(daysByWeek.get(week.week) ?? []))
  const { body } = await call('GET', '/api/balance')
  expect(body.closed_weeks_delta_ms).toBe(weeks.reduce((sum, { delta_ms }) => sum + delta_ms, 0))
  return { days, weeks }
}
