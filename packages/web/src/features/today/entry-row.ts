import { type PartInDay, type TimedRecord, type TimedRow, wallAt } from '@saldo/client/entries'
import { addDays, type DurationMs, type EpochMs, epochMs, type LocalDate, type ZoneName } from '@saldo/core'
import type { Day } from '../../domain/entries/useDay.ts'

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
