import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { create, resourceOf } from './resources.ts'

const settings = resourceOf('settings_history')

const service = await serviceOfFile({ now: '2026-11-21T12:00:00.000Z' })

test('[D9.3] closed weeks are listed in order, filtered by weeks, in pages', async () => {
  const { call } = await service.user()
  await create(call, settings, settings.content)
  for (const week of ['2026-W46', '2026-W45']) await call('POST', '/api/closed-weeks', { json: { week } })
  const weeksOf = async (query: string) => {
    const { items, next_cursor } = (await call('GET', `/api/closed-weeks?${query}`)).body
    return [items.map(({ week }: { week: string }) => week), next_cursor]
  }
  expect(await weeksOf('')).toEqual([['2026-W45', '2026-W46'], null])
  expect(await weeksOf('from=2026-W46')).toEqual([['2026-W46'], null])
  expect(await weeksOf('to=2026-W45')).toEqual([['2026-W45'], null])
  expect(await weeksOf('from=2026-W47&to=9999-W52')).toEqual([[], null])
  const [first, cursor] = await weeksOf('limit=1')
  expect(first).toEqual(['2026-W45'])
  expect(await weeksOf(`limit=1&cursor=${cursor}`)).toEqual([['2026-W46'], null])
})

test('[D3.43] days of the account are answered for 1 to 400 days; any other range is 400 with a pointer', async () => {
  const { call } = await service.user()
  const daysOf = async (from: string, to: string) =>
    (await call('GET', `/api/account/days?from=${from}&to=${to}`)).body.items
  for (const [query, pointer] of [
    ['', '/from'],
    ['from=2026-11-01', '/to'],
    ['from=2026-11-02&to=2026-11-01', '/to'],
    ['from=2026-01-01&to=2027-02-05', '/to'],
    ['from=2026-02-30&to=2026-03-01', '/from'],
    ['from=2026-11-01&to=now', '/to'],
  ]) {
    const { status, body } = await call('GET', `/api/account/days?${query}`)
    expect(status, query).toBe(400)
    expect(body.errors[0].pointer, query).toBe(pointer)
  }
  expect(await daysOf('2026-01-01', '2027-02-04')).toHaveLength(400)
  expect(await daysOf('0001-01-01', '0001-01-01')).toHaveLength(1)
  expect(await daysOf('9999-12-31', '9999-12-31')).toHaveLength(1)
})
