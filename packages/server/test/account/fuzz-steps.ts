import { DAY_MS, type LocalDate, MINUTE_MS, type WritableKind } from '@saldo/core'
import fc from 'fast-check'
import { plusDays } from '../../../core/test/naive-account.ts'
import { hours } from './samples.ts'

/** A mutation of the record in a slot; `content` is null for a delete. */
export interface Mutation {
  kind: WritableKind
  slot: number
  content: object | null
}

/** One step of a fuzzed account. */
export type Step =
  | { do: 'rest'; mutation: Mutation }
  | { do: 'push'; mutations: Mutation[] }
  | { do: 'close day' | 'reopen day' | 'close week' | 'reopen week'; date: LocalDate }
  | { do: 'wait'; minutes: number }
  | { do: 'accept' | 'decline' }
  | { do: 'all jobs' | 'piece of a job' | 'restart' }

/** The part of the calendar in which the steps happen. */
export interface Scenario {
  /** The first date on which something happens. */
  from: LocalDate
  days: number
  /** The most days for which a step lets the clock advance. */
  waitDays: number
  /** True if the account begins with all ended days closed. */
  beginsClosed: boolean
}

const zones = [
  'Europe/Berlin',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  // Where March has days that begin at one, and offsets that are no whole hours.
  'America/Havana',
  'Asia/Beirut',
  'America/St_Johns',
  'Asia/Kathmandu',
]

const targets = [
  [8, 8, 8, 8, 8, 0, 0].map(hours),
  [6, 6, 6, 6, 0, 0, 0].map(hours),
  // Odd: shares of it do not come out whole.
  Array(7).fill(27_360_001),
  Array(7).fill(0),
  [8, 8, 8, 8, 8, 0, 0, 7, 6, 5, 4, 0, 0, 1].map(hours),
]

const germanRules = [
  { worked_above_ms: hours(6), required_ms: hours(0.5) },
  { worked_above_ms: hours(9), required_ms: hours(0.75) },
]
const policies = [
  null,
  { rules: germanRules, min_piece_ms: hours(0.25) },
  { rules: [{ worked_above_ms: hours(2), required_ms: hours(1) }, ...germanRules], min_piece_ms: 0 },
]
const absenceKinds = ['vacation', 'sick', 'public_holiday', 'time_off_in_lieu', 'unpaid', 'paid_other']

/** Draws the steps of an account. */
export function stepsIn({ from, days, waitDays, beginsClosed }: Scenario, maxLength: number): fc.Arbitrary<Step[]> {
  const date = fc.integer({ min: 0, max: days }).map((offset) => plusDays(from, offset))
  const instant = fc
    .record({ offset: fc.integer({ min: -1, max: days + 2 }), minute: fc.oneof(minutes(0, 1439), minutes(1200, 1439)) })
    .map(({ offset, minute }) => Date.parse(from) + offset * DAY_MS + minute * MINUTE_MS)
  const length = fc.oneof(minutes(0, 600), minutes(0, 90), minutes(600, 6000))
  const timed = fc
    .record({
      kind: fc.constantFrom('work', 'work', 'break'),
      instant,
      length: fc.option(length, { freq: 8 }),
      counts: fc.constantFrom({}, {}, { counts: true }, { counts: false }),
    })
    .map(({ kind, instant, length, counts }) => ({
      kind,
      ...counts,
      started_at: iso(instant),
      ended_at: length === null ? null : iso(instant + length * MINUTE_MS),
    }))
  const size = fc.oneof(
    fc.record({ day_share: fc.constantFrom(1, 0.5, 0.25, 0.333, 0.001) }),
    fc.record({ amount_ms: fc.constantFrom(1, hours(1.5), hours(3) + 7, hours(24)) }),
  )
  const absence = fc
    .record({ kind: fc.constantFrom(...absenceKinds), date, size })
    .map(({ size, ...absence }) => ({ ...absence, ...size }))
  const grant = fc.record({ kind: fc.constant('vacation_grant'), date, days: fc.constantFrom(-1, 0.5, 30) })
  const entry = fc.oneof(
    { weight: 10, arbitrary: timed },
    { weight: 4, arbitrary: absence },
    { weight: 1, arbitrary: grant },
  )
  const settings = fc.record({
    // Also before the first date: what is closed can begin in the middle of a week that gets more days.
    effective_from: fc.integer({ min: -10, max: days }).map((offset) => plusDays(from, offset)),
    time_zone: fc.constantFrom(...zones),
    target_ms: fc.constantFrom(...targets),
    break_policy: fc.constantFrom(...policies),
    auto_close: fc.option(
      fc.record({
        day_after_ms: fc.constantFrom(0, hours(5), 9 * DAY_MS),
        week_after_days: fc.constantFrom(0, 1, 4, 12),
      }),
      { freq: 2 },
    ),
    limits: fc.option(
      fc.record({
        green_ms: fc.constant(0),
        yellow_ms: fc.constant(hours(1)),
        period_ends: fc.subarray(['01-31', '02-28', '03-04', '03-11', '03-29', '12-31'], { minLength: 1 }),
        keep_at_most_ms: fc.constantFrom(null, 0, hours(2)),
      }),
      { freq: 3 },
    ),
  })
  const adjustment = fc.record({
    effective_date: date,
    delta_ms: fc.integer({ min: 1, max: hours(50) }).map((delta) => (delta % 2 ? delta : -delta)),
    kind: fc.constant('correction'),
    reason: fc.constant('why not'),
  })
  const mutation = fc.oneof(
    { weight: 8, arbitrary: mutationOf('entries', entry, 8) },
    { weight: 4, arbitrary: mutationOf('settings_history', settings, 4) },
    { weight: 1, arbitrary: mutationOf('balance_adjustments', adjustment, 2) },
  )
  const step = fc.oneof(
    { weight: 7, arbitrary: fc.record({ do: fc.constant('rest' as const), mutation }) },
    {
      weight: 7,
      arbitrary: fc.record({
        do: fc.constant('push' as const),
        mutations: fc.array(mutation, { minLength: 1, maxLength: 6 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('close week' as const, 'close day' as const), date }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reopen week' as const, 'reopen day' as const), date }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: minutes(0, waitDays * 1440) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('all jobs' as const, 'piece of a job' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('accept' as const, 'decline' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  )
  const born = settings.map((content): Step[] => {
    const first = { ...content, effective_from: from, ...(beginsClosed && atOnce) }
    const opening = {
      effective_date: from,
      delta_ms: hours(1_000),
      kind: 'opening',
      reason: 'so that hours can expire',
    }
    return [
      { do: 'rest', mutation: { kind: 'settings_history', slot: 0, content: first } },
      { do: 'rest', mutation: { kind: 'balance_adjustments', slot: 2, content: opening } },
      { do: 'all jobs' },
    ]
  })
  return fc.tuple(born, fc.array(step, { minLength: 4, maxLength })).map(([first, rest]) => [...first, ...rest])
}

const atOnce = { auto_close: { day_after_ms: 0, week_after_days: 0 } }

function mutationOf(kind: WritableKind, content: fc.Arbitrary<object>, slots: number): fc.Arbitrary<Mutation> {
  return fc.record({
    kind: fc.constant(kind),
    slot: fc.integer({ min: 0, max: slots - 1 }),
    content: fc.option(content, { freq: 5 }),
  })
}

const minutes = (min: number, max: number) => fc.integer({ min, max })

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
