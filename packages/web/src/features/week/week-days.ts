import type { ForecastDay, ShownRecord } from '@saldo/client'
import { partIn, stoppedAt } from '@saldo/client/entries'
import {
  computeDay,
  type DateRange,
  type DayFigures,
  dayWindow,
  type Entry,
  type EpochMs,
  isTimed,
  type LocalDate,
  type PeriodFigures,
  type Settings,
  sumFigures,
  type Timeline,
} from '@saldo/core'

/** A day of a week for display. */
export interface WeekDay {
  date: LocalDate
  state: ForecastDay['state']
  /** Running work counts up to now. A closed day shows its figures including unsent changes. */
  figures: DayFigures
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
    isTimed(record) ? partIn(record, window, nowMs) : from <= record.date && record.date <= to,
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
  return days.map(({ date, state, closed, forecast }) => ({
    date,
    state,
    figures: closed ? forecast : computeDay(stopped, timeline, date),
    ...(closed && closed.delta_ms !== forecast.delta_ms && { closedDeltaMs: closed.delta_ms }),
    isOver: closed !== null || date < today,
  }))
}

/** Returns taken and deducted breaks. */
export function breaksMs({ break_ms, deducted_break_ms }: PeriodFigures): number {
  return break_ms + deducted_break_ms
}

export interface WeekSums {
  /** All days inside the account. */
  all: PeriodFigures
  /** The delta of the days that are over. */
  deltaMs: number
  /** True if all days are over. */
  isOver: boolean
}

export function weekSums(days: readonly WeekDay[]): WeekSums {
  const counted = days.filter(({ state }) => state !== 'outside').map(({ figures }) => figures)
  const over = days.filter(({ state, isOver }) => state !== 'outside' && isOver).map(({ figures }) => figures)
  const all = sumFigures(counted)
  const isOver = over.length === counted.length
  return {
    all,
    deltaMs: sumFigures(over).delta_ms,
    isOver,
  }
}
