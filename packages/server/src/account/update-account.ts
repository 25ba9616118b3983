import type { HolidaySettings, LocalDate, Timeline } from '@saldo/core'
import type { UserWriter } from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import { readTimeline } from './account-reads.ts'
import { affectedRanges } from './affected-ranges.ts'
import { type AccountContext, isOf, type ReplacedRecord } from './context.ts'
import { enqueueAutoClose } from './enqueue-auto-close.ts'
import { enqueueHolidays } from './enqueue-holidays.ts'
import { recomputeAffected } from './recompute.ts'

/**
 * Updates the account after a transaction's changes (D3.29), now or by a job, and lets auto-close look again. All
 * changes of a transaction are applied to it together, once for each day and week, and not change by change. A job
 * does it only where it takes long (D3.32): until it is done, closed days contradict their records. `replaced` is in
 * the order of the changes; `storedTimeline` was stored before them, left out where they changed no settings.
 */
export async function updateAccount(
  writer: UserWriter,
  replaced: readonly ReplacedRecord[],
  storedTimeline: Timeline<HolidaySettings> | undefined,
  context: AccountContext,
): Promise<void> {
  // An adjustment is no part of a day or week: the balance adds it when it is read (R1.4).
  if (replaced.every(({ after }) => after.kind === 'balance_adjustments')) return
  const timeline = await readTimeline(writer)
  const timelineBefore = storedTimeline ?? timeline
  const effectiveDates = replaced.filter(isOf('settings_history')).flatMap(datesOfSettings)
  if (effectiveDates.length > 0) await enqueueAutoClose(writer, timeline, effectiveDates, context.nowMs)
  await enqueueHolidays(writer, replaced, timelineBefore, timeline)
  const affected = await affectedRanges(replaced, timelineBefore, timeline)
  await recomputeAffected({ ...context, writer, timeline }, affected)
}

/** Returns the dates from which a settings row is or was effective. */
function datesOfSettings({ before, after }: ReplacedRecord<'settings_history'>): LocalDate[] {
  return [before, after].flatMap((record) => liveFieldsOf(record)?.effective_from ?? [])
}
