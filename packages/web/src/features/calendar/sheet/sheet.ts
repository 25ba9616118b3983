import {
  clip,
  dayWindow,
  type Entry,
  type EpochMs,
  type Interval,
  intervalOf,
  type LocalDate,
  type Settings,
  type Timeline,
} from '@saldo/core'
import type { CalendarDay } from '../calendar-days.ts'

/** A line of the printed time sheet. */
export interface SheetRow {
  day: CalendarDay
  /** From the first start to the last end of work within the day; `undefined` without work. */
  present: Interval | undefined
  /** The part of `present` that does not count as worked: breaks, gaps and deducted breaks. */
  breakMs: number
  /** True if the figures are final: the day is over or closed. */
  isOver: boolean
}

export type SheetSums = Record<'breakMs' | 'workedMs' | 'creditedMs' | 'targetMs' | 'deltaMs', number>

export interface Sheet {
  rows: SheetRow[]
  /** Sums of the finished days inside the account. */
  sums: SheetSums
  /** The last day of the sums; `undefined` if they cover all days. */
  sumsUntil: LocalDate | undefined
}

/** Leaves out running work, as the account does. */
export function sheetOf(
  days: readonly CalendarDay[],
  entries: readonly Entry[],
  timeline: Timeline<Settings>,
  today: LocalDate,
): Sheet {
  const work = entries.filter(({ kind }) => kind === 'work').flatMap((entry) => intervalOf(entry) ?? [])
  const rows = days.map((day) => {
    const present = presentIn(dayWindow(timeline, day.date), work)
    const breakMs = present && day.counts ? present.end - present.start - day.workedMs : 0
    return { day, present, breakMs, isOver: day.isClosed || day.date < today }
  })
  const over = rows.filter(({ isOver }) => isOver)
  const counted = over.filter(({ day }) => day.counts)
  const sum = (of: (row: SheetRow) => number) => counted.reduce((total, row) => total + of(row), 0)
  return {
    rows,
    sums: {
      breakMs: sum((row) => row.breakMs),
      workedMs: sum(({ day }) => day.workedMs),
      creditedMs: sum(({ day }) => day.creditedMs),
      targetMs: sum(({ day }) => day.targetMs),
      deltaMs: sum(({ day }) => day.deltaMs),
    },
    sumsUntil: over.length < rows.length ? over.at(-1)?.day.date : undefined,
  }
}

function presentIn(window: Interval, work: readonly Interval[]): Interval | undefined {
  const parts = work.map((interval) => clip(interval, window)).filter(({ start, end }) => start < end)
  if (parts.length === 0) return undefined
  const bound = (of: (...times: EpochMs[]) => EpochMs, side: keyof Interval) => of(...parts.map((part) => part[side]))
  return { start: bound(Math.min, 'start'), end: bound(Math.max, 'end') }
}
