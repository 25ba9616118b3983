import { beforeEach, expect, test } from 'vitest'
import { dates } from '../../../core/test/naive-account.ts'
import { serviceOfFile } from '../file-service.ts'
import { absence, hours, settings, work } from './samples.ts'
import { TestAccount } from './test-account.ts'

/** A mistyped year must not cost more than a wrong figure. */
const [FIRST, LAST] = ['0001-01-01', '9999-12-31']
const atOnce = { auto_close: { day_after_ms: 0, week_after_days: 0 } }
const afterAYear = { auto_close: { day_after_ms: hours(1), week_after_days: 366 } }

let account: TestAccount
const service = await serviceOfFile({ now: '2026-11-01T12:00:00.000Z' })
beforeEach(async () => {
  account = await TestAccount.open(service)
})

test.each(['9999-12-31', '9999-12-27', '9999-12-26'])(
  '[D1.6] settings from %s on do not stop the jobs',
  async (last) => {
    await account.post('settings_history', settings(last, atOnce))
    await service.service.runDueJobs()
    await account.post('settings_history', settings('2026-10-26', atOnce))
    const id = await account.post('settings_history', settings('9999-12-30', afterAYear))
    await service.service.runDueJobs()
    const closed = (await account.list('/api/closed-days')).map(({ date }) => date)
    expect(closed).toEqual(dates('2026-10-26', '2026-10-31'))
    await account.put('settings_history', id, settings('2026-10-28', { time_zone: 'Asia/Tokyo', ...afterAYear }))
    await service.service.runDueJobs()
    await account.expectCorrect()
  },
)

test('[D1.6] entries, absences and adjustments at both ends of the calendar are accepted', async () => {
  await account.post('settings_history', settings('2026-10-05'))
  await account.closeWeek('2026-W42')
  await account.post('entries', work(`${FIRST}T00:00:00Z`, '0001-02-01T00:00:00Z'))
  await account.post('entries', work('9999-12-01T23:59:00Z', `${LAST}T23:59:00Z`))
  for (const date of [FIRST, LAST]) {
    await account.post('entries', absence('sick', date))
    const adjustment = { effective_date: date, delta_ms: hours(1), kind: 'other', reason: 'at the end' }
    await account.post('balance_adjustments', adjustment)
  }
  expect(await account.balance()).toMatchObject({
    adjustments_delta_ms: hours(2),
    future_adjustments_delta_ms: hours(1),
  })
  expect(await account.expectCorrect()).toEqual({ days: 7, weeks: 1 })
  for (const range of [`from=${FIRST}&to=0001-02-01`, `from=9999-12-01&to=${LAST}`]) {
    expect((await account.call('GET', `/api/account/days?${range}`)).status).toBe(200)
  }
  await account.closeWeek('9999-W52', 409)
  await account.closeWeek('0001-W01', 409)
  await account.closeDay(LAST, 409)
  await account.closeDay(FIRST, 409)
})
