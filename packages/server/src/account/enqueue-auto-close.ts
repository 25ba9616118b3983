import { type EpochMs, itemAt, type LocalDate, mondayOf, type Timeline, weekOf } from '@saldo/core'
import type { UserWriter } from '../store/store.ts'
import { findTask, type TaskOf } from './tasks.ts'

/** The id of a user's only job of this kind. */
export const AUTO_CLOSE_JOB = 'auto_close'

export type AutoCloseTask = TaskOf<'auto_close'>

/** Lets auto-close look again at all dates from the earliest of `dates` on, if any settings ask for it (D3.38). */
export async function enqueueAutoClose(
  writer: UserWriter,
  timeline: Timeline,
  dates: readonly LocalDate[],
  nowMs: EpochMs,
): Promise<void> {
  const existing = await findTask(writer, 'auto_close')
  const first = timeline.find(({ auto_close }) => auto_close)?.effective_from
  if (first === undefined) {
    if (existing) await writer.deleteJob(AUTO_CLOSE_JOB)
    return
  }
  const done = existing?.task ?? { dayFrom: first, weekFrom: first }
  const earliest = (date: LocalDate) => itemAt([...dates, date].sort(), 0)
  const task: AutoCloseTask = {
    kind: 'auto_close',
    dayFrom: earliest(done.dayFrom),
    weekFrom: mondayOf(weekOf(earliest(done.weekFrom))),
  }
  await writer.putJob({ id: AUTO_CLOSE_JOB, dueMs: nowMs, task })
}
