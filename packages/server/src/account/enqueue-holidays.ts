import {
  changedHolidayRanges,
  type EpochMs,
  type HolidayRange,
  type HolidaySettings,
  isUntouchedHoliday,
  type LocalDate,
  settingsOn,
  type Timeline,
} from '@saldo/core'
import type { UserWriter } from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import { isOf, type ReplacedRecord } from './context.ts'
import { disjointRanges, joinToAtMost } from './job-ranges.ts'
import { findTask } from './tasks.ts'

/** The id of a user's only job of this kind. */
const HOLIDAYS_JOB = 'holidays'
/** Due before everything else, so that auto-close closes days with their holidays. */
export const BEFORE_OTHER_JOBS: EpochMs = 0
/** The most ranges that the job keeps apart. */
const MAX_JOB_RANGES = 500

/**
 * Lets the job look at the dates on which another rule is in force than before the changes, and at those whose holiday
 * a person entered or removed (D16.2, D16.8). Ranges that wait already keep the rule from before the first change.
 */
export async function enqueueHolidays(
  writer: UserWriter,
  replaced: readonly ReplacedRecord[],
  before: Timeline<HolidaySettings>,
  timeline: Timeline<HolidaySettings>,
): Promise<void> {
  const changed = changedHolidayRanges(before, timeline)
  const entered = datesOfPersons(replaced, timeline)
  if (changed.length === 0 && entered.length === 0) return
  const waiting = (await findTask(writer, 'holidays'))?.task.ranges ?? []
  const anew = entered.map((date): HolidayRange => ({ from: date, to: date }))
  const all = disjointRanges([...changed, ...waiting, ...anew])
  const joined = joinToAtMost(all, MAX_JOB_RANGES)
  // A joined range has more than one rule before it.
  const ranges = joined.length < all.length ? joined.map(({ from, to }) => ({ from, to })) : all
  await writer.putJob({ id: HOLIDAYS_JOB, dueMs: BEFORE_OTHER_JOBS, task: { kind: 'holidays', ranges } })
}

/** Returns the dates with a rule whose public holiday is, before or after the changes, one of a person. */
function datesOfPersons(replaced: readonly ReplacedRecord[], timeline: Timeline<HolidaySettings>): LocalDate[] {
  if (!timeline.some(({ holidays }) => holidays)) return []
  const entries = replaced.filter(isOf('entries')).flatMap(({ before, after }) => [before, after])
  return entries.flatMap((record) => {
    const entry = liveFieldsOf(record)
    if (entry?.kind !== 'public_holiday' || isUntouchedHoliday(entry)) return []
    return settingsOn(timeline, entry.date)?.holidays ? [entry.date] : []
  })
}
