import {
  addDays,
  type DurationMs,
  dateAt,
  type Entry,
  type EpochMs,
  entryLimits,
  epochMs,
  intervalOf,
  isTimed,
  type LocalDate,
  type Timeline,
  type ZoneName,
} from '@saldo/core'
import { certainTime } from '../reading/times.ts'
import type { TimedRecord } from './parts.ts'
import { instantAt, wallAt } from './wall-time.ts'

/** True if finished work goes over midnight, as in night shifts. */
export function worksAtNight(entries: readonly Entry[], timeline: Timeline): boolean {
  return entries
    .filter(({ kind }) => kind === 'work')
    .map(intervalOf)
    .some((interval) => interval && dateAt(timeline, interval.start) < dateAt(timeline, interval.end - 1))
}

/**
 * Returns the timer that somebody may have forgotten to stop: it runs for longer than `longestMs` or over midnight,
 * which is usual for people who work at night.
 */
export function forgottenTimer(
  entries: readonly Entry[],
  timeline: Timeline,
  nowMs: EpochMs,
  isNightUsual: boolean,
  longestMs: DurationMs,
): TimedRecord | undefined {
  return entries.filter(isTimed).find(({ ended_at, started_at }) => {
    if (ended_at !== null) return false
    const startMs = epochMs(started_at)
    const isOverMidnight = dateAt(timeline, startMs) < dateAt(timeline, nowMs)
    return nowMs - startMs > longestMs || (isOverMidnight && !isNightUsual)
  })
}

/** True if a timer runs for longer than the service accepts, so that it has to end earlier. */
export function runsTooLong({ started_at }: TimedRecord, nowMs: EpochMs): boolean {
  return nowMs - epochMs(started_at) > entryLimits.ms
}

/**
 * Reads a typed end of a timer. Without a chosen date, a time that is not after the start is on the next day. `endMs`
 * is `undefined` unless the timer can end then: not before its start, not in the future, and not too long after.
 */
export function typedEnd(
  text: string,
  chosenDate: LocalDate | undefined,
  startMs: EpochMs,
  nowMs: EpochMs,
  zone: ZoneName,
): { endDate: LocalDate; endMs: EpochMs | undefined } {
  const start = wallAt(startMs, zone)
  const minutes = certainTime(text)
  const isNextDay = minutes !== undefined && minutes <= start.minutes
  const endDate = chosenDate ?? (isNextDay ? addDays(start.date, 1) : start.date)
  const wantedMs = minutes === undefined ? undefined : instantAt(endDate, minutes, zone)
  const isPossible =
    wantedMs !== undefined && wantedMs >= startMs && wantedMs <= Math.min(nowMs, startMs + entryLimits.ms)
  return { endDate, endMs: isPossible ? wantedMs : undefined }
}
