import type { ForecastDay, Row } from '@saldo/client'
import { type DateRange, datesIn, type Entry, type LocalDate, settingsOn, weekdayIndex } from '@saldo/core'
import type { ShownTimeline } from '../../domain/account/timeline.ts'
import { type AbsenceRecord, isTimedRecord } from '../../domain/entries/parts.ts'

/** A day as the calendar shows it. */
export interface CalendarDay {
  date: LocalDate
  /** What is to be worked by the schedule, before absences. */
  plannedMs: number
  /** What counts as worked: without breaks. */
  workedMs: number
  creditedMs: number
  targetMs: number
  deltaMs: number
  isClosed: boolean
  /** True if the account counts the day. */
  counts: boolean
  absences: Row<AbsenceRecord>[]
}

/** The days of a range by their dates. */
export function calendarDays(
  range: DateRange,
  { timeline, counts }: ShownTimeline,
  forecast: readonly ForecastDay[],
  rows: readonly Row<Entry>[],
): Map<LocalDate, CalendarDay> {
  const figures = new Map(forecast.map((day) => [day.date, day]))
  const absences = Map.groupBy(absencesOf(rows), ({ record }) => record.date)
  return new Map(
    [...datesIn(range)].map((date) => {
      const day = figures.get(date)
      const { worked_ms = 0, deducted_break_ms = 0, credited_ms = 0, target_ms = 0, delta_ms = 0 } = day?.forecast ?? {}
      return [
        date,
        {
          date,
          plannedMs: settingsOn(timeline, date)?.target_ms[weekdayIndex(date)] ?? 0,
          workedMs: worked_ms - deducted_break_ms,
          creditedMs: credited_ms,
          targetMs: target_ms,
          deltaMs: delta_ms,
          isClosed: day?.state === 'closed',
          counts: counts(date),
          absences: absences.get(date) ?? [],
        },
      ]
    }),
  )
}

export function absencesOf(rows: readonly Row<Entry>[]): Row<AbsenceRecord>[] {
  return rows.flatMap(({ record, pending }) => (isTimedRecord(record) ? [] : [{ record, pending }]))
}

/** How many days of a kind of absence there are. */
export interface AbsenceCount {
  kind: AbsenceRecord['kind']
  /** Up to today, and after it. */
  soFar: number
  ahead: number
}

/** Where the absences of a day are more than the day, the account lets these go first; time off in lieu goes last. */
const fillOrder: readonly AbsenceRecord['kind'][] = [
  'public_holiday',
  'sick',
  'vacation',
  'paid_other',
  'unpaid',
  'time_off_in_lieu',
]

/** The days of each kind that fall on days with a target, shares added up; of no day more than the whole. */
export function countAbsences(
  days: Iterable<CalendarDay>,
  kinds: readonly AbsenceRecord['kind'][],
  today: LocalDate,
): AbsenceCount[] {
  const counts = new Map(kinds.map((kind) => [kind, { kind, soFar: 0, ahead: 0 }]))
  for (const { date, plannedMs, absences } of days) {
    if (plannedMs === 0) continue
    let left = 1
    for (const { record } of absences.toSorted((a, b) => placeOf(a) - placeOf(b))) {
      const share = Math.min(record.day_share, left)
      const count = counts.get(record.kind)
      if (count) count[date <= today ? 'soFar' : 'ahead'] += share
      left -= share
    }
  }
  return [...counts.values()]
}

function placeOf({ record }: Row<AbsenceRecord>): number {
  return fillOrder.indexOf(record.kind)
}
