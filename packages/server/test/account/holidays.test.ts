import { HOUR_MS, holidayId, type LocalDate } from '@saldo/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { settings } from './samples.ts'
import { TestAccount } from './test-account.ts'

let service: TestService
let account: TestAccount
beforeEach(async () => {
  service = await startTestService()
  account = await TestAccount.open(service)
})
afterEach(() => service.close())

const place = (state: string | null, partial = {}) => ({ country: 'DE', state, region: null, partial })
/** The Epiphany, a holiday of Bavaria and not of Berlin. */
const EPIPHANY = '2026-01-06'
/** Women's Day, a holiday of Berlin and not of Bavaria. */
const WOMENS_DAY = '2026-03-08'

/** Returns the public holidays once the due jobs have run, by date. */
async function holidays(from = '2020-01-01', to = '2035-12-31'): Promise<Map<string, Record<string, unknown>>> {
  await service.service.runDueJobs()
  const entries = await account.list('/api/entries', `&from=${from}&to=${to}`)
  const found = entries.filter(({ kind }) => kind === 'public_holiday')
  const byDate = new Map(found.map((entry) => [entry.date as string, entry]))
  expect(byDate.size, 'one holiday for each date').toBe(found.length)
  return byDate
}

const addRow = (from: string, rule: object | null, more: object = {}) =>
  account.post('settings_history', settings(from, { holidays: rule, ...more }))

test('[D16.2] [D16.4] settings with a rule get the holidays through the end of next year', async () => {
  await addRow('2025-12-01', place('BY'))
  const found = await holidays()
  expect([...found.keys()].map((date) => date.slice(0, 4))).toEqual([
    ...Array(2).fill('2025'),
    ...Array(12).fill('2026'),
    ...Array(12).fill('2027'),
  ])
  expect(found.get(EPIPHANY)).toMatchObject({
    id: holidayId(account.user, EPIPHANY),
    note: 'Heilige Drei Könige',
    source: 'holidays',
    import_ref: 'DE-BY 2026-01-06',
    updated_at: '1970-01-01T00:00:00.000Z',
    day_share: 1,
    amount_ms: null,
  })
})

test('[D16.3] each month looks again from today on, so that a new year comes in', async () => {
  await addRow('2026-11-01', place('BY'))
  await holidays()
  const before = await account.version()
  service.clock.set('2026-12-01T00:00:00.000Z')
  expect((await holidays()).has('2028-01-06')).toBe(false)
  expect(await account.version()).toBe(before)
  service.clock.set('2027-01-01T12:00:00.000Z')
  const found = await holidays()
  expect(found.has('2028-01-06')).toBe(true)
  expect(found.has('2029-01-06')).toBe(false)
  // After years in which the service did not run, the first day that is looked at is today.
  service.clock.set('2030-05-01T12:00:00.000Z')
  const later = [...(await holidays('2030-01-01', '2030-12-31')).keys()].sort()
  expect(later[0]).toBe('2030-05-01')
})

test('[D16.5] [D16.11] settings of the same rule write no holiday again', async () => {
  const id = await addRow('2026-01-01', place('BY'))
  await holidays()
  await account.put('settings_history', id, settings('2026-01-01', { holidays: place('BY'), note: 'x' }))
  await addRow('2026-05-01', place('BY'), { target_ms: [7, 7, 7, 7, 0, 0, 0].map((hours) => hours * HOUR_MS) })
  const before = await account.version()
  await holidays()
  expect(await account.version()).toBe(before)
})

test('[D16.6] edited and deleted holidays stay so, over a move, a return and a new year', async () => {
  const row = await addRow('2026-01-01', place('BY'))
  const found = await holidays()
  const idOf = (date: LocalDate) => found.get(date)?.id as string
  const half = { kind: 'public_holiday', date: '2026-05-01', day_share: 0.5, note: 'mine' }
  await account.call('PUT', `/api/entries/${idOf('2026-05-01')}`, { json: half })
  await account.call('DELETE', `/api/entries/${idOf('2026-10-03')}`)
  await account.call('DELETE', `/api/entries/${idOf('2027-10-03')}`)
  const moved = { kind: 'vacation', date: '2026-11-03', day_share: 1 }
  await account.call('PUT', `/api/entries/${idOf('2026-11-01')}`, { json: moved })
  for (const state of ['BE', null, 'BY']) {
    const rule = state === null ? null : place(state)
    await account.put('settings_history', row, settings('2026-01-01', { holidays: rule }))
    await holidays()
  }
  service.clock.set('2027-02-01T12:00:00.000Z')
  const after = await holidays()
  expect(after.get('2026-05-01')).toMatchObject({ day_share: 0.5, note: 'mine' })
  expect(['2026-10-03', '2027-10-03', '2026-11-01'].filter((date) => after.has(date))).toEqual([])
  expect(after.has(EPIPHANY)).toBe(true)
  expect((await account.call('GET', `/api/entries/${idOf('2026-11-01')}`)).body).toMatchObject(moved)
})

test('[D16.6] a change that a device made offline, before the service removed the holiday, wins', async () => {
  const row = await addRow('2026-01-01', place('BY'))
  const id = (await holidays()).get(EPIPHANY)?.id as string
  await account.put('settings_history', row, settings('2026-01-01', { holidays: place('BE') }))
  expect((await holidays()).has(EPIPHANY)).toBe(false)
  const record = { id, updated_at: '2026-11-20T08:00:00.000Z', kind: 'public_holiday', date: EPIPHANY, note: 'offline' }
  const changes = [{ kind: 'entries', op: 'upsert', record }]
  const { body } = await account.call('POST', '/api/sync/push', { json: { changes } })
  expect(body.results[0].status).toBe('applied')
  expect((await holidays()).get(EPIPHANY)).toMatchObject({ note: 'offline' })
})

test('[D16.8] none is generated beside a holiday of a person, whichever came first', async () => {
  const own = { kind: 'public_holiday', note: 'mine' }
  const first = await account.post('entries', { ...own, date: EPIPHANY })
  await addRow('2026-01-01', place('BY'))
  expect((await holidays()).get(EPIPHANY)).toMatchObject({ note: 'mine' })
  const second = await account.post('entries', { ...own, date: '2027-05-01' })
  expect((await holidays()).get('2027-05-01')).toMatchObject({ note: 'mine' })
  await account.delete('entries', first)
  await account.put('entries', second, { ...own, date: '2027-05-02' })
  const after = await holidays()
  expect(after.get(EPIPHANY)).toMatchObject({ source: 'holidays' })
  expect(after.get('2027-05-01')).toMatchObject({ source: 'holidays' })
  expect(after.get('2027-05-02')).toMatchObject({ note: 'mine' })
})

test('[D16.10] a move removes the holidays of the state that was left, from its date on', async () => {
  await addRow('2025-12-01', place('BY'))
  const vacation = await account.post('entries', { kind: 'vacation', date: '2027-01-06' })
  await holidays()
  const move = await addRow('2026-12-01', place('BE'))
  const after = await holidays()
  expect([EPIPHANY, WOMENS_DAY, '2027-01-06', '2027-03-08'].map((date) => after.has(date))).toEqual([
    true,
    false,
    false,
    true,
  ])
  await account.delete('settings_history', move)
  expect((await holidays()).has('2027-01-06')).toBe(true)
  const rows = await account.list('/api/settings')
  await account.put('settings_history', rows[0]?.id as string, settings('2025-12-01'))
  expect((await holidays()).size).toBe(0)
  expect((await account.call('GET', `/api/entries/${vacation}`)).status).toBe(200)
})

test('[D16.10] [D2.16] a row that hides another of its date removes the holidays of the hidden rule', async () => {
  const row = (state: string) => settings('2026-01-01', { holidays: place(state) })
  await account.post('settings_history', row('BY'), '00000000-0000-4000-8000-000000000000')
  expect((await holidays()).has(EPIPHANY)).toBe(true)
  const hiding = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
  await account.apply({ kind: 'settings_history', id: hiding, content: row('BE') }, 'push')
  const found = await holidays()
  expect([found.has(EPIPHANY), found.has(WOMENS_DAY)]).toEqual([false, true])
  // The hidden row is in force again.
  await account.delete('settings_history', hiding)
  const back = await holidays()
  expect([back.has(EPIPHANY), back.has(WOMENS_DAY)]).toEqual([true, false])
})

test('[D16.11] changes that wait together count from the rule before the first', async () => {
  const row = await addRow('2026-01-01', place('BY'))
  await holidays()
  const before = await account.version()
  for (const state of ['BE', 'BY']) {
    await account.put('settings_history', row, settings('2026-01-01', { holidays: place(state) }))
  }
  await holidays()
  expect(await account.version()).toBe(before + 2)
  for (const state of ['BE', 'HH']) {
    await account.put('settings_history', row, settings('2026-01-01', { holidays: place(state) }))
  }
  expect((await holidays()).has(EPIPHANY)).toBe(false)
})

test('[D16.12] a closed day is recomputed, and its week names the holiday as the cause', async () => {
  const row = await addRow('2025-12-01', null)
  await account.closeWeek('2026-W02')
  await account.put('settings_history', row, settings('2025-12-01', { holidays: place('BY') }))
  const id = (await holidays()).get(EPIPHANY)?.id
  const week = await account.week('2026-W02')
  expect(week).toMatchObject({ target_ms: 32 * HOUR_MS, delta_ms: -32 * HOUR_MS, previous_delta_ms: -40 * HOUR_MS })
  expect(week.revisions.at(-1).causes).toEqual([
    { kind: 'entries', entry_type: 'public_holiday', op: 'create', count: 1, id, from: EPIPHANY, to: EPIPHANY },
  ])
  await account.put('settings_history', row, settings('2025-12-01', { holidays: place('BE') }))
  await holidays()
  expect(await account.week('2026-W02')).toMatchObject({ revision: 3, delta_ms: -40 * HOUR_MS })
})

test('[D16.2] auto-close waits for the holidays of the same change', async () => {
  const auto_close = { day_after_ms: 0, week_after_days: 0 }
  await addRow('2025-12-29', place('BY'), { auto_close })
  await service.service.runDueJobs()
  expect(await account.week('2026-W02')).toMatchObject({ revision: 1, delta_ms: -32 * HOUR_MS })
})

heavyTest('[D16.2] an account since 1900 gets the holidays of all its years', async () => {
  await addRow('1900-01-01', place(null, { '12-24': 0.5 }))
  const found = await holidays('1900-01-01', '2027-12-31')
  expect([...found.keys()].filter((date) => date.endsWith('-12-24'))).toHaveLength(128)
})
