import type { EpochMs } from '@saldo/core'
import type { JobTask } from '../store/job-task.ts'
import type { UserReader } from '../store/store.ts'

/** The task of a job of a kind: what is left to do. */
export type TaskOf<Kind extends JobTask['kind']> = Extract<JobTask, { kind: Kind }>

/** Returns the task of a user's only job of a kind, and when it is due; `undefined` if there is no such job. */
export async function findTask<Kind extends JobTask['kind']>(
  reader: UserReader,
  kind: Kind,
): Promise<{ task: TaskOf<Kind>; dueMs: EpochMs } | undefined> {
  const isOfKind = (task: JobTask): task is TaskOf<Kind> => task.kind === kind
  for (const { task, dueMs } of await reader.jobs()) if (isOfKind(task)) return { task, dueMs }
  return undefined
}
