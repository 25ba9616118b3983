import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { plusDays } from '../../../core/test/naive-account.ts'
import { serviceOfFile } from '../file-service.ts'
import { hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

const service = await serviceOfFile()

/** The offsets of the world, from UTC−11 to UTC+14; in November, the United States have just left summer time. */
const zones = [
  'Pacific/Pago_Pago',
  'America/Los_Angeles',
  'America/New_York',
  'America/St_Johns',
  'UTC',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
]
/** Monday and Sunday of the closed week. */
const [MONDAY, SUNDAY] = ['2026-11-02', '2026-11-08']

test.each(zones)('[D3.26] [D3.27] work at both edges of closed days reaches the account in %s', async (zone) => {
  service.clock.set('2026-11-11T12:00:00.000Z')
  const account = await TestAccount.open(service)
  await account.post('settings_history', settings('2026-10-01', { time_zone: zone }))
  const entryAt = (date: string, fromHours: number, toHours: number): SentChange => {
    const startMs = Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds
    const at = (ms: number) => new Date(startMs + ms).toISOString()
    return { kind: 'entries', id: randomUUID(), content: work(at(hours(fromHours)), at(hours(toHours))) }
  }
  // Some are there when the week is closed, the others are added, moved and deleted late.
  const edges = (): SentChange[] => [
    entryAt(MONDAY, 0, 0.25),
    entryAt(MONDAY, -0.5, 0.75),
    entryAt(plusDays(SUNDAY, 1), -0.25, 0),
    entryAt(plusDays(SUNDAY, 1), -1, 0.5),
    entryAt('2026-11-05', -2, -1.5),
    entryAt('2026-11-05', -0.1, 0.1),
  ]
  await account.push(edges())
  await account.closeWeek('2026-W45')
  const { worked_ms } = await account.week('2026-W45')
  expect(worked_ms).toBe(hours(0.75 + 1 + 0.5 + 0.2))
  await account.expectCorrect()
  for (const late of edges()) {
    await account.push([late])
    await account.expectCorrect()
    await account.push([{ ...late, content: work('2026-11-10T01:00Z', '2026-11-10T02:00Z') }])
  }
  expect((await account.week('2026-W45')).worked_ms).toBe(worked_ms)
  await account.expectCorrect()
})
