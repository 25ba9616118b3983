import * as v from 'valibot'
import { vacationShare } from './absence.ts'
import { type IdentifiedEntry, isAccountAbsence } from './account-function.ts'
import { dateInYear, lastDateOf, yearOf } from './date.ts'
import { type EntryContent, isAbsence } from './entry.ts'
import { atLeastZero, type Fraction, minus, negative, sum, toNumber, ZERO } from './fraction.ts'
import type { Settings } from './settings.ts'
import { type AccountSettings, plannedOn, settingsOn, type Timeline } from './timeline.ts'
import { DateText, MonthDayText, Uuid, wholeNumber } from './validation.ts'
import type { LocalDate } from './values.ts'

/** The fields of a settings row that the vacation account reads. */
export type VacationSettings = AccountSettings & Pick<Settings, 'vacation'>

const lineKinds = ['carried', 'entitled', 'granted', 'taken', 'planned', 'expired'] as const
const days = (description: string) => v.pipe(v.number(), v.metadata({ description }))

/** A line of the ledger of a year. */
const VacationLine = v.object({
  kind: v.picklist(lineKinds),
  date: v.pipe(DateText, v.metadata({ description: 'The date from which it counts.' })),
  days: days('Negative where days leave the account.'),
  entry_ids: v.pipe(v.array(Uuid), v.metadata({ description: 'The entries behind it.' })),
})
/** A line of the ledger of a year. `days` is negative where days leave the account. */
export type VacationLine = v.InferOutput<typeof VacationLine>

/** The vacation account of a year, in days (D17). */
export const VacationYear = v.object({
  year: wholeNumber(1, 9_999),
  carried: days('Left of the year before; negative if too many were taken.'),
  entitled: days('The twelfths of the whole months.'),
  granted: days('Days brought along, extra days and corrections.'),
  taken: days('Vacation up to today.'),
  planned: days('Vacation after today.'),
  expired: days('Carried days that were not taken in time.'),
  left: days('All of them together.'),
  expiring: v.pipe(
    v.nullable(v.object({ days: v.number(), by: MonthDayText })),
    v.metadata({ description: 'The carried days that expire unless they are taken up to a day of the year.' }),
  ),
  lines: v.pipe(v.array(VacationLine), v.metadata({ description: 'In the order of dates.' })),
})
export type VacationYear = v.InferOutput<typeof VacationYear>

/** A line whose days are exact. */
type ExactLine = Omit<VacationLine, 'days'> & { days: Fraction }

/**
 * Returns the vacation account of a year (D17). `entries` are all entries of the account; null if up to that year
 * no settings row has a vacation rule and no days were granted.
 */
export function vacationYear(
  entries: readonly IdentifiedEntry[],
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
  year: number,
): VacationYear | null {
  const first = firstYear(entries, timeline)
  if (first === undefined || first > year) return null
  const linesByYear = Map.groupBy([...grantedLines(entries), ...vacationLines(entries, timeline, today)], ({ date }) =>
    yearOf(date),
  )
  let result = accountOfYear(first, ZERO, linesByYear.get(first) ?? [], timeline, today)
  for (let next = first + 1; next <= year; next += 1) {
    result = accountOfYear(next, result.carriedOver, linesByYear.get(next) ?? [], timeline, today)
  }
  return result.account
}

/** Returns the vacation days that entries take on a date, from 0 to 1 (D17.3). `entries` may include other dates. */
export function vacationOn(entries: readonly EntryContent[], timeline: Timeline, date: LocalDate): number {
  const ofDate = entries.filter((entry) => isAbsence(entry)).filter((absence) => absence.date === date)
  return toNumber(vacationShare(ofDate, plannedOn(timeline, date)))
}

/** Returns the first year with a vacation rule or with granted days. */
function firstYear(entries: readonly IdentifiedEntry[], timeline: Timeline<VacationSettings>): number | undefined {
  const rules = timeline.filter(({ vacation }) => vacation !== null).map(({ effective_from }) => effective_from)
  const dates = [...rules, ...grantedLines(entries).map(({ date }) => date)]
  return dates.length === 0 ? undefined : Math.min(...dates.map(yearOf))
}

/** Returns the account of a year, and the days that it carries over into the next. */
function accountOfYear(
  year: number,
  carried: Fraction,
  booked: readonly ExactLine[],
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
): { account: VacationYear; carriedOver: Fraction } {
  const newYear = dateInYear(year, '01-01')
  const lastDay = settingsOn(timeline, newYear)?.vacation?.carry_over_until ?? null
  const lastDate = lastDay === null ? null : lastDateOf(year, lastDay)
  const hasExpired = lastDate !== null && lastDate < today
  const unused = lastDate === null ? ZERO : unusedOn(lastDate, carried, booked)

  const all: ExactLine[] = [
    { kind: 'carried', date: newYear, days: carried, entry_ids: [] },
    ...entitledLines(year, timeline),
    ...booked,
  ]
  if (hasExpired) all.push({ kind: 'expired', date: lastDate, days: negative(unused), entry_ids: [] })
  const lines = all.filter(({ days }) => days.numerator !== 0n)
  const left = sum(lines.map(({ days }) => days))
  const total = (kind: VacationLine['kind']) => sum(lines.filter((line) => line.kind === kind).map(({ days }) => days))
  const spent = (kind: VacationLine['kind']) => toNumber(negative(total(kind)))
  const isExpiring = !hasExpired && unused.numerator > 0n
  return {
    account: {
      year,
      entitled: toNumber(total('entitled')),
      granted: toNumber(total('granted')),
      carried: toNumber(carried),
      taken: spent('taken'),
      planned: spent('planned'),
      expired: spent('expired'),
      left: toNumber(left),
      expiring: lastDate !== null && isExpiring ? { days: toNumber(unused), by: lastDate.slice(5) } : null,
      lines: lines
        .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
        .map((line) => ({ ...line, days: toNumber(line.days) })),
    },
    carriedOver: hasExpired ? left : minus(left, unused),
  }
}

/** Returns the carried days that vacation up to a date, taken or planned, leaves over. */
function unusedOn(lastDate: LocalDate, carried: Fraction, booked: readonly ExactLine[]): Fraction {
  const vacation = booked.filter(({ kind, date }) => (kind === 'taken' || kind === 'planned') && date <= lastDate)
  return atLeastZero(sum([carried, ...vacation.map(({ days }) => days)]))
}

/**
 * Returns the entitlement of a year: for each whole month in which a vacation rule is in force, one twelfth of the
 * `days_per_year` of its first day (D17.1, § 5 BUrlG). Months of the same row share a line.
 */
function entitledLines(year: number, timeline: Timeline<VacationSettings>): ExactLine[] {
  const lines: ExactLine[] = []
  let rowBefore: VacationSettings | undefined
  for (let month = 1; month <= 12; month += 1) {
    const date = dateInYear(year, `${String(month).padStart(2, '0')}-01`)
    const row = settingsOn(timeline, date)
    const endsWithin = timeline.some(
      ({ effective_from, vacation }) => vacation === null && effective_from.startsWith(date.slice(0, 7)),
    )
    const daysPerYear = endsWithin ? 0 : (row?.vacation?.days_per_year ?? 0)
    const days = { numerator: BigInt(Math.round(daysPerYear * 100)), denominator: 1_200n }
    const last = lines.at(-1)
    if (last && row === rowBefore) last.days = sum([last.days, days])
    else lines.push({ kind: 'entitled', date, days, entry_ids: [] })
    rowBefore = row
  }
  return lines
}

function grantedLines(entries: readonly IdentifiedEntry[]): ExactLine[] {
  return entries.flatMap((entry) =>
    entry.kind === 'vacation_grant'
      ? [
          {
            kind: 'granted' as const,
            date: entry.date,
            days: { numerator: BigInt(Math.round(entry.days * 100)), denominator: 100n },
            entry_ids: [entry.id],
          },
        ]
      : [],
  )
}

/** Returns the vacation of each date with planned time (D17.3). */
function vacationLines(entries: readonly IdentifiedEntry[], timeline: Timeline, today: LocalDate): ExactLine[] {
  const absencesByDate = Map.groupBy(entries.filter(isAccountAbsence), ({ date }) => date)
  return [...absencesByDate].flatMap(([date, ofDate]) => {
    const entry_ids = ofDate.filter(({ kind }) => kind === 'vacation').map(({ id }) => id)
    if (entry_ids.length === 0) return []
    const days = negative(vacationShare(ofDate, plannedOn(timeline, date)))
    return [{ kind: date <= today ? ('taken' as const) : ('planned' as const), date, days, entry_ids }]
  })
}
