import { HOUR_MS, type IsoWeek, type LocalDate, MINUTE_MS } from '../src/values.ts'

/** The fields of an entry that the account reads. */
export interface NaiveEntry {
  kind: string
  started_at?: string
  ended_at?: string | null
  date?: string
  day_share?: number | null
  amount_ms?: number | null
  counts?: boolean
}

export interface NaiveSettings {
  id: string
  effective_from: string
  time_zone: string
  target_ms: number[]
  auto_close?: { day_after_ms: number; week_after_days: number } | null
  break_policy?: { rules: { worked_above_ms: number; required_ms: number }[]; min_piece_ms: number } | null
}

export interface NaiveDay {
  date: string
  time_zone: string
  target_ms: number
  worked_ms: number
  break_ms: number
  deducted_break_ms: number
  credited_ms: number
  delta_ms: number
  settings_id: string | null
}

const STRETCH_MS = 30 * 24 * HOUR_MS
const WORK = 1
const BREAK = 2
const firstInstants = new Map<string, number>()

interface Timed {
  bit: number
  start: number
  end: number
}

/**
 * A slow implementation of the account (D3), tick by tick, that shares no code with the product. Tests compare the
 * product with it. Times, thresholds and the offsets of time zones must lie on whole ticks.
 */
export class NaiveAccount {
  readonly #timed: readonly Timed[]
  /** The entries that overlap each stretch of `STRETCH_MS`, by its number. */
  readonly #near = new Map<number, Timed[]>()
  readonly #absences: Absence[]
  readonly #rows: readonly NaiveSettings[]
  readonly #tickMs: number
  readonly #days = new Map<string, NaiveDay>()

  constructor(entries: readonly NaiveEntry[], rows: readonly NaiveSettings[], tickMs: number) {
    this.#rows = rows
    this.#tickMs = tickMs
    this.#timed = entries.flatMap(({ kind, started_at, ended_at, counts }) => {
      if (kind === 'work' && counts === false) return []
      if (typeof started_at !== 'string' || typeof ended_at !== 'string') return []
      return [{ bit: kind === 'work' ? WORK : BREAK, start: this.#onTick(started_at), end: this.#onTick(ended_at) }]
    })
    this.#absences = entries.flatMap(({ kind, date, day_share, amount_ms }) =>
      date === undefined ? [] : [{ kind, date, day_share: day_share ?? 1, amount_ms: amount_ms ?? undefined }],
    )
  }

  /** True if settings are in force on a date. */
  isInside(date: string): boolean {
    return this.rowOn(date) !== undefined
  }

  /** Returns the figures of a date; zeros outside the account. */
  day(date: string): NaiveDay {
    const day = this.#days.get(date) ?? this.#compute(date)
    this.#days.set(date, day)
    return { ...day }
  }

  #compute(date: string): NaiveDay {
    const row = this.rowOn(date)
    const time_zone = this.#zoneOn(date)
    if (!row) return { ...zeros, date, time_zone, settings_id: null }

    const ticks = this.#paint(this.start(date), this.start(plusDays(date, 1)))
    let worked_ms = 0
    let break_ms = 0
    for (const tick of ticks) {
      if (tick === WORK) worked_ms += this.#tickMs
      if (tick & BREAK) break_ms += this.#tickMs
    }
    const deducted_break_ms = this.#deduction(row, worked_ms, ticks)
    const absence = absenceFigures(
      BigInt(plannedMs(row, date)),
      BigInt(worked_ms - deducted_break_ms),
      this.#absences.filter((one) => one.date === date),
    )
    const delta_ms = worked_ms - deducted_break_ms + absence.credited_ms - absence.target_ms
    return { date, time_zone, worked_ms, break_ms, deducted_break_ms, ...absence, delta_ms, settings_id: row.id }
  }

  /** Returns the start of a date: the later of its first instant and that of the date before, each in its own zone. */
  start(date: string): number {
    const before = plusDays(date, -1)
    return Math.max(this.#firstInstant(date), this.#firstInstant(before))
  }

  /** Returns one number per tick of a window: the bits of the entries that cover it. */
  #paint(from: number, to: number): Uint8Array {
    const ticks = new Uint8Array(Math.max(0, to - from) / this.#tickMs)
    for (const { bit, start, end } of this.#timedNear(from, to)) {
      for (let at = Math.max(start, from); at < Math.min(end, to); at += this.#tickMs) {
        const index = (at - from) / this.#tickMs
        ticks[index] = (ticks[index] ?? 0) | bit
      }
    }
    return ticks
  }

  /** Returns the entries that overlap a window, and more. */
  #timedNear(from: number, to: number): Timed[] {
    const found: Timed[] = []
    for (let number = Math.floor(from / STRETCH_MS); number * STRETCH_MS < to; number += 1) {
      const [begin, end] = [number * STRETCH_MS, (number + 1) * STRETCH_MS]
      const near = this.#near.get(number) ?? this.#timed.filter((timed) => timed.start < end && timed.end > begin)
      this.#near.set(number, near)
      found.push(...near)
    }
    return found
  }

  /** Counts the ticks of breaks from the start of a day to its first work and from its last work to its end (D3.54). */
  #ticksAtMidnight(ticks: Uint8Array): number {
    let count = 0
    for (const inOrder of [ticks, ticks.toReversed()]) {
      const length = inOrder.findIndex((tick) => !(tick & BREAK))
      if (inOrder[length] === WORK) count += length
    }
    return count
  }

  /** Returns min{ d ≥ 0 : taken + d ≥ required(worked − d) }, by trying every d. */
  #deduction({ break_policy: policy }: NaiveSettings, workedMs: number, ticks: Uint8Array): number {
    if (!policy) return 0
    const first = ticks.indexOf(WORK)
    const last = ticks.lastIndexOf(WORK)
    let taken = this.#ticksAtMidnight(ticks) * this.#tickMs
    let gap = 0
    for (let index = first; first >= 0 && index <= last; index += 1) {
      if (ticks[index] === WORK) {
        if (gap >= policy.min_piece_ms) taken += gap
        gap = 0
      } else gap += this.#tickMs
    }
    for (let deducted = 0; ; deducted += this.#tickMs) {
      const required = policy.rules
        .filter(({ worked_above_ms }) => workedMs - deducted > worked_above_ms)
        .map(({ required_ms }) => required_ms)
      if (required.every((ms) => taken + deducted >= ms)) return deducted
    }
  }

  /** Returns the balance summary (R1.4, R2.7, D3.41) at a time without open jobs. */
  balance(
    closedWeeks: readonly { week: string; delta_ms: number }[],
    adjustments: readonly { effective_date: string; delta_ms: number }[],
    nowMs: number,
  ) {
    const today = this.#dateAt(nowMs)
    const closed = new Set(closedWeeks.map(({ week }) => week))
    const [first] = this.#rows.map(({ effective_from }) => effective_from).sort()
    const ended = first === undefined ? [] : dates(first, plusDays(today, -1))
    const open_delta_ms = sumDeltas(ended.filter((date) => !closed.has(isoWeek(date))).map((date) => this.day(date)))
    const closed_weeks_delta_ms = sumDeltas(closedWeeks)
    const adjustments_delta_ms = sumDeltas(adjustments)
    const balance_ms = closed_weeks_delta_ms + adjustments_delta_ms
    return {
      closed_weeks_delta_ms,
      adjustments_delta_ms,
      balance_ms,
      future_adjustments_delta_ms: sumDeltas(adjustments.filter(({ effective_date }) => effective_date > today)),
      open_delta_ms,
      projected_balance_ms: balance_ms + open_delta_ms,
      last_closed_week: [...closed].sort().at(-1) ?? null,
      as_of: new Date(nowMs).toISOString(),
      time_zone: first === undefined ? null : this.#zoneOn(today),
      recomputing: [],
    }
  }

  #dateAt(ms: number): string {
    let date = plusDays(new Date(ms).toISOString().slice(0, 10), -3)
    while (this.start(plusDays(date, 1)) <= ms) date = plusDays(date, 1)
    return date
  }

  /** Returns the latest row not after the date, of several from one date that with the greater id (D2.15, D2.16). */
  rowOn(date: string): NaiveSettings | undefined {
    const inForce = this.#rows.filter(({ effective_from }) => effective_from <= date)
    return inForce.sort(byTime).at(-1)
  }

  /** Returns the zone of a date. Before the account begins, it is that of its first day. */
  #zoneOn(date: string): string {
    const [first = date] = this.#rows.map(({ effective_from }) => effective_from).sort()
    return this.rowOn(date > first ? date : first)?.time_zone ?? 'UTC'
  }

  /** Moves a clock forward until it shows the date. */
  #firstInstant(date: string): number {
    const zone = this.#zoneOn(date)
    const key = `${zone} ${date} ${this.#tickMs}`
    let at = firstInstants.get(key)
    if (at === undefined) {
      const local = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
      const reached = (ms: number) => local(ms).toPlainDate().toString() >= date
      // No zone is further east.
      at = Temporal.Instant.from(`${date}T00:00:00Z`).epochMilliseconds - 16 * HOUR_MS
      // Within an hour in which clocks change, a date can begin, end again and begin anew.
      const isSteady = (ms: number) => local(ms).offset === local(ms + HOUR_MS).offset
      while (!reached(at + HOUR_MS) && isSteady(at)) at += HOUR_MS
      const steps = [...(isSteady(at) ? [10 * MINUTE_MS] : []), MINUTE_MS, this.#tickMs]
      for (const step of steps) while (!reached(at + step)) at += step
      at += this.#tickMs
      firstInstants.set(key, at)
    }
    return at
  }

  #onTick(instant: string): number {
    const ms = Temporal.Instant.from(instant).epochMilliseconds
    if (ms % this.#tickMs !== 0) throw new Error(`${instant} is not on a tick`)
    return ms
  }
}

const zeros = { target_ms: 0, worked_ms: 0, break_ms: 0, deducted_break_ms: 0, credited_ms: 0, delta_ms: 0 }

function byTime(a: NaiveSettings, b: NaiveSettings): number {
  const key = ({ effective_from, id }: NaiveSettings) => `${effective_from} ${id}`
  return key(a) < key(b) ? -1 : 1
}

interface Absence {
  kind: string
  date: string
  day_share: number
  /** Instead of the share. */
  amount_ms: number | undefined
}

/** An exact fraction. */
interface Fraction {
  over: bigint
  under: bigint
}

const plus = (a: Fraction, b: Fraction) => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under })
const minus = (a: Fraction, b: Fraction) => plus(a, { over: -b.over, under: b.under })
const least = (a: Fraction, b: Fraction) => (a.over * b.under < b.over * a.under ? a : b)
const whole: Fraction = { over: 1n, under: 1n }
const none: Fraction = { over: 0n, under: 1n }

/** Returns the share of an absence (D2.10, D14.6): t is the planned time. */
function shareOf({ day_share, amount_ms }: Absence, t: bigint): Fraction {
  if (amount_ms === undefined) return { over: BigInt(day_share.toFixed(9).replace('.', '')), under: 1_000_000_000n }
  return t === 0n ? none : least({ over: BigInt(amount_ms), under: t }, whole)
}

/** Returns target and credit (D3.11, D3.12, D3.13): t is the planned time, w the work after deduction. */
function absenceFigures(t: bigint, w: bigint, absences: readonly Absence[]) {
  const shares: Record<string, Fraction> = {}
  let left = whole
  for (const kind of ['public_holiday', 'sick', 'vacation', 'paid_other', 'unpaid']) {
    let share = none
    for (const absence of absences) if (absence.kind === kind) share = plus(share, shareOf(absence, t))
    share = least(share, left)
    shares[kind] = share
    left = minus(left, share)
  }
  const { public_holiday = none, sick = none, vacation = none, paid_other = none, unpaid = none } = shares
  const reducing = plus(plus(public_holiday, vacation), unpaid)
  const crediting = plus(sick, paid_other)
  const times = ({ over, under }: Fraction) => {
    const floor = (t * over) / under
    return ((t * over) % under) * 2n >= under ? floor + 1n : floor
  }
  const above = w - times(minus(minus(whole, reducing), crediting))
  const credited = times(crediting) - (above > 0n ? above : 0n)
  return { target_ms: Number(times(minus(whole, reducing))), credited_ms: credited > 0n ? Number(credited) : 0 }
}

/** Counts the days from the row's first Monday, in rounds of all its weeks (D14.1). */
function plannedMs({ effective_from, target_ms }: NaiveSettings, date: string): number {
  const monday = Temporal.PlainDate.from(plusDays(effective_from, 1 - weekday(effective_from)))
  return target_ms[monday.until(date).days % target_ms.length] ?? Number.NaN
}

export function plusDays(date: string, days: number): LocalDate {
  return Temporal.PlainDate.from(date).add({ days }).toString() as LocalDate
}

/** Returns 1 for Monday to 7 for Sunday. */
export function weekday(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek
}

/** Returns the ISO week of a date, as `2026-W47`. */
export function isoWeek(date: string): IsoWeek {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(date)
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}` as IsoWeek
}

/** Returns each date from the first to the last, both included. */
export function dates(from: string, to: string): string[] {
  const all: string[] = []
  for (let date = from; date <= to; date = plusDays(date, 1)) all.push(date)
  return all
}

export const figureNames = [
  'target_ms',
  'worked_ms',
  'break_ms',
  'deducted_break_ms',
  'credited_ms',
  'delta_ms',
] as const

export type NaiveWeek = Record<(typeof figureNames)[number], number>

/** Returns the figures of a week: the sums of those of its days. */
export function sumOf(days: readonly NaiveWeek[]): NaiveWeek {
  const sum = { ...zeros }
  for (const day of days) for (const name of figureNames) sum[name] += day[name]
  return sum
}

function sumDeltas(items: readonly { delta_ms: number }[]): number {
  return items.reduce((sum, { delta_ms }) => sum + delta_ms, 0)
}
