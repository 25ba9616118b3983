import type { ForecastDay, Row } from '@saldo/client'
import {
  computeDay,
  computeWeek,
  type DateRange,
  type DayFigures,
  dayWindow,
  type Entry,
  type EpochMs,
  epochMs,
  type LocalDate,
  type Settings,
  type Timeline,
  type WeekFigures,
} from '@saldo/core'
import { isTimedRecord, partIn, stoppedAt } from '../../domain/entries/parts.ts'

/** A day of a week as it is shown. */
export interface WeekDay {
  date: LocalDate
  state: ForecastDay['state']
  /** What runs counts up to now; of a closed day what the service will say once it has all changes. */
  figures: DayFigures
  /** How the service closed the day, where changes that it does not have make something else of it. */
  closedDeltaMs?: number
  /** Whether the day's figures stand: it is over, or its week is closed. */
  isOver: boolean
}

/** What of some rows touches a range of dates; a timer touches it from the moment that it starts. */
export function rowsTouching(
  { from, to }: DateRange,
  rows: readonly Row<Entry>[],
  timeline: Timeline<Settings>,
  nowMs: EpochMs,
): Row<Entry>[] {
  const window = { start: dayWindow(timeline, from).start, end: dayWindow(timeline, to).end }
  return rows.filter(({ record }) =>
    isTimedRecord(record)
      ? partIn(record, window, Math.max(nowMs, epochMs(record.started_at)))
      : from <= record.date && record.date <= to,
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

/** What the account counts as worked: without the break that is deducted. */
export function countedMs({ worked_ms, deducted_break_ms }: WeekFigures): number {
  return worked_ms - deducted_break_ms
}

/** Breaks that were taken and those that are deducted. */
export function breaksMs({ break_ms, deducted_break_ms }: WeekFigures): number {
  return break_ms + deducted_break_ms
}

export interface WeekSums {
  /** Of all days inside the account. */
  all: WeekFigures
  /** What the days that are over add to the balance. */
  deltaMs: number
  /** What is left to work until the end of the week for a delta of nothing; 0 where nothing is. */
  leftMs: number
  /** Whether all days are over. */
  isOver: boolean
}

export function weekSums(days: readonly WeekDay[]): WeekSums {
  const counted = days.filter(({ state }) => state !== 'outside').map(({ figures }) => figures)
  const over = days.filter(({ state, isOver }) => state !== 'outside' && isOver).map(({ figures }) => figures)
  const all = computeWeek(counted)
  const isOver = over.length === counted.length
  return {
    all,
    deltaMs: computeWeek(over).delta_ms,
    leftMs: isOver ? 0 : Math.max(0, -all.delta_ms),
    isOver,
  }
}
