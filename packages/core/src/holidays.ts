import { addDays, dateInYear, isDate, LAST_DATE, yearOf } from './date.ts'
import { type DateRange, hasDate, intersection } from './date-range.ts'
import { type AbsenceContent, type Entry, isAbsence } from './entry.ts'
import { derivedId } from './ids.ts'
import { jsonEqual } from './json.ts'
import { parseContent } from './record.ts'
import type { Settings } from './settings.ts'
import { type AccountSettings, rangeInForce, settingsOn, type Timeline } from './timeline.ts'
import type { Instant, LocalDate, RecordId, UserNumber } from './values.ts'

/** The public holidays that a settings row asks for. */
export type HolidayRule = NonNullable<Settings['holidays']>

/** The codes of a country, and of a state and a region with holidays of their own. */
export type HolidayPlaceCodes = Pick<HolidayRule, 'country' | 'state' | 'region'>

/** The fields of a settings row that the account and the generation of holidays read. */
export type HolidaySettings = AccountSettings & Pick<Settings, 'holidays'>

/** The `updated_at` of generated holidays: any edit or deletion by a person is later and wins (D16.6). */
export const GENERATED_AT: Instant = '1970-01-01T00:00:00.000Z'
/** The `source` of generated holidays. */
export const HOLIDAYS_SOURCE = 'holidays'

/** A day that a library of holidays knows. One that is not public only lends its name to a day of `partial`. */
export interface KnownDay {
  date: LocalDate
  name: string
  isPublic: boolean
  /** The share of the day that is free: above 0, at most 1. */
  share: number
}

/** Returns the days that a library knows of a place in a year; none of an unknown country. */
export type KnownDays = (place: HolidayPlaceCodes, year: number) => readonly KnownDay[]

/** Holidays by date, as the content of their entries. */
export type Holidays = ReadonlyMap<LocalDate, AbsenceContent>

/** Returns the id of the holiday that is generated for a date (D16.4). */
export function holidayId(user: UserNumber, date: LocalDate): RecordId {
  return derivedId('holiday', `${user}/${date}`)
}

/** True if an entry is a generated holiday that nobody edited. */
export function isUntouchedHoliday(entry: Pick<Entry, 'source' | 'updated_at'>): boolean {
  return entry.source === HOLIDAYS_SOURCE && entry.updated_at === GENERATED_AT
}

/** Returns the holidays of a range of dates, each by the settings row in force on it. */
export function holidaysIn(timeline: Timeline<HolidaySettings>, range: DateRange, knownDays: KnownDays): Holidays {
  const holidays = new Map<LocalDate, AbsenceContent>()
  for (const { holidays: rule, effective_from } of timeline) {
    const { from, to } = rangeInForce(timeline, effective_from)
    const part = intersection({ from, to: to ?? LAST_DATE }, range)
    for (const [date, content] of holidaysUnder(rule, part, knownDays)) holidays.set(date, content)
  }
  return holidays
}

/** Returns the holidays of a range of dates under one rule (D16.7, D16.9). */
export function holidaysUnder(rule: HolidayRule | null, range: DateRange, knownDays: KnownDays): Holidays {
  const holidays = new Map<LocalDate, AbsenceContent>()
  if (!rule) return holidays
  for (let year = yearOf(range.from); year <= yearOf(range.to); year += 1) {
    for (const [date, content] of holidaysOfYear(rule, year, knownDays)) {
      if (hasDate(range, date)) holidays.set(date, content)
    }
  }
  return holidays
}

function holidaysOfYear(rule: HolidayRule, year: number, knownDays: KnownDays): Holidays {
  const { country, state, region, partial } = rule
  const knownByDate = Map.groupBy(knownDays({ country, state, region }, year), ({ date }) => date)
  const shareByDate = new Map<LocalDate, number>()
  for (const [date, known] of knownByDate) {
    shareByDate.set(date, Math.max(0, ...known.filter(({ isPublic }) => isPublic).map(({ share }) => share)))
  }
  for (const [day, share] of Object.entries(partial)) {
    const date = dateInYear(year, day)
    if (isDate(date)) shareByDate.set(date, share)
  }
  const place = [country, state, region].filter((code) => code !== null).join('-')
  const holidays = new Map<LocalDate, AbsenceContent>()
  for (const [date, day_share] of shareByDate) {
    if (day_share === 0) continue
    const known = knownByDate.get(date) ?? []
    const note = (known.find(({ isPublic }) => isPublic) ?? known[0])?.name ?? ''
    const import_ref = `${place} ${date}`
    holidays.set(date, holidayContent({ date, day_share, note, import_ref }))
  }
  return holidays
}

function holidayContent(
  own: Pick<AbsenceContent, 'date' | 'note' | 'import_ref'> & { day_share: number },
): AbsenceContent {
  const checked = parseContent('entries', { kind: 'public_holiday', source: HOLIDAYS_SOURCE, ...own })
  if (!checked.ok) throw new Error(`a holiday is no entry: ${JSON.stringify(checked.errors)}`)
  if (!isAbsence(checked.value)) throw new Error(`a holiday is no absence, but ${checked.value.kind}`)
  return checked.value
}

/** Dates whose holidays a change of settings can alter. */
export interface HolidayRange extends DateRange {
  /** The rule in force before. Without it, holidays of the past are decided anew too. */
  before?: HolidayRule | null
}

/** Returns the ranges of dates on which another rule is in force than before, in order. */
export function changedHolidayRanges(
  before: Timeline<HolidaySettings>,
  after: Timeline<HolidaySettings>,
): Required<HolidayRange>[] {
  const borders = [...new Set([...before, ...after].map(({ effective_from }) => effective_from))].sort()
  const ruleOn = (timeline: Timeline<HolidaySettings>, date: LocalDate) => settingsOn(timeline, date)?.holidays ?? null
  return borders.flatMap((from, index) => {
    const next = borders[index + 1]
    const was = ruleOn(before, from)
    if (jsonEqual(was, ruleOn(after, from))) return []
    return [{ from, to: next === undefined ? LAST_DATE : addDays(next, -1), before: was }]
  })
}

/** The record with the id of a date's holiday, as far as the plan needs it. */
export interface StoredHoliday {
  /** False if a person edited or deleted it. */
  isUntouched: boolean
  /** Null for a tombstone. */
  content: AbsenceContent | null
}

/** The facts on which the plan for a range of dates depends. */
export interface HolidaySituation {
  today: LocalDate
  /** The holidays of the range by the rules in force. */
  holidays: Holidays
  /** Those by the rules before; without them, holidays of the past are decided anew too. */
  holidaysBefore?: Holidays | undefined
  /** The stored records by date; dates without one are missing. */
  stored: ReadonlyMap<LocalDate, StoredHoliday>
  /** The dates with a public holiday that a person entered. */
  handMade: ReadonlySet<LocalDate>
}

/** Returns the generated holidays to store, by date in order; null stands for one to remove (D16.5 to D16.11). */
export function planHolidays(situation: HolidaySituation): Map<LocalDate, AbsenceContent | null> {
  const { today, holidays, holidaysBefore, stored, handMade } = situation
  const dates = [...new Set([...holidays.keys(), ...(holidaysBefore?.keys() ?? []), ...stored.keys()])].sort()
  const plan = new Map<LocalDate, AbsenceContent | null>()
  for (const date of dates) {
    const { isUntouched, content } = stored.get(date) ?? { isUntouched: true, content: null }
    if (!isUntouched) continue
    const isHandMade = handMade.has(date)
    const next = isHandMade ? null : (holidays.get(date) ?? null)
    const isKept = date < today && !isHandMade && holidaysBefore && jsonEqual(next, holidaysBefore.get(date) ?? null)
    if (!isKept && !jsonEqual(content, next)) plan.set(date, next)
  }
  return plan
}
