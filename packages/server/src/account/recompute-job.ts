import { addDays, addDaysWithinCalendar, mondayOf, rangeAround, weekOf } from '@saldo/core'
import type { UserWriter } from '../store/store.ts'
import { readClosedDays, readTimeline } from './account-reads.ts'
import type { AccountContext } from './context.ts'
import { closedDatesIn, recompute } from './recompute.ts'
import type { TaskOf } from './tasks.ts'

type RecomputeTask = TaskOf<'recompute'>

/** Recomputes the first week with closed days in the ranges of a job. Returns the rest of the job, if any. */
export async function runRecompute(
  writer: UserWriter,
  { ranges, causes }: RecomputeTask,
  context: AccountContext,
): Promise<RecomputeTask | undefined> {
  const whole = rangeAround(ranges)
  const [first] = whole ? await readClosedDays(writer, whole, 1) : []
  if (!first) return undefined
  const end = addDaysWithinCalendar(mondayOf(weekOf(first.date)), 6)

  const piece = ranges
    .filter(({ from }) => from <= end)
    .map((range) => (range.to > end ? { ...range, to: end } : range))
  const transaction = { ...context, writer, timeline: await readTimeline(writer) }
  await recompute(transaction, causes, await closedDatesIn(writer, piece))
  const rest = ranges
    .filter(({ to }) => to > end)
    .map((range) => (range.from > end ? range : { ...range, from: addDays(end, 1) }))
  if (rest.length === 0) return undefined
  return { kind: 'recompute', ranges: rest, causes: causes.filter(({ to }) => to > end) }
}
