import {
  addDays,
  buildTimeline,
  type ClosedDay,
  HOUR_MS,
  instantOf,
  type JsonObject,
  type LocalDate,
  mondayOf,
  type PullResponse,
  type Settings,
  settingsOn,
  utcDate,
  type WritableKind,
  weekOf,
} from '@saldo/core'
import type { Chance } from '../simulation/chance.ts'
import { requireClosedRight } from '../simulation/check.ts'
import { Device } from './device.ts'
import { type Account, PASSWORD } from './service.ts'
import type { Answer, Question, Wire } from './wire.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Santiago', 'UTC']
/** So many devices a user has at most; one more takes the place of one that never comes back. */
const MOST_DEVICES = 4

export interface RunContext {
  wire: Wire
  chance: Chance
  /** Returns the current time of the run, in milliseconds. */
  nowMs(): number
  /** By how many days the service may be behind with closing: on a busy machine, those of a minute. */
  behindDays: number
}

/** An acknowledged change, which the service must have at the end. */
interface Noted {
  kind: WritableKind
  /** Null where it was deleted. */
  content: JsonObject | null
  updatedAt: string
}

const paths = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
}

/**
 * A user with devices and programs, and a note of all that the service acknowledged. What they do, they do one after
 * another.
 */
export class VirtualUser {
  readonly account: Account
  readonly #context: RunContext
  readonly #isFollowed: boolean
  readonly #zone: string
  /** Others close their weeks by hand. */
  readonly #closesBySetting: boolean
  readonly #firstDate: LocalDate
  #devices: Device[] = []
  readonly #noted = new Map<string, Noted>()
  isBusy = false

  constructor(account: Account, n: number, context: RunContext, isFollowed: boolean) {
    this.account = account
    this.#context = context
    this.#isFollowed = isFollowed
    this.#zone = ZONES[n % ZONES.length] as string
    this.#closesBySetting = n % 2 === 0
    this.#firstDate = addDays(this.#today, -1)
  }

  /** Opens the account: the first settings, from the first device. */
  async begin(): Promise<void> {
    const device = await this.join()
    await this.#push(device, [this.#settings(this.#context.chance.uuid(), this.#firstDate, 8)])
  }

  /** A new device takes a snapshot. */
  async join(): Promise<Device> {
    const ask = (question: Question, ...may: number[]) => this.#ask(question, ...may)
    const device = new Device(this.#context.chance.uuid(), ask, this.#isFollowed)
    await device.pull()
    this.#devices = [...this.#devices, device].slice(-MOST_DEVICES)
    return device
  }

  /**
   * Some changes from a device: new entries mostly, and edits and deletions of older ones. Now and then the answer
   * was lost.
   */
  async push(): Promise<void> {
    const { chance } = this.#context
    const count = 1 + Math.floor(20 * chance.fraction() ** 2)
    const changes = new Map(Array.from({ length: count }, () => this.#anyChange()).map((change) => [change.id, change]))
    await this.#push(this.#anyDevice(), [...changes.values()], chance.below(20) === 0)
  }

  async pull(): Promise<boolean> {
    return this.#anyDevice().pull()
  }

  /**
   * A device is brought up to date and compares itself with the service. Returns whether there was something to
   * compare.
   */
  async compare(): Promise<boolean> {
    const device = this.#anyDevice()
    await device.pull()
    return device.compare()
  }

  /** Creates, edits or deletes a record over REST, as a program does. */
  async write(): Promise<void> {
    const { kind, id, content } = this.#anyChange()
    const isThere = this.#noted.get(id)?.content
    const path = `${paths[kind]}/${id}`
    if (content === null) {
      const { headers } = await this.#ask({ kind: 'write', method: 'DELETE', path }, 204)
      return this.#note(kind, id, null, headers['saldo-updated-at'] as string)
    }
    const answer = isThere
      ? await this.#ask({ kind: 'write', method: 'PUT', path, json: content }, 200)
      : await this.#ask({ kind: 'write', method: 'POST', path: paths[kind], json: { id, ...content } }, 201)
    this.#note(kind, id, content, answer.body.updated_at)
  }

  async read(): Promise<void> {
    const { chance } = this.#context
    const today = this.#today
    const [from, to] = [addDays(today, -28 + chance.below(7)), addDays(today, -1)]
    const addresses = [
      '/api/balance',
      `/api/account/days?from=${from}&to=${to}`,
      `/api/entries?from=${from}&to=${to}`,
      '/api/closed-weeks?limit=10',
      '/api/balance/adjustments',
      '/api/me',
    ]
    await this.#ask({ kind: 'read', method: 'GET', path: addresses[chance.below(addresses.length)] as string }, 200)
  }

  /** Closes the week before last by hand, or opens it again. */
  async close(): Promise<void> {
    const week = weekOf(addDays(this.#today, -10))
    if (this.#closesBySetting || addDays(mondayOf(week), 6) < this.#firstDate) return this.read()
    await this.#ask({ kind: 'close', method: 'POST', path: '/api/closed-weeks', json: { week } }, 200, 201)
    if (this.#context.chance.below(4) > 0) return
    await this.#ask({ kind: 'close', method: 'DELETE', path: `/api/closed-weeks/${week}` }, 204)
  }

  /** Changes the planned hours from some day on, so that closed days after it are recomputed. */
  async changeSettings(): Promise<void> {
    const { chance } = this.#context
    const rows = [...this.#noted].filter(([, { kind, content }]) => kind === 'settings_history' && content)
    const [id] = rows.length > 3 ? (rows[1 + chance.below(rows.length - 1)] as [string, Noted]) : [chance.uuid()]
    const from = addDays(this.#today, -chance.below(40))
    const change = this.#settings(id, from < this.#firstDate ? this.#firstDate : from, 4 + chance.below(6))
    const json = { ...change.content, updated_at: undefined }
    const { body } = await this.#ask(
      { kind: 'settings', method: 'PUT', path: `/api/settings/${id}?${this.#stamp(id)}`, json },
      200,
      201,
    )
    this.#note('settings_history', id, change.content, body.updated_at)
  }

  /** Signs in by password, mostly with success, reads, and mostly signs out again. */
  async signIn(): Promise<void> {
    const { chance, wire } = this.#context
    const from = { 'x-forwarded-for': `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}` }
    const signIn = (password: string, status: number) => {
      const json = { email: this.account.email, password }
      return wire.ask({ kind: 'sign-in', method: 'POST', path: '/api/auth/sign-in', headers: from, json }, status)
    }
    if (chance.below(10) === 0) await signIn('a wrong password', 401)
    const cookie = cookieOf(await signIn(PASSWORD, 200))
    await wire.ask({ kind: 'read', method: 'GET', path: '/api/me/sessions', headers: { cookie } }, 200)
    if (chance.below(3) === 0) return
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    await wire.ask({ kind: 'sign-in', method: 'POST', path: '/api/auth/sign-out', headers }, 204)
  }

  /** Checks the end of a run. Returns the numbers of checked closed days and records. */
  async check(): Promise<{ days: number; records: number }> {
    while ((await this.#ask({ kind: 'read', method: 'GET', path: '/api/balance' }, 200)).body.recomputing.length > 0) {
      // The job works on.
    }
    const { body }: { body: PullResponse } = await this.#ask(
      { kind: 'snapshot', method: 'GET', path: '/api/sync/pull?limit=10000' },
      200,
    )
    if (body.has_more) throw new Error('a snapshot has more than a page')
    requireClosedRight(body)
    this.#requireNoted(body)
    const days = (body.changes.closed_days ?? []) as ClosedDay[]
    if (this.#closesBySetting) this.#requireClosed(body, new Set(days.map(({ date }) => date)))
    for (const device of this.#devices) {
      do await device.pull()
      while (!(await device.compare()) && this.#isFollowed)
    }
    return { days: days.length, records: this.#noted.size }
  }

  #requireNoted({ changes }: PullResponse): void {
    const live = new Map<string, string>()
    for (const kind of ['entries', 'settings_history', 'balance_adjustments'] as const) {
      for (const { id, updated_at } of changes[kind] ?? []) live.set(id, updated_at)
    }
    for (const [id, { content, updatedAt }] of this.#noted) {
      const should = content ? updatedAt : undefined
      if (live.get(id) !== should) throw new Error(`${id} stands at ${live.get(id)} instead of ${should}`)
      live.delete(id)
    }
    if (live.size > 0) throw new Error(`${live.size} records that nobody wrote`)
  }

  /** Checks that days and weeks that are long due are closed. */
  #requireClosed({ changes }: PullResponse, closed: ReadonlySet<LocalDate>): void {
    const timeline = buildTimeline((changes.settings_history ?? []) as Settings[])
    const until = addDays(this.#today, -2 - this.#context.behindDays)
    for (let date = this.#firstDate; date < until; date = addDays(date, 1)) {
      if (settingsOn(timeline, date)?.auto_close && !closed.has(date)) throw new Error(`${date} was not closed`)
    }
  }

  #ask(question: Question, ...may: number[]): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.account.token}`, ...question.headers }
    return this.#context.wire.ask({ ...question, headers }, ...may)
  }

  async #push(
    device: Device,
    given: readonly { kind: WritableKind; id: string; content: JsonObject | null }[],
    isLost = false,
  ) {
    const changes = given.map(({ kind, id, content }) => {
      const updated_at = this.#nextTime(id)
      device.seq += 1
      return content
        ? { kind, op: 'upsert', seq: device.seq, record: { id, updated_at, ...content } }
        : { kind, op: 'delete', seq: device.seq, id, updated_at }
    })
    const question = {
      kind: 'push',
      method: 'POST',
      path: '/api/sync/push',
      json: { device: device.id, changes },
    } as const
    if (isLost) await this.#ask(question, 200)
    const { body } = await this.#ask(question, 200)
    for (const [index, result] of body.results.entries()) {
      const { kind, id, content } = given[index] as (typeof given)[number]
      if (result.status !== (isLost ? 'unchanged' : 'applied'))
        throw new Error(`a change became ${JSON.stringify(result)}`)
      this.#note(kind, id, content, result.updated_at)
    }
  }

  #anyChange(): { kind: WritableKind; id: string; content: JsonObject | null } {
    const { chance } = this.#context
    const dice = chance.below(100)
    if (dice < 4) return { kind: 'balance_adjustments', id: chance.uuid(), content: this.#adjustment() }
    const entry = dice < 30 ? this.#anyEntry() : undefined
    if (!entry)
      return { kind: 'entries', id: chance.uuid(), content: this.#entry(addDays(this.#today, -chance.below(3))) }
    if (dice < 10) return { kind: 'entries', id: entry.id, content: null }
    // Also of weeks that are closed.
    return { kind: 'entries', id: entry.id, content: this.#entry(entry.date) }
  }

  /** Returns one of the latest live entries. */
  #anyEntry(): { id: string; date: LocalDate } | undefined {
    const standing = [...this.#noted].filter(([, { kind, content }]) => kind === 'entries' && content).slice(-60)
    const found = standing[this.#context.chance.below(standing.length)]
    if (!found) return undefined
    const [id, { content }] = found
    return { id, date: String(content?.date ?? content?.started_at).slice(0, 10) as LocalDate }
  }

  #entry(date: LocalDate): JsonObject {
    const { chance } = this.#context
    const common = { time_zone: this.#zone, note: `Item ${chance.below(1000)}`, tags: ['client'], project: 'Relaunch' }
    if (chance.below(12) === 0) {
      const size = chance.below(2) === 0 ? { day_share: 0.5 } : { amount_ms: 1.5 * HOUR_MS }
      return { kind: ['vacation', 'sick'][chance.below(2)] as string, date, ...size, ...common }
    }
    const startMs = Date.parse(`${date}T00:00:00.000Z`) + (6 + chance.below(12)) * HOUR_MS + chance.below(60) * 60_000
    const endMs = startMs + (20 + chance.below(200)) * 60_000
    const kind = chance.below(8) === 0 ? 'break' : 'work'
    return { kind, started_at: instantOf(startMs), ended_at: instantOf(endMs), ...common }
  }

  #adjustment(): JsonObject {
    const { chance } = this.#context
    return {
      effective_date: this.#today,
      delta_ms: (1 + chance.below(8)) * HOUR_MS,
      kind: 'correction',
      reason: 'as agreed',
    }
  }

  #settings(id: string, from: LocalDate, hours: number) {
    const day = hours * HOUR_MS
    const content: JsonObject = {
      effective_from: from,
      time_zone: this.#zone,
      target_ms: [day, day, day, day, day, 0, 0],
      break_policy: { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: HOUR_MS / 2 }], min_piece_ms: HOUR_MS / 4 },
      auto_close: this.#closesBySetting ? { day_after_ms: 12 * HOUR_MS, week_after_days: 1 } : null,
    }
    return { kind: 'settings_history' as const, id, content }
  }

  #stamp(id: string): string {
    const device = this.#anyDevice()
    device.seq += 1
    return new URLSearchParams({
      updated_at: this.#nextTime(id),
      device: device.id,
      seq: String(device.seq),
    }).toString()
  }

  #note(kind: WritableKind, id: string, content: JsonObject | null, updatedAt: string): void {
    this.#noted.delete(id)
    this.#noted.set(id, { kind, content, updatedAt })
  }

  /** Returns the current time, or just after the stored record if that is later. */
  #nextTime(id: string): string {
    const standing = this.#noted.get(id)
    return instantOf(Math.max(this.#context.nowMs(), standing ? Date.parse(standing.updatedAt) + 1 : 0))
  }

  /** Mostly the newest; now and then one that was away for long. */
  #anyDevice(): Device {
    const { chance } = this.#context
    const index = chance.below(5) === 0 ? chance.below(this.#devices.length) : this.#devices.length - 1
    return this.#devices[index] as Device
  }

  get #today(): LocalDate {
    return utcDate(this.#context.nowMs())
  }
}

function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
}
