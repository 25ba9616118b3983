import fc from 'fast-check'
import { expect, test } from 'vitest'
import fixtures from '../../../fixtures/proposals.json' with { type: 'json' }
import { runsOf } from '../test/tier.ts'
import {
  balanceColor,
  type ClosedDelta,
  type ExpiryProposal,
  expiryId,
  expiryOf,
  expiryProposals,
  type LimitSettings,
  periodEnds,
} from './balance-limits.ts'
import { addDays, datesOfWeek, weekOf } from './date.ts'
import { parseDelta } from './delta.ts'
import { buildTimeline } from './timeline.ts'
import { type DurationMs, HOUR_MS, type IsoWeek, type LocalDate, type RecordId, type UserNumber } from './values.ts'

const user = fixtures.user as UserNumber
/** All weeks of these tests have ended on it. */
const today: LocalDate = '2028-12-31'

function ms(text: string): DurationMs {
  const parsed = parseDelta(text)
  if (!parsed.ok) throw new Error(`${text} is no delta`)
  return parsed.deltaMs
}

let count = 0
function newId(): RecordId {
  count += 1
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
}

function row(effective_from: LocalDate, limits: LimitSettings['limits']): LimitSettings {
  const target_ms = Array<number>(7).fill(0)
  return { id: newId(), effective_from, time_zone: 'UTC', target_ms, break_policy: null, auto_close: null, limits }
}

const limits = (period_ends: string[], keep_at_most_ms: DurationMs | null) => ({
  green_ms: 0,
  yellow_ms: 0,
  period_ends,
  keep_at_most_ms,
})

function proposalsOf(
  rows: readonly LimitSettings[],
  weeks: readonly IsoWeek[],
  closed: readonly ClosedDelta[],
  adjustments: readonly { id: RecordId; effective_date: LocalDate; delta_ms: DurationMs }[],
): ExpiryProposal[] {
  return expiryProposals(user, periodEnds(buildTimeline(rows), new Set(weeks), today), closed, adjustments)
}

test('[D18.1] a balance is green, yellow or red by its distance from zero', () => {
  const of = (balanceMs: number) => balanceColor(balanceMs, { ...limits([], null), green_ms: 10, yellow_ms: 20 })
  expect([0, 10, -10, 11, -20, 21, -21].map(of)).toEqual(['green', 'green', 'green', 'yellow', 'yellow', 'red', 'red'])
})

test.each(fixtures.ids)('[D18.6] the expiry of a period that ends on $period_end has one id', (vector) => {
  expect(expiryId(user, vector.period_end as LocalDate)).toBe(vector.adjustment_id)
})

test.each(fixtures.cases)('[D18.3] [D18.4] [D18.5] [D18.7] [D18.8] $name', (vector) => {
  const rows = vector.settings.map(({ effective_from, period_ends, keep_at_most }) =>
    row(effective_from as LocalDate, limits(period_ends, keep_at_most === null ? null : ms(keep_at_most))),
  )
  const closed = vector.closed.flatMap(({ days }) =>
    Object.entries(days).map(([date, delta]) => ({ date: date as LocalDate, delta_ms: ms(delta) })),
  )
  const adjustments = vector.adjustments.map(({ effective_date, delta, ...own }) => ({
    id: 'period_end' in own ? expiryId(user, own.period_end as LocalDate) : newId(),
    effective_date: effective_date as LocalDate,
    delta_ms: ms(delta),
  }))
  const weeks = vector.closed.map(({ week }) => week as IsoWeek)
  expect(proposalsOf(rows, weeks, closed, adjustments)).toEqual(
    vector.proposals.map((proposal) => ({
      period_end: proposal.period_end,
      state: proposal.state,
      balance_ms: ms(proposal.balance),
      keep_at_most_ms: ms(proposal.keep_at_most),
      excess_ms: ms(proposal.excess),
      expired_ms: 'expired' in proposal ? ms(proposal.expired) : null,
      adjustment_id: expiryId(user, proposal.period_end as LocalDate),
      settings_id: rows.findLast(({ effective_from }) => effective_from <= proposal.period_end)?.id,
    })),
  )
})

test('[D18.3] settings without limits have no ends of periods', () => {
  expect(periodEnds([], new Set(), today)).toEqual([])
  expect(periodEnds([row('2026-12-28', null)], new Set(['2026-W53'] as const), today)).toEqual([])
})

test('[D1.37] [D18.4] ends of periods take a step for each week and row, not for each date and row', () => {
  let steps = 0
  const counted = (effective_from: LocalDate): LimitSettings =>
    new Proxy(row(effective_from, limits(['03-31', '12-31'], 0)), {
      get(target, name) {
        steps += 1
        return Reflect.get(target, name)
      },
    })
  const rows = Array.from({ length: 500 }, (_, index) => counted(addDays('1900-01-01', index * 7)))
  steps = 0
  const ends = periodEnds(rows, new Set(), today)
  expect(ends).toHaveLength(2 * 129)
  expect(ends.at(-1)).toMatchObject({ period_end: '2028-12-31', settings_id: rows.at(-1)?.id, isClosed: false })
  expect(steps).toBeLessThan(10 * rows.length)
})

test('[D18.4] the last day of February ends a period once, also where the end is given in two ways', () => {
  const ends = periodEnds([row('2027-01-01', limits(['02-29', '02-28'], 0))], new Set(), '2028-12-31')
  expect(ends.map(({ period_end }) => period_end)).toEqual(['2027-02-28', '2028-02-28', '2028-02-29'])
})

/** A life of an account: closed weeks one after another, a change of rules, adjustments, and decisions. */
const lives = fc.record({
  deltas: fc.array(fc.integer({ min: -3, max: 5 }), { maxLength: 120 }),
  openWeek: fc.option(fc.nat(16)),
  reopenedWeek: fc.nat(16),
  first: fc.record({ ends: fc.subarray(['01-31', '02-29', '12-31', '01-08']), keep: fc.option(fc.nat(20)) }),
  second: fc.record({ ends: fc.subarray(['01-31', '02-28', '03-31', '12-30']), keep: fc.option(fc.nat(20)) }),
  changedOn: fc.nat(100),
  adjusted: fc.array(fc.record({ day: fc.nat(130), hours: fc.integer({ min: -9, max: 9 }) }), { maxLength: 5 }),
  decisions: fc.array(fc.constantFrom('accept' as const, 'decline' as const), { maxLength: 6 }),
})
const start: LocalDate = '2026-12-07'

/** The same rules, day after day with a purse: a model that shares nothing with the real one. */
function naive(
  rows: readonly LimitSettings[],
  weeks: readonly IsoWeek[],
  deltaByDate: ReadonlyMap<string, number>,
  adjustments: readonly { id: RecordId; effective_date: LocalDate; delta_ms: number }[],
): { periodEnd: string; state: string; excessMs: number }[] {
  const found: { periodEnd: string; state: string; excessMs: number }[] = []
  let purseMs = 0
  let isClosed = true
  for (let day = Date.UTC(2026, 11, 7); day < Date.UTC(2028, 11, 31); day += 24 * HOUR_MS) {
    const date = new Date(day).toISOString().slice(0, 10) as LocalDate
    isClosed = isClosed && weeks.includes(weekOf(date))
    purseMs += deltaByDate.get(date) ?? 0
    for (const each of adjustments) if (each.effective_date === date) purseMs += each.delta_ms
    const rule = rows.findLast(({ effective_from }) => effective_from <= date)?.limits
    const tomorrow = new Date(day + 24 * HOUR_MS).toISOString().slice(5, 10)
    const ends = rule?.period_ends ?? []
    const isEnd = ends.includes(date.slice(5)) || (tomorrow === '03-01' && ends.includes('02-29'))
    if (!rule || !isEnd || rule.keep_at_most_ms === null) continue
    const decision = adjustments.find(({ id }) => id === expiryId(user, date))
    const excessMs = Math.max(0, purseMs - (decision?.delta_ms ?? 0) - rule.keep_at_most_ms)
    const isOpen = isClosed && !decision && excessMs > 0 && found.every(({ state }) => state !== 'open')
    if (isOpen) found.push({ periodEnd: date, state: 'open', excessMs })
    if (decision) {
      const accepted = decision.delta_ms === -excessMs || !isClosed ? 'accepted' : 'changed'
      found.push({ periodEnd: date, state: decision.delta_ms === 0 ? 'declined' : accepted, excessMs })
    }
  }
  return found
}

test('[D18.2] [D18.3] [D18.4] [D18.5] [D18.6] [D18.7] [D18.9] a naive model agrees, and keeps decisions', () => {
  fc.assert(
    fc.property(lives, ({ deltas, openWeek, reopenedWeek, first, second, changedOn, adjusted, decisions }) => {
      const hours = (keep: number | null) => (keep === null ? null : keep * HOUR_MS)
      const rows = [
        row(start, limits(first.ends, hours(first.keep))),
        row(addDays(start, changedOn + 1), limits(second.ends, hours(second.keep))),
      ]
      const weekCount = Math.ceil(deltas.length / 7)
      const weeks = Array.from({ length: weekCount }, (_, index) => weekOf(addDays(start, 7 * index))).filter(
        (_, index) => index !== openWeek,
      )
      const days = weeks.flatMap((week) => datesOfWeek(week)).filter((date) => date < addDays(start, deltas.length))
      const deltaOf = (date: LocalDate) =>
        (deltas[(Date.parse(date) - Date.parse(start)) / (24 * HOUR_MS)] ?? 0) * HOUR_MS
      const closed = days.map((date) => ({ date, delta_ms: deltaOf(date) }))
      const deltaByDate = new Map(closed.map(({ date, delta_ms }) => [date, delta_ms]))
      const adjustments = adjusted.map(({ day, hours }) => ({
        id: newId(),
        effective_date: addDays(start, day),
        delta_ms: hours * HOUR_MS,
      }))
      const compare = () => {
        const proposals = proposalsOf(rows, weeks, closed, adjustments)
        expect(
          proposals.map(({ period_end, state, excess_ms }) => ({ periodEnd: period_end, state, excessMs: excess_ms })),
        ).toEqual(naive(rows, weeks, deltaByDate, adjustments))
        return proposals
      }
      for (const decision of decisions) {
        const open = compare().find(({ state }) => state === 'open')
        if (!open) break
        const { effective_date, delta_ms } = expiryOf(open, decision, 'x')
        adjustments.push({ id: open.adjustment_id, effective_date, delta_ms })
        const decided = compare().find(({ period_end }) => period_end === open.period_end)
        expect(decided).toMatchObject({
          state: decision === 'accept' ? 'accepted' : 'declined',
          balance_ms: open.balance_ms,
          expired_ms: decision === 'accept' ? open.excess_ms : 0,
        })
      }
      compare()
      const all = compare()
      // A week that is open again takes back what is undecided after it, and no decision.
      const reopened = weeks.splice(reopenedWeek, 1)
      for (const date of reopened.flatMap((week) => datesOfWeek(week))) deltaByDate.delete(date)
      closed.splice(0, closed.length, ...closed.filter(({ date }) => !reopened.includes(weekOf(date))))
      const decided = compare().filter(({ state }) => state !== 'open')
      expect(decided.map(({ period_end }) => period_end)).toEqual(
        all.filter(({ state }) => state !== 'open').map(({ period_end }) => period_end),
      )
    }),
    { numRuns: runsOf(30, 100) },
  )
})

test('[D18.3] an end of a period on 29 February is the last day of February in every year', () => {
  const endsOf = (ends: string[], first: LocalDate, week: IsoWeek) =>
    periodEnds(buildTimeline([row(first, limits(ends, 0))]), new Set([week]), today)
      .filter(({ isClosed }) => isClosed)
      .map(({ period_end }) => period_end)
  expect(endsOf(['02-29'], '2027-02-22', '2027-W08')).toEqual(['2027-02-28'])
  expect(endsOf(['02-29'], '2028-02-28', '2028-W09')).toEqual(['2028-02-29'])
  expect(endsOf(['02-28'], '2028-02-28', '2028-W09')).toEqual(['2028-02-28'])
  expect(endsOf(['02-28', '03-01'], '2027-02-22', '2027-W08')).toEqual(['2027-02-28'])
})

test('[D18.6] an accepted proposal lets the excess expire at the end of the period, a declined one nothing', () => {
  const proposal = { period_end: '2026-12-31' as LocalDate, excess_ms: HOUR_MS }
  const expiry = { kind: 'expiry', effective_date: '2026-12-31' }
  expect(expiryOf(proposal, 'accept', 'too much')).toEqual({ ...expiry, delta_ms: -HOUR_MS, reason: 'too much' })
  expect(expiryOf(proposal, 'decline', 'kept')).toEqual({ ...expiry, delta_ms: 0, reason: 'kept' })
})

test('[D18.5] an expiry that was moved behind the end of its period is no part of the balance there', () => {
  const period_end: LocalDate = '2026-12-31'
  const end = { period_end, settings_id: newId(), keep_at_most_ms: HOUR_MS, isClosed: true }
  const closed = [{ date: '2026-12-30' as LocalDate, delta_ms: 5 * HOUR_MS }]
  const balanceIf = (effective_date: LocalDate) => {
    const expiry = { id: expiryId(user, period_end), effective_date, delta_ms: -4 * HOUR_MS }
    return expiryProposals(user, [end], closed, [expiry])[0]
  }
  for (const date of ['2026-12-30', '2026-12-31', '2027-01-01'] as const) {
    expect(balanceIf(date), date).toMatchObject({ state: 'accepted', balance_ms: 5 * HOUR_MS, excess_ms: 4 * HOUR_MS })
  }
})
