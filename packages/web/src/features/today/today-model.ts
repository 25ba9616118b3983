import {
  instantAt,
  type PartInDay,
  stoppedAt,
  type TimedRecord,
  type TimedRow,
  type TimerState,
  timerState,
  wallAt,
} from '@saldo/client/entries'
import { certainTime } from '@saldo/client/reading'
import {
  addDays,
  coveredBy,
  type DayFigures,
  type DayHint,
  type DurationMs,
  dayHints,
  difference,
  type EntryContent,
  type EpochMs,
  epochMs,
  HOUR_MS,
  type Interval,
  type LocalDate,
  longestDayReachedAt,
  netWorkMs,
  settingsOn,
  type ZoneName,
} from '@saldo/core'
import { type Day, figuresAt } from '../../domain/entries/useDay.ts'

/** Returns the length of an entry; of a running one up to now. */
export function shownLength({ record, part }: Pick<TimedRow, 'record' | 'part'>, nowMs: EpochMs): DurationMs {
  if (record.ended_at === null) return Math.max(0, nowMs - epochMs(record.started_at))
  return part.whole.end - part.whole.start
}

/** True if a timer can continue an entry: finished work of a day that is not ahead. */
export function canGoOn(
  record: TimedRecord,
  { date, today }: Pick<Day, 'date' | 'today'>,
): record is Extract<TimedRecord, { kind: 'work' }> {
  return record.kind === 'work' && record.ended_at !== null && date <= today
}

/** Another day than the shown one. */
export type OtherDay = 'dayBefore' | 'dayAfter' | LocalDate

/** Returns the days on which an entry begins and ends, where it is not the shown day. */
export function otherDays(
  { beginsBefore, endsAfter, whole }: PartInDay,
  date: LocalDate,
  zone: ZoneName,
): { start: OtherDay | undefined; end: OtherDay | undefined } {
  const [first, last] = [wallAt(whole.start, zone).date, wallAt(whole.end, zone).date]
  const start = first === addDays(date, -1) ? 'dayBefore' : first
  const end = last === addDays(date, 1) ? 'dayAfter' : last
  return { start: beginsBefore ? start : undefined, end: endsAfter ? end : undefined }
}

/** The ring's figures: what counts for the day, and which part of the circle that is; `beyond` is a second round. */
interface RingFigures {
  countedMs: number
  targetMs: number
  /** 0 to 1. */
  share: number
  beyond: number
}

/** Work counts as the account counts it, without the break that is deducted and with what is credited. */
export function ringOf(figures: DayFigures): RingFigures {
  const { credited_ms, target_ms } = figures
  const countedMs = netWorkMs(figures) + credited_ms
  const share = target_ms > 0 ? countedMs / target_ms : countedMs > 0 ? 1 : 0
  return {
    countedMs,
    targetMs: target_ms,
    share: Math.min(1, share),
    beyond: target_ms > 0 ? Math.min(1, Math.max(0, share - 1)) : 0,
  }
}

/** From this time before, running work says when it reaches the longest day of the law. */
const AHEAD_MS = 2 * HOUR_MS

/** Returns when running work reaches the longest day of the law; `undefined` unless that is soon. */
export function longestDayAhead(
  day: Pick<Day, 'date' | 'entries' | 'timed' | 'timeline'>,
  nowMs: EpochMs,
): { limitMs: DurationMs; atMs: EpochMs } | undefined {
  const settings = settingsOn(day.timeline, day.date)
  const isWorking = timerState(day.timed.map(({ record }) => record)).kind === 'working'
  if (!settings || !isWorking) return undefined
  const reached = longestDayReachedAt(settings, netWorkMs(figuresAt(day, nowMs)), nowMs)
  return reached && reached.atMs <= nowMs + AHEAD_MS ? reached : undefined
}

/**
 * True if a recorded break lies before the first work of a day or, once the day is over, after the last one. The break
 * rules do not count it as taken (D3.49); a break over midnight counts (D3.54).
 */
export function hasUntakenBreak(entries: readonly EntryContent[], window: Interval, isOver: boolean): boolean {
  const breaks = coveredBy('break', entries, window)
  const worked = difference(coveredBy('work', entries, window), breaks)
  const [first, last] = [worked[0], worked.at(-1)]
  if (!first || !last) return false
  return breaks.some(
    ({ start, end }) =>
      (start > window.start && end <= first.start) || (isOver && start >= last.end && end < window.end),
  )
}

/** Returns the hints of a day. Running work counts up to now; core time can be missed only once the day is over. */
export function shownHints(
  { entries, timeline, date, today }: Pick<Day, 'entries' | 'timeline' | 'date' | 'today'>,
  nowMs: EpochMs,
): DayHint[] {
  const hints = dayHints(stoppedAt(entries, nowMs), timeline, date)
  return hints.filter(({ code }) => date < today || code !== 'core_time_missed')
}

type Key = 'S' | 'B'

/** Returns the keys of the timer's buttons. During a break the main button ends it, so it has the key that began it. */
export function timerKeys(kind: TimerState['kind']): { main: Key; other: Key } {
  return kind === 'break' ? { main: 'B', other: 'S' } : { main: 'S', other: 'B' }
}

/** Returns the typed start of a timer on a day; `undefined` means now. `isAhead` is true if it is in the future. */
export function typedStart(
  text: string,
  { date, zone }: Pick<Day, 'date' | 'zone'>,
  nowMs: EpochMs,
): { startMs: EpochMs | undefined; isAhead: boolean } {
  const minutes = certainTime(text)
  if (minutes === undefined) return { startMs: undefined, isAhead: false }
  const startMs = instantAt(date, minutes, zone)
  return { startMs, isAhead: startMs > nowMs }
}
