import type { ForecastDay, ShownRecord } from '@saldo/client'
import { partIn, stoppedAt } from '@saldo/client/entries'
import {
  computeDay,
  type DateRange,
  type DayFigures,
  type DurationMs,
  dayWindow,
  type Entry,
  type EpochMs,
  isRequest,
  isTimed,
  type LocalDate,
  type PeriodFigures,
  type Settings,
  sumFigures,
  type Timeline,
} from '@saldo/core'
import { takenBreaksMs } from '../../domain/entries/useDay.ts'

/** A day of a week for display. */
export interface WeekDay {
  date: LocalDate
  state: ForecastDay['state']
  /** Running work counts up to now. A closed day shows its figures including unsent changes. */
  figures: DayFigures
  /** The taken and the deducted breaks. */
  breaksMs: DurationMs
  /** Present if unsent changes make it differ from the delta of a closed day. */
  closedDeltaMs?: number
  /** True if the day is over, or closed. */
  isOver: boolean
}

/** Returns the rows that touch a range of dates; a timer does so from the moment that it starts. */
export function rowsTouching(
  { from, to }: DateRange,
  rows: readonly ShownRecord<Entry>[],
  timeline: Timeline<Settings>,
  nowMs: EpochMs,
): ShownRecord<Entry>[] {
  const window = { start: dayWindow(timeline, from).start, end: dayWindow(timeline, to).end }
  return rows.filter(({ record }) =>
    isTimed(record) ? partIn(record, window, nowMs) : !isRequest(record) && from <= record.date && record.date <= to,
  )
}

export function weekDays(
  days: readonly ForecastDay[],
  entries: readonly Entry[],
  timeline: Timeline<Settings>,
  today: LocalDate,
  nowMs: EpochMs,
): WeekDay[] {
  const stopped = stoppedAt(entries, nowMs)
  return days.map(({ date, state, closed, forecast }) => {
    const figures = closed ? forecast : computeDay(stopped, timeline, date)
    return {
      date,
      state,
      figures,
      breaksMs: takenBreaksMs(stopped, dayWindow(timeline, date)) + figures.deducted_break_ms,
      ...(closed && closed.delta_ms !== forecast.delta_ms && { closedDeltaMs: closed.delta_ms }),
      isOver: closed !== null || date < today,
    }
  })
}

export interface WeekSums {
  /** All days inside the account. */
  all: PeriodFigures
  /** Those of them that are over, and their breaks. */
  over: PeriodFigures
  breaksMs: DurationMs
  /** True if all days are over. */
  isOver: boolean
}

export function weekSums(days: readonly WeekDay[]): WeekSums {
  const counted = days.filter(({ state }) => state !== 'outside')
  const over = counted.filter(({ isOver }) => isOver)
  const sumOf = (some: readonly WeekDay[]) => sumFigures(some.map(({ figures }) => figures))
  return {
    all: sumOf(counted),
    over: sumOf(over),
    breaksMs: over.reduce((sum, { breaksMs }) => sum + breaksMs, 0),
    isOver: over.length === counted.length,
  }
}
