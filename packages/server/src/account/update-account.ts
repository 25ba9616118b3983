import {
  addDaysWithinCalendar,
  type DateRange,
  type Entry,
  epochMs,
  type HolidaySettings,
  isCounted,
  isTimed,
  type LocalDate,
  rangeAround,
  type Timeline,
  untimedDatesOf,
  utcDate,
} from '@saldo/core'
import type { UserReader, UserWriter } from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import { readTimeline } from './account-reads.ts'
import { affectedBy } from './affected-ranges.ts'
import { type AccountContext, isOf, type ReplacedRecord } from './context.ts'
import { enqueueAutoClose } from './enqueue-auto-close.ts'
import { enqueueHolidays } from './enqueue-holidays.ts'
import { closedDatesIn, isWithinTransaction, recomputeAffected } from './recompute.ts'

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
  const closed = await closedDatesOfEntries(writer, replaced)
  // Most writes are of today, which is open: they need no settings and no time zone.
  if (closed?.length === 0) return
  const timeline = await readTimeline(writer)
  const timelineBefore = storedTimeline ?? timeline
  const effectiveDates = replaced.filter(isOf('settings_history')).flatMap(datesOfSettings)
  if (effectiveDates.length > 0) await enqueueAutoClose(writer, timeline, effectiveDates, context.nowMs)
  await enqueueHolidays(writer, replaced, timelineBefore, timeline)
  const affected = await affectedBy(replaced, timelineBefore, timeline)
  await recomputeAffected({ ...context, writer, timeline }, affected, closed)
}

/**
 * Returns the closed dates that changes of entries can alter, and some beside them. Returns `undefined` where changes
 * can alter more: settings, public holidays, or more closed dates than a transaction recomputes.
 */
async function closedDatesOfEntries(
  reader: UserReader,
  replaced: readonly ReplacedRecord[],
): Promise<LocalDate[] | undefined> {
  if (!replaced.every(isOf('entries'))) return undefined
  const entries = replaced
    .flatMap(({ before, after }) => [before, after].flatMap((one) => liveFieldsOf(one) ?? []))
    .filter((entry) => isCounted(entry))
  if (entries.some(({ kind }) => kind === 'public_holiday')) return undefined
  const around = rangeAround(entries.map(utcDatesOf))
  const dates = around ? await closedDatesIn(reader, [withDaysBeside(around)]) : []
  return isWithinTransaction(dates) ? dates : undefined
}

function utcDatesOf(entry: Entry): DateRange {
  if (!isTimed(entry)) return untimedDatesOf(entry)
  const { started_at, ended_at } = entry
  return { from: utcDate(epochMs(started_at)), to: utcDate(epochMs(ended_at ?? started_at)) }
}

/** Returns all dates that instants on UTC dates have in any time zone: none is a day away from UTC. */
function withDaysBeside({ from, to }: DateRange): DateRange {
  return { from: addDaysWithinCalendar(from, -1), to: addDaysWithinCalendar(to, 1) }
}

/** Returns the dates from which a settings row is or was effective. */
function datesOfSettings({ before, after }: ReplacedRecord<'settings_history'>): LocalDate[] {
  return [before, after].flatMap((record) => liveFieldsOf(record)?.effective_from ?? [])
}
