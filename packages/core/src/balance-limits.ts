import * as v from 'valibot'
import type { AdjustmentContent } from './adjustment.ts'
import { addDays, LAST_DATE, lastDateOf, weekdayIndex, weekOf, yearOf } from './date.ts'
import type { DateRange } from './date-range.ts'
import { derivedId } from './ids.ts'
import type { Settings } from './settings.ts'
import type { AccountSettings, Timeline } from './timeline.ts'
import { DateText, milliseconds, SignedMs, Uuid } from './validation.ts'
import type { DurationMs, IsoWeek, LocalDate, RecordId, UserNumber } from './values.ts'

/** The limits of a balance in a settings row (D2.37). All durations are in milliseconds. */
export type BalanceLimits = NonNullable<Settings['limits']>

/** The fields of a settings row that limits and proposals read. */
export type LimitSettings = AccountSettings & Pick<Settings, 'limits'>

/** The colour of a balance: green within ±`green_ms`, yellow within ±`yellow_ms`, red beyond (D18.2). */
export type BalanceColor = 'green' | 'yellow' | 'red'

/** Returns the colour of a balance (D18.2). */
export function balanceColor(balanceMs: DurationMs, { green_ms, yellow_ms }: BalanceLimits): BalanceColor {
  const distanceMs = Math.abs(balanceMs)
  if (distanceMs <= green_ms) return 'green'
  return distanceMs <= yellow_ms ? 'yellow' : 'red'
}

/** The amount that expires by the rule in force at the end of a period, and the user's decision about it (D18). */
export const ExpiryProposal = v.object({
  period_end: DateText,
  state: v.pipe(
    v.picklist(['open', 'accepted', 'changed', 'declined']),
    v.metadata({ description: '`changed`: accepted, and the rule lets another amount expire now.' }),
  ),
  balance_ms: v.pipe(
    SignedMs,
    v.metadata({ description: 'The balance at the end of the period, without the expiry of this proposal.' }),
  ),
  keep_at_most_ms: milliseconds(0, Number.MAX_SAFE_INTEGER),
  excess_ms: v.pipe(
    milliseconds(0, Number.MAX_SAFE_INTEGER),
    v.metadata({ description: 'How far the balance is above `keep_at_most_ms`.' }),
  ),
  expired_ms: v.pipe(v.nullable(SignedMs), v.metadata({ description: 'What expired; null while it is open.' })),
  adjustment_id: v.pipe(Uuid, v.metadata({ description: 'The id of the adjustment that accepts or declines it.' })),
  settings_id: Uuid,
})
export type ExpiryProposal = v.InferOutput<typeof ExpiryProposal>

/** The closed-period figures that proposals read: closed days, or whole weeks in which no period ends. */
export interface ClosedDelta {
  /** The date of a day, or the Sunday of a week. */
  date: LocalDate
  delta_ms: DurationMs
}

/** The parts of an adjustment that proposals read. */
interface AdjustmentRow {
  id: RecordId
  effective_date: LocalDate
  delta_ms: DurationMs
}

/** The end of a period, by the row in force on it. */
export interface PeriodEnd extends Pick<ExpiryProposal, 'period_end' | 'keep_at_most_ms' | 'settings_id'> {
  /** True if every week of the account up to that of the end is closed. */
  isClosed: boolean
}

/** Returns the id of the adjustment by which a user accepts or declines the expiry of a period (D18.6). */
export function expiryId(user: UserNumber, periodEnd: LocalDate): RecordId {
  return derivedId('expiry', `${user}/${periodEnd}`)
}

/**
 * Returns the ends of periods up to today, in order (D18.3, D18.4). The row in force on the date has it
 * among its `period_ends` and lets a balance expire.
 */
export function periodEnds(
  timeline: Timeline<LimitSettings>,
  closedWeeks: ReadonlySet<IsoWeek>,
  today: LocalDate,
): PeriodEnd[] {
  let openFrom = timeline[0]?.effective_from ?? LAST_DATE
  while (openFrom <= today && closedWeeks.has(weekOf(openFrom)))
    openFrom = addDays(openFrom, 7 - weekdayIndex(openFrom))
  return timeline.flatMap(({ limits, id: settings_id, effective_from: from }, index) => {
    const keep_at_most_ms = limits?.keep_at_most_ms ?? null
    if (!limits || keep_at_most_ms === null) return []
    const next = timeline[index + 1]?.effective_from
    const to = next !== undefined && next <= today ? addDays(next, -1) : today
    return endsIn({ from, to }, limits).map((period_end) => ({
      ...{ period_end, keep_at_most_ms, settings_id },
      isClosed: period_end < openFrom,
    }))
  })
}

/** Returns the ends of periods in a range, in order. */
function endsIn({ from, to }: DateRange, { period_ends }: BalanceLimits): LocalDate[] {
  const ends = new Set<LocalDate>()
  for (let year = yearOf(from); year <= yearOf(to); year += 1) {
    for (const end of period_ends) ends.add(lastDateOf(year, end))
  }
  return [...ends].filter((end) => from <= end && end <= to).sort()
}

/**
 * Returns what the user decided about the ends of periods, and the first that is undecided, in order (D18.5 to D18.9).
 * `closed` are the figures of all closed weeks, in any order; `adjustments` are all of the account.
 */
export function expiryProposals(
  user: UserNumber,
  ends: readonly PeriodEnd[],
  closed: readonly ClosedDelta[],
  adjustments: readonly AdjustmentRow[],
): ExpiryProposal[] {
  const proposals: ExpiryProposal[] = []
  const adjustmentsById = new Map(adjustments.map((each) => [each.id, each]))
  // The earliest last: each figure is added once, however many ends there are.
  const figures = [...closed, ...adjustments.map((one) => ({ ...one, date: one.effective_date }))].sort((a, b) =>
    a.date < b.date ? 1 : -1,
  )
  let sumMs = 0
  let hasOpen = false
  for (const { isClosed, ...end } of ends) {
    const { period_end, keep_at_most_ms } = end
    const adjustment_id = expiryId(user, period_end)
    const decided = adjustmentsById.get(adjustment_id)
    const decidedMs = decided && decided.effective_date <= period_end ? decided.delta_ms : 0
    while ((figures.at(-1)?.date ?? '~') <= period_end) sumMs += figures.pop()?.delta_ms ?? 0
    const balance_ms = sumMs - decidedMs
    const excess_ms = Math.max(0, balance_ms - keep_at_most_ms)
    const expired_ms = decided ? 0 - decided.delta_ms : null
    const state = stateOf(expired_ms, excess_ms, isClosed)
    if (state === 'open' && (!isClosed || hasOpen || excess_ms === 0)) continue
    hasOpen ||= state === 'open'
    proposals.push({ ...end, state, balance_ms, excess_ms, expired_ms, adjustment_id })
  }
  return proposals
}

/** Returns the adjustment that accepts or declines a proposal: a declined one lets nothing expire (D18.6). */
export function expiryOf(
  { period_end, excess_ms }: Pick<ExpiryProposal, 'period_end' | 'excess_ms'>,
  decision: 'accept' | 'decline',
  reason: string,
): AdjustmentContent {
  const delta_ms = decision === 'accept' ? 0 - excess_ms : 0
  return { kind: 'expiry', effective_date: period_end, delta_ms, reason }
}

/** Days are missing while a week is open, so that another excess says nothing (D18.9). */
function stateOf(expiredMs: DurationMs | null, excessMs: DurationMs, isClosed: boolean): ExpiryProposal['state'] {
  if (expiredMs === null) return 'open'
  if (expiredMs === 0) return 'declined'
  return isClosed && expiredMs !== excessMs ? 'changed' : 'accepted'
}
