import { addDays, datesOfWeek, type LocalDate, weekOf } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  Backlog,
  type Call,
  closingAtOnce,
  expectConsistentClosings,
  FIRST,
  fullTime,
  pullAll,
  work,
} from './full-time.ts'
import { serviceUnderFire } from './service-under-fire.ts'

const KILLS = 3

/** So many Mondays in a row. */
function mondays(count: number): LocalDate[] {
  return Array.from({ length: count }, (_, index) => addDays(FIRST, 7 * index))
}

async function pushWork(call: Call, dates: readonly string[]): Promise<void> {
  const updated_at = '2024-01-01T00:00:00.000Z'
  const changes = dates.map((date, index) => {
    return { kind: 'entries', op: 'upsert', record: { id: crypto.randomUUID(), updated_at, ...work(date, index % 11) } }
  })
  expect((await call('POST', '/api/sync/push', { changes })).status).toBe(200)
}

test('[D3.20] after kill -9 while weeks are closed by request, each week is closed once, with its days', async () => {
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

test('[D3.34] [D3.40] after kill -9, auto-close and a recompute job continue and repeat nothing', async () => {
  const service = await serviceUnderFire()
  await pushWork(service.call, mondays(160))
  /** Kills the service whenever more of the work is done, and waits for its end. Returns how often it was killed. */
  const killWhile = async (workLeft: () => Promise<string | undefined>) => {
    let kills = 0
    for (let seen = await workLeft(); seen !== undefined; ) {
      const now = await workLeft()
      if (now !== seen && now !== undefined && kills < KILLS) {
        kills += 1
        await service.kill()
      }
      seen = now
    }
    return kills
  }

  // A service that is done before it was killed often enough is given more to do.
  const backlog = new Backlog(service.call)
  for (let kills = 0; kills < KILLS; ) {
    const last = await backlog.grow()
    kills += await killWhile(async () => {
      const { last_closed_week } = (await service.call('GET', '/api/balance')).body
      return last_closed_week >= last ? undefined : `${last_closed_week}`
    })
  }
  const closed = await expectConsistentClosings(service.call)
  expect(closed.weeks).toHaveLength(backlog.weeks)
  expect(closed.weeks.every(({ revision, closed_by }) => revision === 1 && closed_by === 'auto')).toBe(true)

  let revisions = 1
  for (let kills = 0; kills < KILLS; ) {
    revisions += 1
    const others = closingAtOnce(6 + (revisions % 2))
    expect((await service.call('PUT', `/api/settings/${backlog.settings}`, others)).status).toBe(200)
    kills += await killWhile(async () => (await service.call('GET', '/api/balance')).body.recomputing[0]?.from)
  }
  const recomputed = await expectConsistentClosings(service.call)
  const isRevised = ({ revision }: { revision: number }) => revision === revisions
  expect(recomputed.weeks.every((week) => isRevised(week) && week.closed_by === 'recompute')).toBe(true)
  const workDays = recomputed.days.filter(({ target_ms }) => target_ms > 0)
  expect(workDays.every(isRevised)).toBe(true)
  const versions = (await pullAll(service.call)).map(({ version }) => version)
  expect(new Set(versions).size).toBe(versions.length)
})
