import * as v from 'valibot'
import { vacationShare } from './absence.ts'
import { type AccountAbsence, type IdentifiedEntry, isAccountAbsence } from './account-function.ts'
import { dateInYear, lastDateOf, yearOf } from './date.ts'
import { type DayUnits, inDays, unitsOfDays } from './day-units.ts'
import { type EntryContent, isAbsence } from './entry.ts'
import type { Settings } from './settings.ts'
import { finishSteps, type Steps } from './steps.ts'
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
type ExactLine = Omit<VacationLine, 'days'> & { days: DayUnits }

/**
 * Returns the vacation account of a year (D17). `entries` are all entries of the account; null if up to that year
 * no settings row has a vacation rule and no days were granted.
 */
export function vacationYear(
  entries: Iterable<IdentifiedEntry>,
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
  year: number,
): VacationYear | null {
  return finishSteps(vacationSteps(entries, timeline, today, year))
}

/** Computes the same in steps of an entry, a date or a year: the service lets others go first between them. */
export function* vacationSteps(
  entries: Iterable<IdentifiedEntry>,
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
  year: number,
): Steps<VacationYear | null> {
  const absencesByDate = new Map<LocalDate, IdentifiedAbsence[]>()
  const linesByYear = new Map<number, ExactLine[]>()
  const firstRule = timeline.find(({ vacation }) => vacation !== null)
  let first = firstRule ? yearOf(firstRule.effective_from) : Number.POSITIVE_INFINITY
  for (const entry of entries) {
    yield
    if (entry.kind === 'vacation_grant') {
      const { date, days, id } = entry
      first = Math.min(first, yearOf(date))
      addTo(linesByYear, yearOf(date), { kind: 'granted', date, days: unitsOfDays(days), entry_ids: [id] })
    } else if (isAccountAbsence(entry)) addTo(absencesByDate, entry.date, entry)
  }
  if (first > year) return null
  for (const [date, absences] of absencesByDate) {
    yield
    const line = vacationLine(date, absences, timeline, today)
    if (line) addTo(linesByYear, yearOf(date), line)
  }
  let carried: DayUnits = 0n
  for (let before = first; before < year; before += 1) {
    yield
    carried = bookYear(before, carried, linesByYear.get(before) ?? [], timeline, today).carriedOver
  }
  return shownYear(bookYear(year, carried, linesByYear.get(year) ?? [], timeline, today))
}

type IdentifiedAbsence = AccountAbsence & Pick<IdentifiedEntry, 'id'>

function addTo<K, T>(listsByKey: Map<K, T[]>, key: K, item: T): void {
  const list = listsByKey.get(key)
  if (list) list.push(item)
  else listsByKey.set(key, [item])
}

/** Returns the vacation days that entries take on a date, from 0 to 1 (D17.3). `entries` may include other dates. */
export function vacationOn(entries: readonly EntryContent[], timeline: Timeline, date: LocalDate): number {
  const ofDate = entries.filter((entry) => isAbsence(entry)).filter((absence) => absence.date === date)
  return inDays(vacationShare(ofDate, plannedOn(timeline, date)))
}

/** A year with all its lines, of which some may be of no days. */
interface BookedYear {
  year: number
  carried: DayUnits
  lines: ExactLine[]
  left: DayUnits
  expiring: { days: DayUnits; by: LocalDate } | null
  carriedOver: DayUnits
}

/** Adds to the grants and the vacation of a year what was carried into it, is entitled and has expired. */
function bookYear(
  year: number,
  carried: DayUnits,
  booked: readonly ExactLine[],
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
): BookedYear {
  const newYear = dateInYear(year, '01-01')
  const lastDay = settingsOn(timeline, newYear)?.vacation?.carry_over_until ?? null
  const by = lastDay === null ? null : lastDateOf(year, lastDay)
  const unused = by === null ? 0n : unusedOn(by, carried, booked)
  const lines: ExactLine[] = [
    { kind: 'carried', date: newYear, days: carried, entry_ids: [] },
    ...entitledLines(year, timeline),
    ...booked,
  ]
  const hasExpired = by !== null && by < today
  if (hasExpired) lines.push({ kind: 'expired', date: by, days: -unused, entry_ids: [] })
  const left = totalOf(lines)
  const isExpiring = by !== null && !hasExpired
  return {
    year,
    carried,
    lines,
    left,
    expiring: isExpiring ? { days: unused, by } : null,
    carriedOver: isExpiring ? left - unused : left,
  }
}

function shownYear({ year, carried, lines, left, expiring }: BookedYear): VacationYear {
  const total = (kind: VacationLine['kind']) => totalOf(lines.filter((line) => line.kind === kind))
  const expiringDays = expiring ? inDays(expiring.days) : 0
  return {
    year,
    entitled: inDays(total('entitled')),
    granted: inDays(total('granted')),
    carried: inDays(carried),
    taken: inDays(-total('taken')),
    planned: inDays(-total('planned')),
    expired: inDays(-total('expired')),
    left: inDays(left),
    expiring: expiring && expiringDays > 0 ? { days: expiringDays, by: expiring.by.slice(5) } : null,
    lines: lines
      .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
      .map((line) => ({ ...line, days: inDays(line.days) }))
      .filter(({ days }) => days !== 0),
  }
}

function totalOf(lines: readonly ExactLine[]): DayUnits {
  return lines.reduce((total, { days }) => total + days, 0n)
}

/** Returns the carried days that vacation up to a date, taken or planned, leaves over. */
function unusedOn(by: LocalDate, carried: DayUnits, booked: readonly ExactLine[]): DayUnits {
  const vacation = booked.filter(({ kind, date }) => (kind === 'taken' || kind === 'planned') && date <= by)
  const unused = carried + totalOf(vacation)
  return unused > 0n ? unused : 0n
}

/**
 * Returns the entitlement of a year: for each whole month in which a vacation rule is in force, one twelfth of the
 * `days_per_year` of its first day (D17.1, § 5 BUrlG). Months of the same row share a line.
 */
function entitledLines(year: number, timeline: Timeline<VacationSettings>): ExactLine[] {
  const newYear = dateInYear(year, '01-01')
  const rowOfAll = settingsOn(timeline, newYear)
  if (rowOfAll === settingsOn(timeline, dateInYear(year, '12-31'))) {
    return [{ kind: 'entitled', date: newYear, days: 12n * twelfthOf(rowOfAll), entry_ids: [] }]
  }
  const lines: ExactLine[] = []
  let rowBefore: VacationSettings | undefined
  for (let month = 1; month <= 12; month += 1) {
    const date = dateInYear(year, `${String(month).padStart(2, '0')}-01`)
    const row = settingsOn(timeline, date)
    const endsWithin = timeline.some(
      ({ effective_from, vacation }) => vacation === null && effective_from.startsWith(date.slice(0, 7)),
    )
    const days = endsWithin ? 0n : twelfthOf(row)
    const last = lines.at(-1)
    if (last && row === rowBefore) last.days += days
    else lines.push({ kind: 'entitled', date, days, entry_ids: [] })
    rowBefore = row
  }
  return lines
}

function twelfthOf(row: VacationSettings | undefined): DayUnits {
  return unitsOfDays(row?.vacation?.days_per_year ?? 0) / 12n
}

/** Returns the vacation of a date with planned time (D17.3); undefined without any. */
function vacationLine(
  date: LocalDate,
  absences: readonly IdentifiedAbsence[],
  timeline: Timeline,
  today: LocalDate,
): ExactLine | undefined {
  const entry_ids = absences.filter(({ kind }) => kind === 'vacation').map(({ id }) => id)
  if (entry_ids.length === 0) return undefined
  const days = -vacationShare(absences, plannedOn(timeline, date))
  return { kind: date <= today ? 'taken' : 'planned', date, days, entry_ids }
}
