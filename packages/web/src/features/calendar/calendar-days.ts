import type { ForecastDay, ShownRecord } from '@saldo/client'
import type { AbsenceRecord, ShownTimeline } from '@saldo/client/entries'
import {
  type DateRange,
  datesIn,
  type Entry,
  isAbsence,
  type LocalDate,
  netWorkMs,
  plannedOn,
  shareOfDay,
} from '@saldo/core'

/** A day for display in the calendar. */
export interface CalendarDay {
  date: LocalDate
  /** The target of the weekday, before absences reduce it. */
  plannedMs: number
  /** Worked time without breaks. */
  workedMs: number
  creditedMs: number
  targetMs: number
  deltaMs: number
  isClosed: boolean
  /** True if the account counts the day. */
  counts: boolean
  absences: ShownRecord<AbsenceRecord>[]
}

/** Returns the days of a range by date. */
export function calendarDays(
  range: DateRange,
  { timeline, counts }: ShownTimeline,
  forecast: readonly ForecastDay[],
  rows: readonly ShownRecord<Entry>[],
): Map<LocalDate, CalendarDay> {
  const figures = new Map(forecast.map((day) => [day.date, day]))
  const absences = Map.groupBy(absencesOf(rows), ({ record }) => record.date)
  return new Map(
    [...datesIn(range)].map((date) => {
      const day = figures.get(date)
      const { credited_ms = 0, target_ms = 0, delta_ms = 0 } = day?.forecast ?? {}
      return [
        date,
        {
          date,
          plannedMs: plannedOn(timeline, date),
          workedMs: day ? netWorkMs(day.forecast) : 0,
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

export function absencesOf(rows: readonly ShownRecord<Entry>[]): ShownRecord<AbsenceRecord>[] {
  return rows.flatMap(({ record, pending }) => (isAbsence(record) ? [{ record, pending }] : []))
}

/** Returns the days of a range with their absences, and the number of those that have a target. */
export function chosenDays(
  days: ReadonlyMap<LocalDate, CalendarDay>,
  range: DateRange | undefined,
): { chosen: CalendarDay[]; absences: AbsenceRecord[]; targetCount: number } {
  const chosen = range ? [...datesIn(range)].flatMap((date) => days.get(date) ?? []) : []
  return {
    chosen,
    absences: chosen.flatMap((day) => day.absences.map(({ record }) => record)),
    targetCount: chosen.filter(({ plannedMs }) => plannedMs > 0).length,
  }
}

export interface AbsenceCount {
  kind: AbsenceRecord['kind']
  /** Days up to today. */
  soFar: number
  /** Days after today. */
  ahead: number
}

/** If absences exceed a day, the account counts them in this order. */
const countOrder: readonly AbsenceRecord['kind'][] = [
  'public_holiday',
  'sick',
  'vacation',
  'paid_other',
  'unpaid',
  'time_off_in_lieu',
]

/** Adds up the shares of each kind on days with a target, at most 1 for each day. */
export function countAbsences(
  days: Iterable<CalendarDay>,
  kinds: readonly AbsenceRecord['kind'][],
  today: LocalDate,
): AbsenceCount[] {
  const counts = new Map(kinds.map((kind) => [kind, { kind, soFar: 0, ahead: 0 }]))
  for (const { date, plannedMs, absences } of days) {
    if (plannedMs === 0) continue
    let left = 1
    for (const { record } of absences.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const share = Math.min(shareOfDay(record, plannedMs), left)
      const count = counts.get(record.kind)
      if (count) count[date <= today ? 'soFar' : 'ahead'] += share
      left -= share
    }
  }
  return [...counts.values()]
}

function rankOf({ record }: ShownRecord<AbsenceRecord>): number {
  return countOrder.indexOf(record.kind)
}
