import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { dates } from '../../../core/test/naive-account.ts'
import { serviceOfFile } from '../file-service.ts'
import { absence, hours, settings, work } from './samples.ts'
import { TestAccount } from './test-account.ts'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-11-21T12:00:00.000Z')
  account = await TestAccount.open(service)
})

const adjustment = (effective_date: string, delta_ms: number) => ({
  effective_date,
  delta_ms,
  kind: 'correction',
  reason: 'checked',
})

test('[R1.4] [R2.7] without settings, only adjustments count', async () => {
  await account.post('entries', work('2026-11-10T08:00Z', '2026-11-10T12:00Z'))
  expect(await account.balance()).toEqual({
    closed_weeks_delta_ms: 0,
    adjustments_delta_ms: 0,
    balance_ms: 0,
    future_adjustments_delta_ms: 0,
    open_delta_ms: 0,
    projected_balance_ms: 0,
    last_closed_week: null,
    as_of: new Date(service.clock.now()).toISOString(),
    time_zone: null,
    recomputing: [],
  })
  await account.post('balance_adjustments', adjustment('2026-11-21', hours(3)))
  await account.post('balance_adjustments', adjustment('2026-11-22', hours(-1)))
  expect(await account.balance()).toMatchObject({
    adjustments_delta_ms: hours(2),
    balance_ms: hours(2),
    future_adjustments_delta_ms: hours(-1),
    projected_balance_ms: hours(2),
  })
})

test('[R1.4] [R2.7] closed weeks and all live adjustments add up to the balance, whatever their date', async () => {
  await account.post('settings_history', settings('2026-11-02'))
  await account.post('entries', work('2026-11-03T08:00Z', '2026-11-03T12:00Z'))
  await account.closeWeek('2026-W45')
  const id = await account.post('balance_adjustments', adjustment('1999-01-01', hours(100)))
  await account.post('balance_adjustments', adjustment('2031-01-01', hours(-7)))
  expect(await account.balance()).toMatchObject({
    closed_weeks_delta_ms: hours(-36),
    adjustments_delta_ms: hours(93),
    balance_ms: hours(57),
    future_adjustments_delta_ms: hours(-7),
    open_delta_ms: hours(-80),
    projected_balance_ms: hours(-23),
    last_closed_week: '2026-W45',
    time_zone: 'Europe/Berlin',
  })
  await account.expectCorrect()
  await account.delete('balance_adjustments', id)
  expect(await account.balance()).toMatchObject({ adjustments_delta_ms: hours(-7), balance_ms: hours(-43) })
  await account.expectCorrect()
})

test('[D3.41] today is the date in the time zone in force; it decides what is future and open', async () => {
  await account.post('settings_history', settings('2026-11-20', { time_zone: 'Pacific/Kiritimati' }))
  await account.post('balance_adjustments', adjustment('2026-11-22', hours(1)))
  await account.post('balance_adjustments', adjustment('2026-11-23', hours(2)))
  service.clock.set('2026-11-21T09:59:59.999Z')
  expect(await account.balance()).toMatchObject({ future_adjustments_delta_ms: hours(3), open_delta_ms: hours(-8) })
  service.clock.set('2026-11-21T10:00:00.000Z')
  expect(await account.balance()).toMatchObject({
    future_adjustments_delta_ms: hours(2),
    open_delta_ms: hours(-8),
    as_of: '2026-11-21T10:00:00.000Z',
    time_zone: 'Pacific/Kiritimati',
  })
  // The 20th now lasts until the 21st begins in Pago Pago, at eleven.
  await account.post('settings_history', settings('2026-11-21', { time_zone: 'Pacific/Pago_Pago' }))
  expect(await account.balance()).toMatchObject({
    future_adjustments_delta_ms: hours(3),
    time_zone: 'Pacific/Kiritimati',
  })
  await account.expectCorrect()
  service.clock.set('2026-11-21T11:00:00.000Z')
  expect(await account.balance()).toMatchObject({
    future_adjustments_delta_ms: hours(3),
    time_zone: 'Pacific/Pago_Pago',
  })
  await account.expectCorrect()
})

test('[D3.41] an ended day counts as open; a closed day of an open week counts as it was closed', async () => {
  await account.post('settings_history', settings('2026-11-16'))
  await account.post('entries', work('2026-11-18T08:00Z', '2026-11-18T10:00Z'))
  await account.closeDay('2026-11-18')
  await account.post('entries', work('2026-11-20T08:00Z', null))
  expect((await account.balance()).open_delta_ms).toBe(hours(-38))
  await account.expectCorrect()
  service.clock.set('2026-11-23T22:59:59.999Z')
  expect((await account.balance()).open_delta_ms).toBe(hours(-38))
  service.clock.set('2026-11-23T23:00:00.000Z')
  expect((await account.balance()).open_delta_ms).toBe(hours(-46))
  await account.expectCorrect()
})

test('[D3.41] settings that begin in the future leave no open days', async () => {
  await account.post('settings_history', settings('2027-03-01', { time_zone: 'Asia/Tokyo' }))
  expect(await account.balance()).toMatchObject({ open_delta_ms: 0, last_closed_week: null, time_zone: 'Asia/Tokyo' })
})

/** Twelve years of open weeks, with closed ones among them: so that a summary takes some time. */
async function twelveYears(): Promise<void> {
  await account.post('settings_history', settings('2014-11-05'))
  await account.post('settings_history', settings('2019-05-15', { time_zone: 'America/New_York' }))
  const entries = dates('2014-11-01', '2026-11-20').flatMap((date, index) =>
    index % 9 === 0 ? [work(`${date}T20:00Z`, new Date(Date.parse(`${date}T20:00Z`) + hours(7)).toISOString())] : [],
  )
  await account.push([
    ...entries.map((content) => ({ kind: 'entries' as const, id: randomUUID(), content })),
    { kind: 'entries', id: randomUUID(), content: absence('sick', '2018-07-04') },
  ])
  for (const week of ['2014-W45', '2016-W10', '2016-W11', '2020-W53', '2023-W01']) await account.closeWeek(week)
}

test('[D3.41] open weeks of many years, with closed ones among them, add up', async () => {
  await twelveYears()
  await account.expectCorrect()
})

test('[D3.42] a summary has figures of one version while others write without a pause', async () => {
  await twelveYears()
  const content = work('2015-06-01T08:00Z', '2015-06-01T09:00Z')
  const id = await account.post('entries', content)
  const { open_delta_ms, projected_balance_ms } = await account.balance()

  let asking = true
  const writing = (async () => {
    // An hour moves over ten years and back: a summary with both or neither has mixed two versions.
    for (let late = true; asking; late = !late) {
      await account.put('entries', id, late ? work('2025-06-02T08:00Z', '2025-06-02T09:00Z') : content)
    }
  })()
  const answers = await Promise.all(Array.from({ length: 12 }, () => account.balance()))
  asking = false
  await writing
  for (const answer of answers) expect(answer).toMatchObject({ open_delta_ms, projected_balance_ms })
})
