import {
  type AbsenceContent,
  buildTimeline,
  changedHolidayRanges,
  contentOf,
  type DateRange,
  dateInYear,
  type Entry,
  GENERATED_AT,
  holidayId,
  holidaysIn,
  holidaysUnder,
  isUntouchedHoliday,
  type KnownDays,
  type LocalDate,
  planHolidays,
  type RecordId,
  type Settings,
  type StoredHoliday,
  type UserNumber,
  yearOf,
} from '@saldo/core'

/** The user for whom the service generates holidays, and the library that knows them. */
export interface HolidaySource {
  user: UserNumber
  knownDays: KnownDays
}

/** Returns the entries as they are once the service has generated the holidays of changed settings (D16.2). */
export function withGeneratedHolidays(
  entries: readonly Entry[],
  { before, after }: { before: readonly Settings[]; after: readonly Settings[] },
  today: LocalDate,
  { user, knownDays }: HolidaySource,
): Entry[] {
  const byId = new Map<RecordId, Entry>(entries.map((entry) => [entry.id, entry]))
  const timeline = buildTimeline(after)
  const to = dateInYear(yearOf(today) + 1, '12-31')
  for (const changed of changedHolidayRanges(buildTimeline(before), timeline)) {
    if (changed.from > to) continue
    const range = { from: changed.from, to: changed.to < to ? changed.to : to }
    const holidays = holidaysIn(timeline, range, knownDays)
    const holidaysBefore = holidaysUnder(changed.before, range, knownDays)
    const { stored, handMade } = holidaysAmong(byId, range, [...holidays.keys()], user)
    for (const [date, content] of planHolidays({ today, holidays, holidaysBefore, stored, handMade })) {
      const id = holidayId(user, date)
      if (content) byId.set(id, { ...content, id, version: 0, created_at: GENERATED_AT, updated_at: GENERATED_AT })
      else byId.delete(id)
    }
  }
  return [...byId.values()]
}

function holidaysAmong(
  byId: ReadonlyMap<RecordId, Entry>,
  { from, to }: DateRange,
  wanted: readonly LocalDate[],
  user: UserNumber,
): { stored: Map<LocalDate, StoredHoliday>; handMade: Set<LocalDate> } {
  const dates = new Set(wanted)
  const handMade = new Set<LocalDate>()
  for (const entry of byId.values()) {
    if (entry.kind !== 'public_holiday' || entry.date < from || entry.date > to) continue
    if (entry.id === holidayId(user, entry.date)) dates.add(entry.date)
    else handMade.add(entry.date)
  }
  const stored = new Map<LocalDate, StoredHoliday>()
  for (const date of dates) {
    const entry = byId.get(holidayId(user, date))
    if (!entry) continue
    stored.set(date, { isUntouched: isUntouchedHoliday(entry), content: contentOf(entry) as AbsenceContent })
  }
  return { stored, handMade }
}
