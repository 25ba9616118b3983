import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { Ledger } from './ledger.ts'
import { dates } from './naive-account.ts'
import { absence, hours, settings, work } from './samples.ts'

/** A mistyped year must not cost more than a wrong figure. */
const [FIRST, LAST] = ['0001-01-01', '9999-12-31']
const atOnce = { auto_close: { day_after_ms: 0, week_after_days: 0 } }
const afterAYear = { auto_close: { day_after_ms: hours(1), week_after_days: 366 } }

let service: TestService
let ledger: Ledger
beforeAll(async () => {
  service = await startTestService({ now: '2026-11-01T12:00:00.000Z' })
})
afterAll(() => service.close())
beforeEach(async () => {
  ledger = await Ledger.open(service)
})

test.each(['9999-12-31', '9999-12-27', '9999-12-26'])('[D1.6] settings of %s do not stop the jobs', async (last) => {
  await ledger.post('settings_history', settings(last, atOnce))
  await service.service.runDueJobs()
  await ledger.post('settings_history', settings('2026-10-26', atOnce))
  const id = await ledger.post('settings_history', settings('9999-12-30', afterAYear))
  await service.service.runDueJobs()
  const closed = (await ledger.list('/api/closed-days')).map(({ date }) => date)
  expect(closed).toEqual(dates('2026-10-26', '2026-10-31'))
  await ledger.put('settings_history', id, settings('2026-10-28', { time_zone: 'Asia/Tokyo', ...afterAYear }))
  await service.service.runDueJobs()
  await ledger.expectRight()
})

test('[D1.6] entries, absences and adjustments at both ends of the calendar', async () => {
  await ledger.post('settings_history', settings('2026-10-05'))
  await ledger.closeWeek('2026-W42')
  const id = await ledger.post('entries', work(`${FIRST}T00:00:00Z`, `${LAST}T23:59:00Z`))
  expect(await ledger.week('2026-W42')).toMatchObject({ worked_ms: hours(7 * 24) })
  for (const date of [FIRST, LAST]) {
    await ledger.post('entries', absence('sick', date))
    const adjustment = { effective_date: date, delta_ms: hours(1), kind: 'other', reason: 'at the end' }
    await ledger.post('balance_adjustments', adjustment)
  }
  expect(await ledger.balance()).toMatchObject({
    adjustments_delta_ms: hours(2),
    future_adjustments_delta_ms: hours(1),
  })
  await ledger.delete('entries', id)
  expect(await ledger.expectRight()).toEqual({ days: 7, weeks: 1 })
  for (const range of [`from=${FIRST}&to=0001-02-01`, `from=9999-12-01&to=${LAST}`]) {
    expect((await ledger.call('GET', `/api/account/days?${range}`)).status).toBe(200)
  }
  await ledger.closeWeek('9999-W52', 409)
  await ledger.closeWeek('0001-W01', 409)
  await ledger.closeDay(LAST, 409)
  await ledger.closeDay(FIRST, 409)
})
