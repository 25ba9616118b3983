import {
  addDays,
  type BalanceLimits,
  buildTimeline,
  DAY_MS,
  type DurationMs,
  dayWindow,
  HOUR_MS,
  type HolidayRule,
  type LocalDate,
  MINUTE_MS,
  type Settings,
  type SettingsContent,
  settingsOn,
  type ZoneName,
} from '@saldo/core'

export type Policy = SettingsContent['break_policy']
export type Rule = NonNullable<Policy>['rules'][number]

/** The least length of a break in a policy of one's own, until another is chosen. */
const USUAL_PIECE_MS = 15 * MINUTE_MS

/** Returns a break policy with other rules; null without any. */
export function withRules(policy: Policy, rules: Rule[]): Policy {
  if (rules.length === 0) return null
  return { ...policy, rules, min_piece_ms: policy?.min_piece_ms ?? USUAL_PIECE_MS }
}

/** Returns a break policy with one of its rules changed. */
export function withRule(policy: Policy, index: number, changed: Partial<Rule>): Policy {
  const rules = policy?.rules ?? []
  return withRules(
    policy,
    rules.map((rule, other) => (other === index ? { ...rule, ...changed } : rule)),
  )
}

/** Returns a break policy without one of its rules; null without any. */
export function withoutRule(policy: Policy, index: number): Policy {
  return withRules(policy, (policy?.rules ?? []).toSpliced(index, 1))
}

export const usualLimits: BalanceLimits = {
  green_ms: 20 * HOUR_MS,
  yellow_ms: 40 * HOUR_MS,
  period_ends: [],
  keep_at_most_ms: null,
}

/** Returns limits with an expiry at the end of the year of what is beyond the yellow range, or without an expiry. */
export function withExpiry(limits: BalanceLimits, isOn: boolean): BalanceLimits {
  return { ...limits, period_ends: isOn ? ['12-31'] : [], keep_at_most_ms: isOn ? limits.yellow_ms : null }
}

/** The last days of the months, which most contracts name. */
const monthEnds = '01-31 02-29 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'.split(' ')

/** Returns the days of the year to choose from: the last ones of the months, and those that are chosen already. */
export function daysToChoose(chosen: readonly string[]): string[] {
  return [...new Set([...monthEnds, ...chosen])].sort()
}

const shares = { working: 0, half: 0.5, free: 1 } as const

/** The choices for a day of the year: as the country has it, or a share of a day off. */
export const dayChoices = ['usual', 'working', 'half', 'free'] as const
type DayChoice = (typeof dayChoices)[number]

/** Returns the choice for a day such as `12-24`; `other` for any other share. */
export function choiceOf({ partial }: HolidayRule, day: string): DayChoice | 'other' {
  const share = partial[day]
  if (share === undefined) return 'usual'
  return dayChoices.find((name) => name !== 'usual' && shares[name] === share) ?? 'other'
}

/** Returns a rule with another choice for a day. */
export function chooseDay(rule: HolidayRule, day: string, choice: DayChoice): HolidayRule {
  const { [day]: _before, ...others } = rule.partial
  return { ...rule, partial: choice === 'usual' ? others : { ...others, [day]: shares[choice] } }
}

/** Core time or frame while it is typed: a time that is missing is empty. Null for none. */
export type FormSpan = SettingsContent['frame']

/** Returns the span of two typed times; null if both are empty. */
export function formSpanOf(times: NonNullable<FormSpan>): FormSpan {
  return times.from === '' && times.to === '' ? null : times
}

/** True if a span has both times, the later one at its end; true for none. */
export function isFilledSpan(span: FormSpan): boolean {
  return span === null || (span.from !== '' && span.from < span.to)
}

/** The effects of a settings row with another time zone. */
export interface ZoneChange {
  /** The first date in the new zone. */
  from: LocalDate
  zone: ZoneName
  /** The zone of that date so far. */
  zoneBefore: ZoneName
  /** True if the days before stay in another zone. */
  hasBorder: boolean
  /** True if it moves the bounds of past days. */
  isPast: boolean
  /** The days at the border that do not have 24 hours. */
  unusualDays: { date: LocalDate; lengthMs: DurationMs }[]
}

/** Returns the effects of a row's time zone; `undefined` if it stays the same. */
export function zoneChangeOf(row: Settings, rows: readonly Settings[], today: LocalDate): ZoneChange | undefined {
  const { effective_from: from, time_zone: zone } = row
  const zoneBefore = settingsOn(buildTimeline(rows), from)?.time_zone
  if (zoneBefore === undefined || zoneBefore === zone) return undefined
  const timeline = buildTimeline([...rows.filter(({ id }) => id !== row.id), row])
  const dayBefore = addDays(from, -1)
  const hasBorder = (settingsOn(timeline, dayBefore)?.time_zone ?? zone) !== zone
  const unusualDays = (hasBorder ? [dayBefore, from] : []).flatMap((date) => {
    const { start, end } = dayWindow(timeline, date)
    return end - start === DAY_MS ? [] : [{ date, lengthMs: end - start }]
  })
  return { from, zone, zoneBefore, hasBorder, isPast: from < today, unusualDays }
}
