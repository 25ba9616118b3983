import { allDates, type DateRange, type EpochMs, mergeRanges } from '@saldo/core'
import type { UserReader, UserWriter } from '../store/store.ts'
import { readClosedDays } from './account-reads.ts'
import type { Affected } from './affected-ranges.ts'
import { sumByWeeks, sumToAtMost } from './causes.ts'
import { joinToAtMost } from './job-ranges.ts'
import { findTask } from './tasks.ts'

/** The id of a user's only job of this kind. */
const RECOMPUTE_JOB = 'recompute'
/** The most ranges, and the most causes, that the job keeps apart. */
const MAX_APART = 200

/** Adds ranges to the user's job of recomputing. Dates that already wait are recomputed once (D3.56). */
export async function enqueueRecompute(writer: UserWriter, affected: Affected, nowMs: EpochMs): Promise<void> {
  const waiting = await findTask(writer, 'recompute')
  const added = await startAtFirstClosedDay(writer, affected)
  const ranges = joinToAtMost(mergeRanges([...(waiting?.task.ranges ?? []), ...added.ranges]), MAX_APART)
  const causes = sumToAtMost(sumByWeeks([...(waiting?.task.causes ?? []), ...added.causes]), MAX_APART)
  const task = { kind: 'recompute', ranges, causes } as const
  await writer.putJob({ id: RECOMPUTE_JOB, dueMs: waiting?.dueMs ?? nowMs, task })
}

/** Returns what is affected from the first closed day on: the balance shows no earlier dates as recomputing. */
async function startAtFirstClosedDay(reader: UserReader, { ranges, causes }: Affected): Promise<Affected> {
  const [first] = await readClosedDays(reader, allDates, 1)
  if (!first) return { ranges: [], causes: [] }
  const reaching = ranges.filter(({ to }) => to >= first.date)
  return {
    ranges: reaching.map(({ from, to }) => ({ from: from < first.date ? first.date : from, to })),
    causes: causes.filter(({ to }) => to >= first.date),
  }
}

/** Returns the ranges of dates whose closed days wait for a job to recompute them. */
export async function recomputingRanges(reader: UserReader): Promise<DateRange[]> {
  return mergeRanges((await findTask(reader, 'recompute'))?.task.ranges ?? [])
}
