import * as v from 'valibot'
import { addDays, isDate, LAST_DATE, mondayOf, weekOf } from './date.ts'
import { derivedId } from './ids.ts'
import type { AdjustmentContent, Settings } from './record.ts'
import { type SettingsRow, settingsOn, type Timeline } from './timeline.ts'
import { DateText, milliseconds, SignedMs, Uuid } from './validation.ts'
import type { DurationMs, IsoWeek, LocalDate, RecordId, UserNumber } from './values.ts'

export type BalanceLimits = NonNullable<Settings['limits']>

/** The fields of a settings row that limits and proposals read. */
export type LimitSettings = SettingsRow & Pick<Settings, 'limits'>

/** The range of a balance: green within ±`green_ms`, yellow within ±`yellow_ms`, red beyond (D18.2). */
export type BalanceColor = 'green' | 'yellow' | 'red'

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
  date: LocalDate
  delta_ms: DurationMs
}

/** The parts of an adjustment that proposals read. */
interface AdjustmentRow {
  id: RecordId
  effective_date: LocalDate
  delta_ms: DurationMs
}

/** The end of a period, with the row in force on it. */
export interface PeriodEnd {
  date: LocalDate
  settingsId: RecordId
  keepAtMostMs: DurationMs
}

/** Returns the id of the adjustment by which a user accepts or declines the expiry of a period (D18.6). */
export function expiryId(user: UserNumber, periodEnd: LocalDate): RecordId {
  return derivedId('expiry', `${user}/${periodEnd}`)
}

/**
 * Returns the ends of periods up to which every week of the account is closed, in order (D18.4). The row in force on
 * the date has it among its `period_ends` and lets a balance expire.
 */
export function periodEnds(timeline: Timeline<LimitSettings>, closedWeeks: ReadonlySet<IsoWeek>): PeriodEnd[] {
  const first = timeline[0]?.effective_from
  const limits = timeline.flatMap((row) => row.limits ?? [])
  const daysOfYear = [...new Set(limits.flatMap((each) => each.period_ends))].sort()
  if (first === undefined || daysOfYear.length === 0) return []
  const closedTo = lastClosedDate(first, closedWeeks)
  const ends: PeriodEnd[] = []
  for (let year = Number(first.slice(0, 4)); year <= Number(closedTo.slice(0, 4)); year += 1) {
    for (const date of new Set(daysOfYear.map((dayOfYear) => dateOfYear(year, dayOfYear)))) {
      const row = settingsOn(timeline, date)
      const keepAtMostMs = row?.limits?.keep_at_most_ms ?? null
      const isEnd = row?.limits?.period_ends.some((dayOfYear) => dateOfYear(year, dayOfYear) === date)
      if (row && isEnd && keepAtMostMs !== null && date <= closedTo) {
        ends.push({ date, settingsId: row.id, keepAtMostMs })
      }
    }
  }
  return ends
}

/**
 * Returns what the user decided about the ends of periods, and the first that is undecided, in order (D18.5, D18.7).
 * `closed` are the figures of the closed weeks; `adjustments` are all of the account.
 */
export function expiryProposals(
  user: UserNumber,
  ends: readonly PeriodEnd[],
  closed: readonly ClosedDelta[],
  adjustments: readonly AdjustmentRow[],
): ExpiryProposal[] {
  const adjustmentsById = new Map(adjustments.map((adjustment) => [adjustment.id, adjustment]))
  const deltas = [...closed, ...adjustments.map(({ effective_date, delta_ms }) => ({ date: effective_date, delta_ms }))]
  const balanceOn = (end: LocalDate) =>
    deltas.reduce((sum, { date, delta_ms }) => (date <= end ? sum + delta_ms : sum), 0)
  const proposals: ExpiryProposal[] = []
  let hasOpen = false
  for (const { date, settingsId, keepAtMostMs } of ends) {
    const id = expiryId(user, date)
    const decided = adjustmentsById.get(id)
    const ownMs = decided && decided.effective_date <= date ? decided.delta_ms : 0
    const balanceMs = balanceOn(date) - ownMs
    const excessMs = Math.max(0, balanceMs - keepAtMostMs)
    const state = decided ? stateOf(decided.delta_ms, excessMs) : 'open'
    if (state === 'open' && (hasOpen || excessMs === 0)) continue
    hasOpen ||= state === 'open'
    proposals.push({
      period_end: date,
      state,
      balance_ms: balanceMs,
      keep_at_most_ms: keepAtMostMs,
      excess_ms: excessMs,
      expired_ms: decided ? 0 - decided.delta_ms : null,
      adjustment_id: id,
      settings_id: settingsId,
    })
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

function stateOf(deltaMs: DurationMs, excessMs: DurationMs): Exclude<ExpiryProposal['state'], 'open'> {
  if (deltaMs === 0) return 'declined'
  return deltaMs + excessMs === 0 ? 'accepted' : 'changed'
}

/** Returns the date before the first week that is not closed; a date before `first` if its week is open. */
function lastClosedDate(first: LocalDate, closedWeeks: ReadonlySet<IsoWeek>): LocalDate {
  let monday = mondayOf(weekOf(first))
  while (closedWeeks.has(weekOf(monday)) && monday < addDays(LAST_DATE, -7)) monday = addDays(monday, 7)
  return addDays(monday, -1)
}

/** Returns the date of a day of the year such as `12-31`; 29 February is the last day of February in every year. */
function dateOfYear(year: number, dayOfYear: string): LocalDate {
  const date = `${String(year).padStart(4, '0')}-${dayOfYear}`
  return isDate(date) ? date : (`${date.slice(0, 8)}28` as LocalDate)
}
