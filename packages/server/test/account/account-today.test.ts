import { HOUR_MS } from '@saldo/core'
import { beforeEach, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { settings, work } from './samples.ts'
import { TestAccount } from './test-account.ts'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-11-20T12:00:00.000Z')
  account = await TestAccount.open(service)
})

/** Asks at a time of the day; posting moves the clock. */
async function today(time = '12:00') {
  service.clock.set(`2026-11-20T${time}:00.000Z`)
  const { status, body } = await account.call('GET', '/api/account/today')
  expect(status).toBe(200)
  return body
}
const running = (started_at: string, kind = 'work') => ({ kind, started_at, ended_at: null })

test('[D3.64] today counts a running timer until now, and says what runs since when', async () => {
  expect(await today()).toMatchObject({ running: null, running_since: null, time_zone: 'UTC', worked_ms: 0 })
  await account.post('settings_history', settings('2026-11-10'))
  await account.post('entries', work('2026-11-20T06:00Z', '2026-11-20T08:00Z'))
  const timer = await account.post('entries', running('2026-11-20T09:00:00Z'))
  const first = await today()
  expect(first).toMatchObject({
    ...{ date: '2026-11-20', as_of: '2026-11-20T12:00:00.000Z', time_zone: 'Europe/Berlin' },
    ...{ running: 'work', running_since: '2026-11-20T09:00:00.000Z', worked_ms: 5 * HOUR_MS },
  })
  expect(first.delta_ms).toBe(first.worked_ms + first.credited_ms - first.target_ms)
  // The account itself counts it once it has ended.
  const { items } = (await account.call('GET', '/api/account/days?from=2026-11-20&to=2026-11-20')).body
  expect(items).toMatchObject([{ worked_ms: 2 * HOUR_MS }])

  await account.post('entries', running('2026-11-20T12:30:00Z', 'break'))
  expect(await today('13:00')).toMatchObject({
    ...{ running: 'break', running_since: '2026-11-20T12:30:00.000Z' },
    ...{ worked_ms: 5.5 * HOUR_MS, break_ms: 0.5 * HOUR_MS },
  })
  await account.call('DELETE', `/api/entries/${timer}`)
  expect(await today('13:00')).toMatchObject({ running: 'break', worked_ms: 2 * HOUR_MS })
})

test('[D3.64] today has its part of a timer of yesterday, and nothing of later or uncounted work', async () => {
  await account.post('settings_history', settings('2026-11-10'))
  await account.post('entries', running('2026-11-20T15:00:00Z'))
  await account.post('entries', { ...running('2026-11-20T10:00:00Z'), counts: false })
  expect(await today()).toMatchObject({ running: null, running_since: null, worked_ms: 0 })
  await account.post('entries', running('2026-11-19T20:00:00Z'))
  // In Berlin, the day began at 23:00 UTC.
  expect(await today()).toMatchObject({
    ...{ running: 'work', running_since: '2026-11-19T20:00:00.000Z' },
    worked_ms: 13 * HOUR_MS,
  })
})
