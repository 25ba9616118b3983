import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import type { JobTask } from '../../../src/store/job-task.ts'
import type { Job } from '../../../src/store/store.ts'
import { hourOf, uuidOf } from '../samples.ts'
import type { Contract } from './kit.ts'

const autoClose: JobTask = { kind: 'auto_close', dayFrom: '2026-11-01', weekFrom: '2026-10-26' }
const recompute: JobTask = {
  kind: 'recompute',
  ranges: [{ from: '2016-01-01', to: '2025-12-31' }],
  causes: [
    {
      ...{ kind: 'settings_history', entry_type: null, op: 'update', count: 1, id: uuidOf('a settings row') },
      ...{ from: '2016-01-01', to: '2025-12-31' },
    },
  ],
}

/** Nobody's number. */
const MAX_USER = Number.MAX_SAFE_INTEGER as UserNumber

/** Work that is left to be done. */
export function jobsContract(contract: Contract): void {
  const putJob = (user: UserNumber, job: Job) => contract.records.write(user, (writer) => writer.putJob(job))
  const jobsOf = (user: UserNumber) => contract.read(user, (reader) => reader.jobs())

  test('[D3.34] jobs are stored as given and listed by their due time', async () => {
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

  test('[D3.34] putting a job again replaces it, and jobs do not move the counter', async () => {
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
    expect((await contract.read(user, (reader) => reader.position())).version).toBe(1)
  })

  test('[D3.35] writeIfFree writes like any write, and fails for an unknown user', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1))
    const written = contract.records.writeIfFree(user, async (writer) => {
      await writer.putJob({ id: 'job', dueMs: 1, task: recompute })
      return writer.put([hourOf(2)])
    })
    expect(await written).toMatchObject({ outcome: 'written', result: [{ version: 2 }] })
    expect(await jobsOf(user)).toHaveLength(1)
    expect((await contract.log(user)).map(({ version }) => version)).toEqual([1, 2])
    expect(await contract.records.writeIfFree(user, async () => undefined)).toEqual({
      outcome: 'written',
      result: undefined,
    })
    await expect(
      contract.records.writeIfFree(user, async (writer) => {
        await writer.put([hourOf(3)])
        throw new Error('of the body')
      }),
    ).rejects.toThrow('of the body')
    expect((await contract.read(user, (reader) => reader.position())).version).toBe(2)
    expect(await contract.records.writeIfFree(MAX_USER, async () => 'written')).toEqual({ outcome: 'busy' })
  })

  test('[D3.34] replacing or deleting a job leaves the other jobs of its user', async () => {
    const user = await contract.user()
    const other: Job = { id: 'other', dueMs: 3, task: autoClose }
    for (const job of [{ id: 'job', dueMs: 1, task: recompute }, other]) await putJob(user, job)
    await putJob(user, { id: 'job', dueMs: 2, task: recompute })
    expect(await jobsOf(user)).toEqual([{ id: 'job', dueMs: 2, task: recompute }, other])
    await contract.records.write(user, (writer) => writer.deleteJob('job'))
    expect(await jobsOf(user)).toEqual([other])
  })

  test('[D8.2] jobs of two users may have the same id', async () => {
    const [one, two] = [await contract.user(), await contract.user()]
    await putJob(one, { id: 'job', dueMs: 1, task: recompute })
    await putJob(two, { id: 'job', dueMs: 2, task: autoClose })
    await contract.records.write(one, (writer) => writer.deleteJob('job'))
    expect(await jobsOf(one)).toEqual([])
    expect(await jobsOf(two)).toEqual([{ id: 'job', dueMs: 2, task: autoClose }])
  })

  test('[D3.35] users with due jobs are listed once each, the longest due first, up to the limit', async () => {
    const due = (nowMs: number, limit = 100, except: UserNumber[] = []) =>
      contract.records.usersWithDueJobs(nowMs, limit, except)
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
    expect(await due(300, 1, [early, never])).toEqual([often])
    // However much there is to be done for one, the next comes to light.
    expect(await due(400, 1, [early, often])).toEqual([late])
    expect(await due(400, 2)).toEqual([early, often])
    expect(await due(400, 1, [early, often, late])).toEqual([])
    expect(await due(300)).not.toContain(never)
    // Each of three nodes finds some, and together they find all.
    const shares = await Promise.all(
      [0, 1, 2].map((index) => contract.records.usersWithDueJobs(400, 100, [], { index, of: 3 })),
    )
    expect(shares.flat().toSorted()).toEqual([early, late, often].toSorted())
    expect(shares.map((users) => users.every((user) => user % 3 === shares.indexOf(users)))).toEqual([true, true, true])
  })
}
