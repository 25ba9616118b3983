import { allDates, type DateRange, type EpochMs, mergeRanges } from '@saldo/core'
import type { UserReader, UserWriter } from '../store/store.ts'
import { readClosedDays } from './account-reads.ts'
import type { AffectedRange } from './affected-ranges.ts'
import { disjointRanges, joinToAtMost } from './job-ranges.ts'
import { findTask } from './tasks.ts'

/** The id of a user's only job of this kind. */
const RECOMPUTE_JOB = 'recompute'
/** The most ranges that the job keeps apart. */
const MAX_JOB_RANGES = 200

/** Adds ranges to the user's job of recomputing. Dates that already wait are recomputed once (D3.56). */
export async function enqueueRecompute(
  writer: UserWriter,
  affected: readonly AffectedRange[],
  nowMs: EpochMs,
): Promise<void> {
  const waiting = await findTask(writer, 'recompute')
  const earlier = waiting?.task.ranges ?? []
  const added = await startAtFirstClosedDay(writer, affected)
  const ranges = joinToAtMost(disjointRanges([...earlier, ...added]), MAX_JOB_RANGES)
  await writer.putJob({ id: RECOMPUTE_JOB, dueMs: waiting?.dueMs ?? nowMs, task: { kind: 'recompute', ranges } })
}

/** Returns ranges from the first closed day on: the balance shows no earlier dates as recomputing. */
async function startAtFirstClosedDay(reader: UserReader, affected: readonly AffectedRange[]): Promise<AffectedRange[]> {
  const [first] = await readClosedDays(reader, allDates, 1)
  if (!first) return []
  return affected
    .filter(({ to }) => to >= first.date)
    .map((range) => (range.from < first.date ? { ...range, from: first.date } : range))
}

/** Returns the ranges of dates whose closed days wait for a job to recompute them. */
export async function recomputingRanges(reader: UserReader): Promise<DateRange[]> {
  return mergeRanges((await findTask(reader, 'recompute'))?.task.ranges ?? [])
}
