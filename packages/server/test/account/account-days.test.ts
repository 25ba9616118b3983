import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { dates } from '../../../core/test/naive-account.ts'
import { serviceOfFile } from '../file-service.ts'
import { absence, hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { pickDay, TestAccount } from './test-account.ts'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-11-21T12:00:00.000Z')
  account = await TestAccount.open(service)
})

async function days(from: string, to: string) {
  const { status, body } = await account.call('GET', `/api/account/days?from=${from}&to=${to}`)
  expect(status).toBe(200)
  return body.items
}

test('[D3.43] each day shows its state, whether it has ended, and its figures', async () => {
  await account.post('settings_history', settings('2026-11-10'))
  await account.post('entries', work('2026-11-09T08:00Z', '2026-11-09T12:00Z'))
  await account.post('entries', work('2026-11-12T22:30Z', '2026-11-13T06:00Z'))
  await account.post('entries', absence('vacation', '2026-11-16', 0.5))
  await account.post('entries', absence('sick', '2026-11-24'))
  await account.closeDay('2026-11-12')
  const items = await days('2026-11-08', '2026-11-25')
  expect(items.map(({ date }: { date: string }) => date)).toEqual(dates('2026-11-08', '2026-11-25'))
  expect(items.map(({ state }: { state: string }) => state)).toEqual([
    ...['outside', 'outside', 'open', 'open', 'closed'],
    ...Array(13).fill('open'),
  ])
  expect(items.map(({ ended }: { ended: boolean }) => ended)).toEqual([
    ...Array(13).fill(true),
    ...Array(5).fill(false),
  ])
  const expected = account.expected()
  for (const item of items) expect(pickDay(item)).toEqual(expected.day(item.date))
  expect(items[4]).toMatchObject({ worked_ms: hours(0.5), delta_ms: hours(-7.5) })
  expect(items[5]).toMatchObject({ worked_ms: hours(7), delta_ms: hours(-1) })
})

test('[D3.21] [D3.43] a day has ended, and can be closed, at the first instant of the next day', async () => {
  await account.post('settings_history', settings('2026-11-10'))
  const closing = () => account.call('POST', '/api/closed-days', { json: { date: '2026-11-21' } })
  service.clock.set('2026-11-21T22:59:59.999Z')
  expect(await days('2026-11-21', '2026-11-21')).toMatchObject([{ ended: false }])
  expect((await closing()).status).toBe(409)
  service.clock.set('2026-11-21T23:00:00.000Z')
  expect(await days('2026-11-21', '2026-11-21')).toMatchObject([{ ended: true }])
  expect((await closing()).status).toBe(201)
})

test('[D3.43] days whose warnings name too many entries are refused, and each of them can be read', async () => {
  await account.post('settings_history', settings('2026-09-01'))
  for (const month of ['09', '10']) {
    const content = work(`2026-${month}-01T08:00Z`, `2026-${month}-31T08:00Z`.replace('09-31', '10-01'))
    const long = Array.from({ length: 900 }, (): SentChange => ({ kind: 'entries', id: randomUUID(), content }))
    await account.push(long)
  }
  const { status, body } = await account.call('GET', '/api/account/days?from=2026-09-01&to=2026-10-31')
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/to' }] })
  const [day] = await days('2026-09-15', '2026-09-15')
  expect(day.warnings.map(({ entry_ids }: { entry_ids: string[] }) => entry_ids.length)).toEqual([900, 900])
})

test('[D3.43] a closed day shows its stored figures, a reopened one computed figures', async () => {
  await account.post('settings_history', settings('2026-11-10'))
  await account.closeDay('2026-11-12')
  await account.reopenDay('2026-11-12')
  await account.post('entries', work('2026-11-12T08:00Z', '2026-11-12T12:00Z'))
  expect(await days('2026-11-12', '2026-11-12')).toMatchObject([{ state: 'open', worked_ms: hours(4) }])
})

test('[D2.27] a day warns of overlaps, long and running entries, and too much absence', async () => {
  await account.post('settings_history', settings('2026-11-01'))
  const entry = (content: object) => account.post('entries', content)
  const [early, late] = [
    await entry(work('2026-11-10T08:00Z', '2026-11-10T12:00Z')),
    await entry(work('2026-11-10T11:00Z', '2026-11-10T13:00Z')),
  ]
  const long = await entry(work('2026-11-12T08:00Z', '2026-11-13T10:00Z'))
  const running = [
    await entry(work('2026-11-17T08:00Z', null)),
    await entry(work('2026-11-17T09:00Z', null, { kind: 'break' })),
  ]
  const away = [await entry(absence('unpaid', '2026-11-19', 0.75)), await entry(absence('vacation', '2026-11-19', 0.5))]
  await entry(absence('sick', '2026-11-20', 0.5))
  await entry(absence('vacation', '2026-11-20', 0.5))

  const warnings = Object.fromEntries(
    (await days('2026-11-09', '2026-11-20')).flatMap((day: { date: string; warnings: object[] }) =>
      day.warnings.length > 0 ? [[day.date, day.warnings]] : [],
    ),
  )
  expect(warnings).toEqual({
    '2026-11-10': [{ code: 'overlapping_work', entry_ids: [early, late].sort() }],
    '2026-11-12': [{ code: 'long_entry', entry_ids: [long] }],
    '2026-11-13': [{ code: 'long_entry', entry_ids: [long] }],
    '2026-11-17': [
      { code: 'still_running', entry_ids: running.toSorted() },
      { code: 'several_running', entry_ids: running.toSorted() },
    ],
    '2026-11-19': [{ code: 'absence_beyond_day', entry_ids: away.toSorted() }],
  })
})

test('[D2.27] a hundred running entries are shown, each on the day on which it began', async () => {
  await account.post('settings_history', settings('2025-11-01'))
  const month = dates('2026-10-22', '2026-11-20')
  const running = Array.from({ length: 100 }, (_, index): SentChange => {
    const content = work(`${month[index % 30]}T08:00Z`, null)
    return { kind: 'entries', id: randomUUID(), content }
  })
  await account.push(running)
  const items = await days('2026-10-22', '2026-11-20')
  const shown = items.map(({ warnings }: { warnings: { entry_ids: string[] }[] }) => warnings[0]?.entry_ids.length)
  expect(shown).toEqual(month.map((_, index) => (index < 100 % 30 ? 4 : 3)))
})

test('[R2.7] [D1.37] the figures of many entries add up, though a thousand are computed at once', async () => {
  await account.post('settings_history', settings('2026-10-01'))
  const many = Array.from({ length: 1_200 }, (_, index): SentChange => {
    const day = dates('2026-10-01', '2026-11-19')[index % 50]
    // Some nights too, which belong to two days.
    const content =
      index < 50 ? work(`${day}T22:30Z`, `${day}T23:30Z`) : work(`${day}T08:00Z`, `${day}T08:${10 + (index % 40)}Z`)
    return { kind: 'entries', id: randomUUID(), content }
  })
  for (let at = 0; at < many.length; at += 400) await account.push(many.slice(at, at + 400))
  const balance = (await account.call('GET', '/api/balance')).body
  const items = await days('2026-10-01', '2026-11-20')
  const shown = items.reduce((sum: number, { delta_ms }: { delta_ms: number }) => sum + delta_ms, 0)
  const expected = account.expected()
  for (const item of items) expect(pickDay(item)).toEqual(expected.day(item.date))
  expect(balance.open_delta_ms).toBe(shown)
})

test('[D3.43] days at the ends of the calendar, a skipped day, and days before any settings', async () => {
  expect(await days('0001-01-01', '0001-01-02')).toMatchObject([{ state: 'outside' }, { state: 'outside' }])
  await account.post('settings_history', settings('1900-01-01', { time_zone: 'Pacific/Apia' }))
  await account.post('entries', work('2011-12-30T08:00Z', '2011-12-30T12:00Z'))
  // Samoa went from Thursday, the 29th, to Saturday, the 31st: Friday has no hours, but has a target.
  expect(await days('2011-12-29', '2011-12-31')).toMatchObject([
    { worked_ms: hours(2), target_ms: hours(8) },
    { worked_ms: 0, target_ms: hours(8), delta_ms: hours(-8) },
    { worked_ms: hours(2), target_ms: 0 },
  ])
  await account.closeWeek('2011-W52')
  expect(await account.week('2011-W52')).toMatchObject({ worked_ms: hours(4), target_ms: hours(40) })
  expect(await days('9999-12-30', '9999-12-31')).toMatchObject([{ ended: false }, { ended: false }])
})
