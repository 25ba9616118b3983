import { beforeEach, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { absence, settings, work } from './samples.ts'
import { TestAccount } from './test-account.ts'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-11-20T12:00:00.000Z')
  account = await TestAccount.open(service)
})

const vacationOf = async (year: string) => {
  const { status, body } = await account.call('GET', `/api/account/vacation?year=${year}`)
  return { status, ...(body as { vacation: unknown }) }
}

test('[D17.8] without a rule and without grants, the vacation account of a year is null', async () => {
  await account.post('settings_history', settings('2026-01-01'))
  await account.post('entries', absence('vacation', '2026-03-02'))
  expect(await vacationOf('2026')).toMatchObject({ status: 200, vacation: null })
})

test('[D17.8] [D2.36] the vacation account of a year counts rules, grants and vacation', async () => {
  const vacation = { days_per_year: 24, carry_over_until: '03-31' }
  const row = await account.post('settings_history', { ...settings('2025-07-01'), vacation })
  const taken = await account.post('entries', absence('vacation', '2026-03-02'))
  const half = await account.post('entries', { ...absence('vacation', '2026-12-01'), day_share: 0.5 })
  const granted = await account.post('entries', { kind: 'vacation_grant', date: '2026-02-01', days: -1.25 })
  await account.post('entries', work('2026-03-02T08:00Z', '2026-03-02T12:00Z'))
  expect(row).toBeDefined()
  expect((await vacationOf('2026')).vacation).toEqual({
    year: 2026,
    carried: 12,
    entitled: 24,
    granted: -1.25,
    taken: 1,
    planned: 0.5,
    expired: 11,
    left: 22.25,
    expiring: null,
    lines: [
      { kind: 'carried', date: '2026-01-01', days: 12, entry_ids: [] },
      { kind: 'entitled', date: '2026-01-01', days: 24, entry_ids: [] },
      { kind: 'granted', date: '2026-02-01', days: -1.25, entry_ids: [granted] },
      { kind: 'taken', date: '2026-03-02', days: -1, entry_ids: [taken] },
      { kind: 'expired', date: '2026-03-31', days: -11, entry_ids: [] },
      { kind: 'planned', date: '2026-12-01', days: -0.5, entry_ids: [half] },
    ],
  })
})

test('[D17.1] the month in which somebody leaves counts nothing, and the whole months before it do', async () => {
  const vacation = { days_per_year: 30, carry_over_until: null }
  await account.post('settings_history', { ...settings('2025-01-01'), vacation })
  await account.post('settings_history', { ...settings('2025-09-15'), vacation: null })
  expect((await vacationOf('2025')).vacation).toMatchObject({ entitled: 20, left: 20 })
})

test('[D17.7] a settings row that another of its date hides makes no vacation account', async () => {
  const vacation = { days_per_year: 30, carry_over_until: null }
  const [hidden, shown] = ['10000000-0000-4000-8000-000000000000', '20000000-0000-4000-8000-000000000000'] as const
  await account.post('settings_history', { ...settings('2025-01-01'), vacation }, hidden)
  expect((await vacationOf('2025')).vacation).toMatchObject({ entitled: 30 })
  await account.post('settings_history', { ...settings('2025-01-01'), vacation: null }, shown)
  expect(await vacationOf('2025')).toMatchObject({ status: 200, vacation: null })
  await account.delete('settings_history', shown)
  expect((await vacationOf('2025')).vacation).toMatchObject({ entitled: 30 })
})

test('[D17.2] a grant of vacation days changes no figure of the account', async () => {
  await account.post('settings_history', settings('2026-11-16'))
  const { as_of: _before, ...before } = await account.balance()
  await account.post('entries', { kind: 'vacation_grant', date: '2026-11-17', days: 3 })
  expect(await account.balance()).toMatchObject(before)
})

test.each(['', '?year=', '?year=26', '?year=0000', '?year=2026.5', '?year=2026&year=2027'])(
  '[D17.8] a vacation account needs one year: %s',
  async (query) => {
    expect((await account.call('GET', `/api/account/vacation${query}`)).status).toBe(400)
  },
)
