import { addDays, datesOfWeek, weekOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { type Call, expectConsistentClosings, fullTime, pullAll, work } from './account.ts'
import { serviceUnderFire } from './service-under-fire.ts'

const FIRST = '2020-01-06'

/** So many Mondays in a row. They are over whenever the test runs, and no midnight that passes meanwhile adds one. */
function mondays(count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(FIRST, 7 * index))
}

async function pushWork(call: Call, dates: readonly string[]): Promise<void> {
  const updated_at = '2024-01-01T00:00:00.000Z'
  const changes = dates.map((date, index) => {
    return { kind: 'entries', op: 'upsert', record: { id: crypto.randomUUID(), updated_at, ...work(date, index % 11) } }
  })
  expect((await call('POST', '/api/sync/push', { changes })).status).toBe(200)
}

test('[D3] kill -9 while weeks are closed by request: each is closed once, with its days', async () => {
  const service = await serviceUnderFire()
  const weeksToClose = mondays(24).map(weekOf)
  await service.call('POST', '/api/settings', fullTime(FIRST))
  await pushWork(service.call, mondays(24))
  let left = [...weeksToClose]
  const closer = async () => {
    for (let week = left.shift(); week; week = left.shift()) {
      const { status, body } = await service.call('POST', '/api/closed-weeks', { week })
      expect([200, 201]).toContain(status)
      expect(body).toMatchObject({ week, revision: 1 })
    }
  }
  const killer = async () => {
    for (const remaining of [21, 17, 11, 6, 2]) {
      while (left.length > remaining) await service.call('GET', '/api/health')
      await service.kill()
    }
  }
  await Promise.all([closer(), closer(), closer(), killer()])
  left = []

  const { days, weeks } = await expectConsistentClosings(service.call)
  expect(weeks.map(({ week }) => week).sort()).toEqual(weeksToClose)
  expect(weeks.every(({ revision }) => revision === 1)).toBe(true)
  expect(days.map(({ date }) => date).sort()).toEqual(weeksToClose.flatMap(datesOfWeek))
  expect(days.every(({ revision }) => revision === 1)).toBe(true)
})

test('[D3] kill -9 while auto-close catches up and while a job recomputes: both go on, nothing is done twice', async () => {
  const service = await serviceUnderFire()
  await pushWork(service.call, mondays(160))
  // What comes after these weeks is not closed.
  await service.call('POST', '/api/settings', fullTime(addDays(FIRST, 7 * 160)))
  const closeAtOnce = { auto_close: { day_after_ms: 0, week_after_days: 0 } }
  const settings = (await service.call('POST', '/api/settings', { ...fullTime(FIRST), ...closeAtOnce })).body
  const lastWeek = weekOf(addDays(FIRST, 7 * 159))
  /** Kills the service whenever more of the work is done, some times, and waits for its end. */
  const killWhile = async (workLeft: () => Promise<string | undefined>) => {
    let kills = 0
    for (let seen = await workLeft(); seen !== undefined; ) {
      const now = await workLeft()
      if (now !== seen && now !== undefined && kills < 3) {
        kills += 1
        await service.kill()
      }
      seen = now
    }
    expect(kills).toBe(3)
  }

  await killWhile(async () => {
    const { last_closed_week } = (await service.call('GET', '/api/balance')).body
    return last_closed_week >= lastWeek ? undefined : `${last_closed_week}`
  })
  const closed = await expectConsistentClosings(service.call)
  expect(closed.weeks).toHaveLength(160)
  expect(closed.weeks.every(({ revision, closed_by }) => revision === 1 && closed_by === 'auto')).toBe(true)

  const changed = await service.call('PUT', `/api/settings/${settings.id}`, { ...fullTime(FIRST, 7), ...closeAtOnce })
  expect(changed.status).toBe(200)
  expect((await service.call('GET', '/api/balance')).body.recomputing).toHaveLength(1)
  await killWhile(async () => (await service.call('GET', '/api/balance')).body.recomputing[0]?.from)
  const recomputed = await expectConsistentClosings(service.call)
  expect(recomputed.weeks.every(({ revision, closed_by }) => revision === 2 && closed_by === 'recompute')).toBe(true)
  const workDays = recomputed.days.filter(({ target_ms }) => target_ms > 0)
  expect(workDays.every(({ revision }) => revision === 2)).toBe(true)
  const versions = (await pullAll(service.call)).map(({ version }) => version)
  expect(new Set(versions).size).toBe(versions.length)
})
