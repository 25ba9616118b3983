import { addDays, addDaysWithinCalendar, type DateRange, mergeRanges, mondayOf, weekOf } from '@saldo/core'
import type { JobTask, UserWriter } from '../store/store.ts'
import { readClosedDays, readTimeline } from './account-reads.ts'
import type { AccountContext } from './context.ts'
import { recompute } from './recompute.ts'

type RecomputeTask = Extract<JobTask, { kind: 'recompute' }>

/** Recomputes the first week with closed days in the ranges of a job. Returns the rest of the job, if any. */
export async function runRecompute(
  writer: UserWriter,
  { ranges }: RecomputeTask,
  context: AccountContext,
): Promise<RecomputeTask | undefined> {
  const merged = mergeRanges(ranges)
  const whole = { from: (merged[0] as DateRange).from, to: (merged.at(-1) as DateRange).to }
  const [first] = await readClosedDays(writer, whole, 1)
  const end = first ? addDaysWithinCalendar(mondayOf(weekOf(first.date)), 6) : whole.to

  const piece = ranges
    .filter(({ from }) => from <= end)
    .map((range) => (range.to > end ? { ...range, to: end } : range))
  await recompute(writer, await readTimeline(writer), piece, context)
  const rest = ranges
    .filter(({ to }) => to > end)
    .map((range) => (range.from > end ? range : { ...range, from: addDays(end, 1) }))
  return rest.length > 0 ? { kind: 'recompute', ranges: rest } : undefined
}
