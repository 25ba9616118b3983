import { expect, test } from 'vitest'
import type { Job, JobTask, UserId } from '../../../src/store/store.ts'
import { hourOf } from '../samples.ts'
import type { Contract } from './kit.ts'

const autoClose: JobTask = { kind: 'auto_close', dayFrom: '2026-11-01', weekFrom: '2026-10-26' }
const recompute: JobTask = {
  kind: 'recompute',
  ranges: [{ from: '2016-01-01', to: '2025-12-31', cause: { kind: 'settings_history', id: 'an id', op: 'upsert' } }],
}

/** Work that is left to be done. */
export function jobsContract(contract: Contract): void {
  const putJob = (user: UserId, job: Job) => contract.records.write(user, (writer) => writer.putJob(job))
  const jobsOf = (user: UserId) => contract.read(user, (reader) => reader.jobs())

  test('[D3] jobs are kept as they are, the first due first', async () => {
    const user = await contract.user()
    expect(await jobsOf(user)).toEqual([])
    const jobs: Job[] = [
      { id: 'c', dueMs: 2, task: recompute },
      { id: 'b', dueMs: 1, task: autoClose },
      { id: 'a', dueMs: 2, task: autoClose },
      { id: 'ä', dueMs: 0, task: recompute },
    ]
    for (const job of jobs) await putJob(user, job)
    expect((await jobsOf(user)).map(({ id }) => id)).toEqual(['ä', 'b', 'a', 'c'])
    expect(new Set(await jobsOf(user))).toEqual(new Set(jobs))
  })

  test('[D3] a job put again is replaced, a deleted one is gone; the counter does not move', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1))
    await putJob(user, { id: 'job', dueMs: 1, task: recompute })
    await putJob(user, { id: 'job', dueMs: 5, task: autoClose })
    expect(await jobsOf(user)).toEqual([{ id: 'job', dueMs: 5, task: autoClose }])
    await contract.records.write(user, async (writer) => {
      await writer.deleteJob('job')
      await writer.deleteJob('unknown')
      expect(await writer.jobs()).toEqual([])
    })
    expect(await jobsOf(user)).toEqual([])
    expect((await contract.read(user, (reader) => reader.point())).version).toBe(1)
  })

  test('[D8] a job of the same id is another for another user', async () => {
    const [one, two] = [await contract.user(), await contract.user()]
    await putJob(one, { id: 'job', dueMs: 1, task: recompute })
    await putJob(two, { id: 'job', dueMs: 2, task: autoClose })
    await contract.records.write(one, (writer) => writer.deleteJob('job'))
    expect(await jobsOf(one)).toEqual([])
    expect(await jobsOf(two)).toEqual([{ id: 'job', dueMs: 2, task: autoClose }])
  })

  test('[D3] users with due jobs: at their time and not before, the longest due first, each once, up to the limit', async () => {
    const due = (nowMs: number, limit = 100) => contract.records.usersWithDueJobs(nowMs, limit)
    for (const user of await due(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) {
      await contract.records.write(user, async (writer) => {
        for (const { id } of await writer.jobs()) await writer.deleteJob(id)
      })
    }
    const [late, early, never, often] = [
      await contract.user(),
      await contract.user(),
      await contract.user(),
      await contract.user(),
    ]
    await putJob(late, { id: 'job', dueMs: 300, task: recompute })
    await putJob(early, { id: 'job', dueMs: 100, task: recompute })
    for (const dueMs of [400, 200, 250]) await putJob(often, { id: String(dueMs), dueMs, task: autoClose })
    expect(await due(99)).toEqual([])
    expect(await due(100)).toEqual([early])
    expect(await due(299)).toEqual([early, often])
    expect(await due(300)).toEqual([early, often, late])
    expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([early, often, late])
    expect(await due(300, 2)).toEqual([early, often])
    expect(await due(300)).not.toContain(never)
  })
}
