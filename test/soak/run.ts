import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { databaseFile, systemRandom } from '@saldo/server'
import { inPieces } from '../../bench/load.ts'
import { type Chance, chanceOf } from '../simulation/chance.ts'
import type { Vitals } from './fast-time.ts'
import { quantile } from './figures.ts'
import { type Footprint, onlookerOf } from './footprint.ts'
import { fastNow, type Pace } from './pace.ts'
import { addAccounts, SoakedService, WITH_PASSWORD } from './service.ts'
import { VirtualUser } from './virtual-user.ts'
import { type RequestKind, Wire } from './wire.ts'

export interface SoakOptions {
  minutes: number
  users: number
  seed: number
  /** Requests begun in a second, about: some things that a user does take several. */
  rate: number
  /** Number of days that pass for the service. */
  days: number
  /** Interval between samples, in seconds. */
  sampleSeconds: number
  /** A PostgreSQL database, new and empty; a file of its own where none is named. */
  database: string | undefined
  onSample: (sample: Sample) => void
}

export interface Latency {
  count: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  maxMs: number
}

/** A sample; latencies cover the time since the previous one. */
export interface Sample extends Vitals, Footprint {
  minute: number
  day: number
  latency: Latency
  byKind: Partial<Record<RequestKind, Latency>>
  /** By how many days of its own the service is behind with the work that is due. */
  behindDays: number
  openStreams: number
  inFlight: number
  errors: number
}

export interface SoakResult {
  samples: Sample[]
  /** Of the whole run. */
  byKind: Partial<Record<RequestKind, Latency>>
  requests: number
  events: number
  coldStarts: number
  comparisons: number
  checked: { users: number; days: number; records: number }
  /** Problems with their counts. */
  errors: string[]
  exitCode: number | null
  /** Where the database and the log of the service are, and stay where something went wrong. */
  folder: string
}

/** A Monday before the clocks of the northern summer change. */
const START_MS = Date.parse('2026-01-05T06:00:00.000Z')
const MOST_IN_FLIGHT = 64
const MOST_STREAMS = 150
/** Every so many users, all that the devices of one hold is compared with the service. */
const FOLLOWED = 10
/** At every so many samples, what is dead on the heap is collected, so that what is alive can be seen. */
const COLLECTED = 20
/** The most users that are looked at in the end. */
const MOST_CHECKED = 200

/** Actions with their frequency in 1,000. */
const doings: [often: number, (run: Run, user: VirtualUser) => Promise<void>][] = [
  [300, (_, user) => user.push()],
  [290, async (run, user) => run.noteColdStart(await user.pull())],
  [30, async (_, user) => void (await user.join())],
  [60, async (run, user) => run.noteComparison(await user.compare())],
  [130, (_, user) => user.write()],
  [115, (_, user) => user.read()],
  [25, (_, user) => user.close()],
  [10, (_, user) => user.changeSettings()],
  [30, async (run, user) => run.toggleStream(user)],
  [10, (run) => run.signIn()],
]

/**
 * Runs mixed load on the built program while its clock passes months. Returns the errors that it finds instead of
 * throwing.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-soak-'))
  const { database } = options
  const place = database === undefined ? { file: databaseFile({ dataDir: folder }) } : { url: database }
  const accounts = await addAccounts(place, options.users, START_MS)
  const pace = { startMs: START_MS, realStartMs: Date.now(), speed: (options.days * 1440) / options.minutes }
  const environment: Record<string, string> =
    database === undefined
      ? { SALDO_DATA_DIR: folder }
      : { SALDO_DATABASE_URL: database, SALDO_AUTH_SECRET: systemRandom.token(32) }
  const service = await SoakedService.start(environment, pace, join(folder, 'log'))
  const onlooker = await onlookerOf(place)
  const run = new Run(options, pace, service.port, accounts)
  try {
    await run.begin()
    const ended = run.load()
    while (!(await Promise.race([ended, passed(options.sampleSeconds * 1_000, false)]))) {
      run.sample(await service.vitals(run.samples.length % COLLECTED === 0), await onlooker.footprint())
    }
    run.sample(await service.vitals(true), await onlooker.footprint())
    const checked = await run.check()
    run.close()
    const exitCode = await service.stop()
    for (const line of [...service.logged(), ...(await onlooker.faults())]) run.noteError(line)
    return run.result(checked, exitCode, folder)
  } finally {
    run.close()
    await onlooker.close()
    await service.stop()
    // After a failure the folder stays, so that it can be examined.
    if (run.isWithoutError) rmSync(folder, { recursive: true, force: true })
  }
}

class Run {
  readonly samples: Sample[] = []
  readonly #options: SoakOptions
  readonly #pace: Pace
  readonly #wire: Wire
  readonly #chance: Chance
  readonly #users: VirtualUser[]
  readonly #all = new Map<RequestKind, number[]>()
  readonly #errors = new Map<string, number>()
  readonly #streams = new Map<VirtualUser, () => void>()
  readonly #atWork = new Set<Promise<void>>()
  #recent = new Map<RequestKind, number[]>()
  #events = 0
  #coldStarts = 0
  #comparisons = 0

  constructor(options: SoakOptions, pace: Pace, port: number, accounts: Awaited<ReturnType<typeof addAccounts>>) {
    this.#options = options
    this.#pace = pace
    this.#chance = chanceOf(options.seed)
    this.#wire = new Wire(port, (kind, ms) => {
      for (const times of [this.#all, this.#recent]) {
        const those = times.get(kind)
        if (those) those.push(ms)
        else times.set(kind, [ms])
      }
    })
    const behindDays = Math.ceil(options.days / options.minutes)
    const context = { wire: this.#wire, chance: this.#chance, nowMs: () => fastNow(pace, Date.now()), behindDays }
    this.#users = accounts.map((account, n) => new VirtualUser(account, n, context, n % FOLLOWED === 0))
  }

  async begin(): Promise<void> {
    await inPieces(this.#users.length, 16, (n) => this.#users[n]?.begin() ?? Promise.resolve())
  }

  /** Has users do things at the rate that is asked for, until the time is over. */
  async load(): Promise<true> {
    const { minutes, rate } = this.#options
    const endMs = this.#pace.realStartMs + minutes * 60_000
    for (let dueMs = Date.now(); dueMs < endMs; dueMs += 1_000 / rate) {
      const early = dueMs - Date.now()
      if (early > 0) await passed(early)
      if (Date.now() > endMs) break
      if (this.#atWork.size >= MOST_IN_FLIGHT) await Promise.race(this.#atWork)
      const work = this.#doSomething().finally(() => this.#atWork.delete(work))
      this.#atWork.add(work)
    }
    await Promise.all(this.#atWork)
    for (const close of this.#streams.values()) close()
    this.#streams.clear()
    return true
  }

  async #doSomething(): Promise<void> {
    // Some do much, and some come back after months.
    const user = this.#users[Math.floor(this.#users.length * this.#chance.fraction() ** 2)] as VirtualUser
    if (user.isBusy) return
    let dice = this.#chance.below(1_000)
    const [, doing] = doings.find(([often]) => {
      dice -= often
      return dice < 0
    }) as (typeof doings)[number]
    user.isBusy = true
    await doing(this, user).catch((error) => this.noteError(error.message))
    user.isBusy = false
  }

  noteColdStart(hadTo: boolean): void {
    if (hadTo) this.#coldStarts += 1
  }

  noteComparison(was: boolean): void {
    if (was) this.#comparisons += 1
  }

  noteError(message: string): void {
    this.#errors.set(message, (this.#errors.get(message) ?? 0) + 1)
  }

  async signIn(): Promise<void> {
    await this.#users[this.#chance.below(Math.min(WITH_PASSWORD, this.#users.length))]?.signIn()
  }

  /** Opens an event stream, and closes an old one where there are enough. */
  toggleStream(user: VirtualUser): void {
    const [oldest] = this.#streams.keys()
    const isEnough = this.#streams.size >= MOST_STREAMS || this.#chance.below(3) === 0
    for (const closing of [user, isEnough ? oldest : undefined]) {
      if (!closing) continue
      this.#streams.get(closing)?.()
      this.#streams.delete(closing)
    }
    const onEvent = () => {
      this.#events += 1
    }
    const { token } = user.account
    this.#streams.set(
      user,
      this.#wire.stream(token, onEvent, (why) => this.noteError(`a stream ended: ${why}`)),
    )
  }

  sample(vitals: Vitals, footprint: Footprint): void {
    const recent = this.#recent
    this.#recent = new Map()
    const nowMs = fastNow(this.#pace, Date.now())
    const sample = {
      minute: (Date.now() - this.#pace.realStartMs) / 60_000,
      day: (nowMs - this.#pace.startMs) / 86_400_000,
      behindDays: Math.max(0, nowMs - (footprint.oldestDueMs ?? nowMs)) / 86_400_000,
      latency: latencyOf([...recent.values()].flat()),
      byKind: byKind(recent),
      openStreams: this.#streams.size,
      inFlight: this.#atWork.size,
      errors: this.#errorCount,
      ...vitals,
      ...footprint,
    }
    this.samples.push(sample)
    this.#options.onSample(sample)
  }

  /** Checks a sample of the users once all activity has ended. */
  async check(): Promise<SoakResult['checked']> {
    const step = Math.max(FOLLOWED, Math.ceil(this.#users.length / MOST_CHECKED / FOLLOWED) * FOLLOWED)
    const checked = { users: 0, days: 0, records: 0 }
    const some = this.#users.filter((_, n) => n % step === 0 || n % step === 1)
    for (const user of some) {
      try {
        const { days, records } = await user.check()
        checked.users += 1
        checked.days += days
        checked.records += records
      } catch (error) {
        this.noteError(`user ${user.account.id}: ${error instanceof Error ? error.message : error}`)
      }
    }
    return checked
  }

  close(): void {
    this.#wire.close()
  }

  result(checked: SoakResult['checked'], exitCode: number | null, folder: string): SoakResult {
    const errors = [...this.#errors].map(([message, times]) => `${times} × ${message}`)
    if (exitCode !== 0) errors.push(`the service ended with ${exitCode}`)
    return {
      samples: this.samples,
      byKind: byKind(this.#all),
      requests: [...this.#all.values()].reduce((sum, { length }) => sum + length, 0),
      events: this.#events,
      coldStarts: this.#coldStarts,
      comparisons: this.#comparisons,
      checked,
      errors,
      exitCode,
      folder,
    }
  }

  get isWithoutError(): boolean {
    return this.#errors.size === 0
  }

  get #errorCount(): number {
    return [...this.#errors.values()].reduce((sum, times) => sum + times, 0)
  }
}

function byKind(times: ReadonlyMap<RequestKind, number[]>): Partial<Record<RequestKind, Latency>> {
  return Object.fromEntries([...times].map(([kind, ms]) => [kind, latencyOf(ms)]))
}

function latencyOf(ms: readonly number[]): Latency {
  return {
    count: ms.length,
    p50Ms: quantile(ms, 0.5),
    p95Ms: quantile(ms, 0.95),
    p99Ms: quantile(ms, 0.99),
    maxMs: ms.reduce((most, each) => Math.max(most, each), 0),
  }
}
