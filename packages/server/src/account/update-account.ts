import type { ClosedDay, LocalDate, Random, Settings } from '@saldo/core'
import { liveFieldsOf } from '../records/fields.ts'
import { allDates, dateSpan, readClosedDays, readTimeline } from '../records/reading.ts'
import type { UserReader, UserWriter } from '../store/store.ts'
import { type AffectedRange, affectedRanges, type ReplacedRecord } from './affected-ranges.ts'
import { scheduleAutoClose } from './auto-close-job.ts'
import type { AccountContext } from './closed-records.ts'
import { mergeRanges } from './date-ranges.ts'
import { recompute } from './recompute.ts'

/** The most closed days that a transaction recomputes itself; it leaves more to a job (D3.32). */
const MAX_DAYS_IN_TRANSACTION = 400

/**
 * Updates the account after a transaction's changes (D3.29): recomputes the closed days in the affected ranges, now or
 * by a job, and lets auto-close look at the dates of changed settings.
 */
export async function updateAccount(
  writer: UserWriter,
  replaced: readonly ReplacedRecord[],
  context: AccountContext & { random: Random },
): Promise<void> {
  if (replaced.every(({ after }) => after.kind === 'balance_adjustments')) return
  const timeline = await readTimeline(writer)
  const effectiveDates = replaced.flatMap(datesOfSettings)
  if (effectiveDates.length > 0) await scheduleAutoClose(writer, timeline, effectiveDates, context.nowMs)

  const affected = affectedRanges(replaced, timeline)
  const closedDays = await countClosedDays(writer, affected)
  if (closedDays > MAX_DAYS_IN_TRANSACTION) {
    const ranges = await fromFirstClosedDay(writer, affected)
    const task = { kind: 'recompute' as const, ranges }
    await writer.putJob({ id: context.random.uuid(), dueMs: context.nowMs, task })
  } else if (closedDays > 0) {
    await recompute(writer, timeline, affected, context)
  }
}

function datesOfSettings({ before, after }: ReplacedRecord): LocalDate[] {
  if (after.kind !== 'settings_history') return []
  return [before, after].flatMap((record) => liveFieldsOf<Settings>(record)?.effective_from ?? [])
}

async function countClosedDays(reader: UserReader, affected: readonly AffectedRange[]): Promise<number> {
  const ranges = mergeRanges(affected)
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (!first || !last) return 0
  // One query instead of one per range for edits of open days.
  if ((await reader.count('closed_days', dateSpan({ from: first.from, to: last.to }))) === 0) return 0
  let count = 0
  for (const range of ranges) count += await reader.count('closed_days', dateSpan(range))
  return count
}

/** Cuts off what lies before the first closed day, so that the balance does not show it as recomputing. */
async function fromFirstClosedDay(reader: UserReader, affected: readonly AffectedRange[]): Promise<AffectedRange[]> {
  const [first] = (await readClosedDays(reader, allDates, 1)) as [ClosedDay]
  return affected
    .filter(({ to }) => to >= first.date)
    .map((range) => (range.from < first.date ? { ...range, from: first.date } : range))
}
