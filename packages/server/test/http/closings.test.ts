import { composeDelta, decomposeDelta } from '@saldo/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { counterOf, create, etagOf, newId, resourceOf, timeOf } from './resources.ts'

const HOUR_MS = 3_600_000

let service: TestService
let call: TestService['call']
beforeAll(async () => {
  // A Saturday; in Berlin 13:00.
  service = await startTestService({ now: '2026-11-21T12:00:00.000Z' })
})
beforeEach(async () => {
  service.clock.set('2026-11-21T12:00:00.000Z')
  call = (await service.user()).call
})
afterAll(() => service.close())

const settings = resourceOf('settings_history')
const entries = resourceOf('entries')

/** Settings from Monday, 2 November on, eight hours a day, and four hours worked on Friday, 20 November. */
async function open() {
  const row = await create(call, settings, settings.content)
  const entry = await create(call, entries, entries.content)
  return { row, entry }
}

const close = (json: { week: string } | { date: string }) =>
  call('POST', 'week' in json ? '/api/closed-weeks' : '/api/closed-days', { json })

describe('closed weeks', () => {
  test('[D3] [D9] POST closes a week and its days: 201 with its place, then 200 with the same', async () => {
    await open()
    service.clock.set('2026-11-23T12:00:00.000Z')
    const counter = await counterOf(call)
    const { status, body, headers } = await close({ week: '2026-W47' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe('/api/closed-weeks/2026-W47')
    expect(headers.get('etag')).toBe(etagOf(body))
    expect(body).toMatchObject({
      week: '2026-W47',
      start_date: '2026-11-16',
      end_date: '2026-11-22',
      target_ms: 40 * HOUR_MS,
      worked_ms: 4 * HOUR_MS,
      delta_ms: -36 * HOUR_MS,
      closed_at: timeOf(service),
      closed_by: 'user',
      revision: 1,
      previous_delta_ms: null,
    })
    // Each day and the week have versions of their own.
    expect(await counterOf(call)).toBe(counter + 8)
    const again = await close({ week: '2026-W47' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(body)
    expect(again.headers.has('location')).toBe(false)
    expect(await counterOf(call)).toBe(counter + 8)

    expect((await call('GET', '/api/closed-weeks/2026-W47')).body).toEqual(body)
    const days = (await call('GET', '/api/closed-days?from=2026-11-16&to=2026-11-22')).body.items
    expect(days.map(({ date }: { date: string }) => date)).toEqual(
      [16, 17, 18, 19, 20, 21, 22].map((d) => `2026-11-${d}`),
    )
    const { changes } = (await call('GET', `/api/sync/pull?since=${counter}`)).body
    expect(changes).toEqual({ closed_days: days, closed_weeks: [body] })
  })

  test('[D3] what has not ended, or lies outside the account, is 409', async () => {
    await open()
    for (const week of ['2026-W47', '2026-W48', '2030-W01', '9999-W52', '2026-W44', '0001-W01']) {
      const { status, body } = await close({ week })
      expect(status, week).toBe(409)
      expect(body.code).toBe('conflict')
    }
    // To the millisecond, in the zone of the settings.
    service.clock.set('2026-11-22T22:59:59.999Z')
    expect((await close({ week: '2026-W47' })).status).toBe(409)
    service.clock.advance(1)
    expect((await close({ week: '2026-W47' })).status).toBe(201)
  })

  test('[D3] [D9] DELETE reopens a week and its days; what is not closed is 404', async () => {
    await open()
    expect((await call('DELETE', '/api/closed-weeks/2026-W46')).status).toBe(404)
    const closed = (await close({ week: '2026-W46' })).body
    service.clock.advance(1_000)
    const counter = await counterOf(call)
    expect((await call('DELETE', '/api/closed-weeks/2026-W46')).status).toBe(204)
    expect(await counterOf(call)).toBe(counter + 8)
    for (const path of ['/api/closed-weeks/2026-W46', '/api/closed-days/2026-11-09']) {
      const { status, headers } = await call('GET', path)
      expect(status).toBe(404)
      expect(headers.has('etag')).toBe(false)
    }
    expect((await call('DELETE', '/api/closed-weeks/2026-W46')).status).toBe(404)
    const { deleted, changes } = (await call('GET', `/api/sync/pull?since=${counter}`)).body
    expect(changes).toEqual({})
    expect(deleted.closed_days).toHaveLength(7)
    expect(deleted.closed_weeks.map(({ id }: { id: string }) => id)).toEqual([closed.id])

    const again = await close({ week: '2026-W46' })
    expect(again.status).toBe(201)
    expect(again.body).toMatchObject({ id: closed.id, revision: 2, previous_delta_ms: closed.delta_ms })
  })

  test('[D9] weeks are listed in order, by filters of weeks, in pages', async () => {
    await open()
    for (const week of ['2026-W46', '2026-W45']) await close({ week })
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

  test('[D3] a late edit changes a closed week, which says why, and its tag moves', async () => {
    const { entry } = await open()
    service.clock.set('2026-11-23T12:00:00.000Z')
    const before = await close({ week: '2026-W47' })
    const counter = await counterOf(call)
    service.clock.advance(1_000)
    const ended_at = '2026-11-20T14:00:00.000Z'
    await call('PUT', `/api/entries/${entry.id}`, { json: { ...entries.content, ended_at } })
    const { body } = await call('GET', '/api/closed-weeks/2026-W47')
    expect(body).toMatchObject({
      worked_ms: 6 * HOUR_MS,
      revision: 2,
      closed_by: 'recompute',
      previous_delta_ms: before.body.delta_ms,
      closed_at: before.body.closed_at,
    })
    expect(body.revisions.at(-1)).toMatchObject({
      revision: 2,
      cause: { kind: 'entries', id: entry.id, op: 'upsert', date: '2026-11-20' },
    })
    // The edit, the one day that it touched, and the week.
    expect(await counterOf(call)).toBe(counter + 3)
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' }
    expect((await call('GET', '/api/closed-weeks/2026-W47', { headers })).status).toBe(200)
  })
})

describe('closed days', () => {
  test('[D3] [D9] POST closes a day that has ended; DELETE reopens it', async () => {
    const { row } = await open()
    const { status, body, headers } = await close({ date: '2026-11-20' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe('/api/closed-days/2026-11-20')
    expect(body).toMatchObject({
      date: '2026-11-20',
      time_zone: 'Europe/Berlin',
      target_ms: 8 * HOUR_MS,
      worked_ms: 4 * HOUR_MS,
      delta_ms: -4 * HOUR_MS,
      settings_id: row.id,
      closed_by: 'user',
      revision: 1,
    })
    expect((await close({ date: '2026-11-20' })).status).toBe(200)
    for (const date of ['2026-11-21', '2026-11-22', '9999-12-31', '2026-11-01', '0001-01-01']) {
      expect((await close({ date })).status, date).toBe(409)
    }
    expect((await call('DELETE', '/api/closed-days/2026-11-20')).status).toBe(204)
    expect((await call('DELETE', '/api/closed-days/2026-11-20')).status).toBe(404)
    expect((await call('GET', '/api/closed-days/2026-11-20')).status).toBe(404)
    expect((await close({ date: '2026-11-20' })).body.revision).toBe(2)
  })

  test('[D3] a day of a closed week is reopened with its week: 409', async () => {
    await open()
    await close({ week: '2026-W46' })
    const counter = await counterOf(call)
    const { status, body } = await call('DELETE', '/api/closed-days/2026-11-11')
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await counterOf(call)).toBe(counter)
  })

  test('[D6] [D9] single closings have tags: 304 for what stands, 412 before a reopening by an old one', async () => {
    await open()
    const week = await close({ week: '2026-W46' })
    const day = await close({ date: '2026-11-20' })
    for (const [path, { headers }] of [
      ['/api/closed-weeks/2026-W46', week],
      ['/api/closed-days/2026-11-20', day],
    ] as const) {
      const etag = headers.get('etag') ?? ''
      expect((await call('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304)
      expect((await call('GET', path, { headers: { 'if-none-match': '"0"' } })).status).toBe(200)
      expect((await call('DELETE', path, { headers: { 'if-match': '"0"' } })).status).toBe(412)
      expect((await call('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(204)
      expect((await call('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(412)
    }
  })
})

test('[D1] dates and weeks that no calendar has are 400 with a pointer, in the body and in the path', async () => {
  await open()
  const counter = await counterOf(call)
  for (const week of [
    '2025-W53',
    '2026-W00',
    '2026-W54',
    '2026-47',
    '2026-W4',
    'W47',
    '',
    '10000-W01',
    '0000-W01',
    5,
    null,
  ]) {
    const { status, body } = await call('POST', '/api/closed-weeks', { json: { week } })
    expect(status, String(week)).toBe(400)
    expect(body.errors[0].pointer).toBe('/week')
    if (week === '') continue
    for (const method of ['GET', 'DELETE']) {
      const inPath = await call(method, `/api/closed-weeks/${week}`)
      expect([inPath.status, inPath.body.errors[0].pointer], String(week)).toEqual([400, '/week'])
    }
  }
  for (const date of ['2026-02-30', '2026-2-3', '20261120', '', '2026-W47', '0000-01-01', 20_261_120]) {
    const { status, body } = await call('POST', '/api/closed-days', { json: { date } })
    expect(status, String(date)).toBe(400)
    expect(body.errors[0].pointer).toBe('/date')
    if (date === '') continue
    expect((await call('DELETE', `/api/closed-days/${date}`)).status).toBe(400)
  }
  expect(await counterOf(call)).toBe(counter)
})

describe('the balance', () => {
  test('[R1.4] [R2.7] is the sum of the closed weeks and of the adjustments, with the open part beside it', async () => {
    expect((await call('GET', '/api/balance')).body).toEqual({
      closed_weeks_delta_ms: 0,
      adjustments_delta_ms: 0,
      balance_ms: 0,
      future_adjustments_delta_ms: 0,
      open_delta_ms: 0,
      projected_balance_ms: 0,
      last_closed_week: null,
      as_of: timeOf(service),
      time_zone: null,
      recomputing: [],
    })
    await open()
    const adjustments = resourceOf('balance_adjustments')
    await create(call, adjustments, adjustments.content)
    await create(call, adjustments, { ...adjustments.content, effective_date: '2026-11-21', delta_ms: 7 })
    await create(call, adjustments, { ...adjustments.content, effective_date: '2026-11-22', delta_ms: -2 * HOUR_MS })
    const gone = await create(call, adjustments, { ...adjustments.content, delta_ms: 1_000 })
    await call('DELETE', `${adjustments.path}/${gone.id}`)
    await close({ week: '2026-W45' })
    await close({ week: '2026-W46' })
    await close({ date: '2026-11-16' })
    // Open are Monday to Friday of this week: 40 h owed, 4 h worked; today is not finished.
    expect((await call('GET', '/api/balance')).body).toEqual({
      closed_weeks_delta_ms: -80 * HOUR_MS,
      adjustments_delta_ms: HOUR_MS + 7,
      balance_ms: -79 * HOUR_MS + 7,
      future_adjustments_delta_ms: -2 * HOUR_MS,
      open_delta_ms: -36 * HOUR_MS,
      projected_balance_ms: -115 * HOUR_MS + 7,
      last_closed_week: '2026-W46',
      as_of: timeOf(service),
      time_zone: 'Europe/Berlin',
      recomputing: [],
    })
  })
})

test('[R2.8] the deltas of a balance go through the helpers and come back exactly', async () => {
  const adjustments = resourceOf('balance_adjustments')
  const delta_ms = composeDelta({ sign: -1, hours: 0, minutes: 30, seconds: 0, ms: 1 })
  await create(call, adjustments, { ...adjustments.content, delta_ms })
  const { balance_ms } = (await call('GET', '/api/balance')).body
  expect(decomposeDelta(balance_ms)).toEqual({ sign: -1, hours: 0, minutes: 30, seconds: 0, ms: 1 })
  expect(balance_ms).toBe(delta_ms)
})

describe('the days of the account', () => {
  const daysOf = async (from: string, to: string) =>
    (await call('GET', `/api/account/days?from=${from}&to=${to}`)).body.items

  test('[D3] each has its figures, whether it is closed, open or outside, and whether it has ended', async () => {
    const { row } = await open()
    await close({ date: '2026-11-20' })
    const [day, today] = await daysOf('2026-11-20', '2026-11-21')
    expect(day).toEqual({
      date: '2026-11-20',
      state: 'closed',
      ended: true,
      time_zone: 'Europe/Berlin',
      target_ms: 8 * HOUR_MS,
      worked_ms: 4 * HOUR_MS,
      break_ms: 0,
      deducted_break_ms: 0,
      credited_ms: 0,
      delta_ms: -4 * HOUR_MS,
      settings_id: row.id,
      warnings: [],
    })
    expect(today).toMatchObject({ date: '2026-11-21', state: 'open', ended: false, target_ms: 0, settings_id: row.id })
    const [before, first] = await daysOf('2026-11-01', '2026-11-02')
    expect(before).toMatchObject({ state: 'outside', ended: true, target_ms: 0, delta_ms: 0, settings_id: null })
    expect(first).toMatchObject({ state: 'open', ended: true, delta_ms: -8 * HOUR_MS })
  })

  test('[D2] what is odd is shown as a warning', async () => {
    await create(call, settings, settings.content)
    const make = async (content: object) => (await create(call, entries, content as typeof entries.content)).id
    const overlapping = [
      await make({ kind: 'work', started_at: '2026-11-10T08:00:00Z', ended_at: '2026-11-10T10:00:00Z' }),
      await make({ kind: 'work', started_at: '2026-11-10T09:00:00Z', ended_at: '2026-11-10T11:00:00Z' }),
    ]
    const long = await make({ kind: 'work', started_at: '2026-11-11T08:00:00Z', ended_at: '2026-11-12T10:00:00Z' })
    const running = [
      await make({ kind: 'work', started_at: '2026-11-13T08:00:00Z' }),
      await make({ kind: 'break', started_at: '2026-11-13T09:00:00Z' }),
    ]
    const absent = [
      await make({ kind: 'vacation', date: '2026-11-14', day_share: 0.75 }),
      await make({ kind: 'sick', date: '2026-11-14', day_share: 0.5 }),
    ]
    const byDate = Object.fromEntries(
      (await daysOf('2026-11-09', '2026-11-14')).map(({ date, warnings }: { date: string; warnings: object }) => [
        date,
        warnings,
      ]),
    )
    expect(byDate).toEqual({
      '2026-11-09': [],
      '2026-11-10': [{ code: 'overlapping_work', entry_ids: overlapping.sort() }],
      '2026-11-11': [{ code: 'long_entry', entry_ids: [long] }],
      '2026-11-12': [{ code: 'long_entry', entry_ids: [long] }],
      '2026-11-13': [
        { code: 'still_running', entry_ids: running.sort() },
        { code: 'several_running', entry_ids: running },
      ],
      '2026-11-14': [{ code: 'absence_beyond_day', entry_ids: absent.sort() }],
    })
  })

  test('[D1] a range is of 1 to 400 days, anything else is 400 with a pointer', async () => {
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
})

test('[R1.1] all five kinds of record are under /api', async () => {
  await open()
  await create(call, resourceOf('balance_adjustments'), resourceOf('balance_adjustments').content)
  await close({ week: '2026-W46' })
  for (const path of [
    '/api/entries',
    '/api/closed-days',
    '/api/closed-weeks',
    '/api/balance/adjustments',
    '/api/settings',
  ]) {
    expect((await call('GET', path)).body.items.length, path).toBeGreaterThan(0)
  }
  const { changes } = (await call('GET', '/api/sync/pull')).body
  const kinds = ['balance_adjustments', 'closed_days', 'closed_weeks', 'entries', 'settings_history']
  expect(Object.keys(changes).sort()).toEqual(kinds)
})

test('[R1.3] closings cannot be written by clients: no PUT, no body but what names them', async () => {
  await open()
  for (const path of ['/api/closed-weeks/2026-W46', '/api/closed-days/2026-11-20', `/api/closed-days/${newId()}`]) {
    expect((await call('PUT', path, { json: { delta_ms: 0 } })).status).toBe(405)
  }
  const { body } = await call('POST', '/api/closed-weeks', {
    json: { week: '2026-W46', delta_ms: 99, closed_by: 'auto' },
  })
  expect(body).toMatchObject({ delta_ms: -40 * HOUR_MS, closed_by: 'user' })
})
