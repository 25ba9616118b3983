import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { ModelClient } from './model-client.ts'
import { absence, hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

/** Two closed weeks: Monday 2 to Sunday 15 November 2026. Today is Saturday, the 21st. */
const [W45, W46, W47] = ['2026-W45', '2026-W46', '2026-W47']

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  service.clock.set('2026-11-21T12:00:00.000Z')
  account = await TestAccount.open(service)
  await account.post('settings_history', settings('2026-01-01'))
})

const entry = (content: object | null, id: string = randomUUID()): SentChange => ({ kind: 'entries', id, content })

describe.each(['rest', 'push'] as const)('a change by %s', (way) => {
  test('[D3.27] that moves an entry to another closed week recomputes the days and weeks of both', async () => {
    const id = await account.post('entries', work('2026-11-03T08:00Z', '2026-11-03T11:00Z'))
    await account.closeWeek(W45)
    await account.closeWeek(W46)
    const untouched = await Promise.all(
      ['2026-11-02', '2026-11-04', '2026-11-11', '2026-11-13'].map((d) => account.day(d)),
    )
    const closed = await account.week(W45)
    service.clock.advance(hours(1))
    const version = await account.version()

    await account.apply(entry(work('2026-11-12T08:00Z', '2026-11-12T10:00Z'), id), way)

    const { closed_at } = closed
    const moved = { kind: 'entries', entry_type: 'timed', op: 'update', count: 1, id }
    expect(await account.day('2026-11-03')).toMatchObject({
      ...{ worked_ms: 0, delta_ms: hours(-8), revision: 2, closed_by: 'recompute', closed_at },
    })
    expect(await account.day('2026-11-12')).toMatchObject({ worked_ms: hours(2), delta_ms: hours(-6), revision: 2 })
    const at = new Date(service.clock.now()).toISOString()
    expect(await account.week(W45)).toMatchObject({
      delta_ms: hours(-40),
      previous_delta_ms: hours(-37),
      revision: 2,
      closed_by: 'recompute',
      closed_at,
      updated_at: at,
      revisions: [
        { revision: 1, at: closed_at, delta_ms: hours(-37), causes: [{ kind: 'closed_weeks', op: 'close' }] },
        {
          revision: 2,
          at,
          delta_ms: hours(-40),
          causes: [{ ...moved, from: '2026-11-03', to: '2026-11-03' }],
        },
      ],
    })
    const causes = [{ ...moved, from: '2026-11-12', to: '2026-11-12' }]
    expect((await account.week(W46)).revisions.at(-1)).toMatchObject({ delta_ms: hours(-38), causes })
    for (const day of untouched) expect(await account.day(day.date)).toEqual(day)
    // The entry, two days and two weeks are written once each.
    expect(await account.version()).toBe(version + 5)
    await account.expectCorrect()
  })

  test('[D3.27] that moves an entry between an open and a closed day recomputes the closed one', async () => {
    const id = await account.post('entries', work('2026-11-17T08:00Z', '2026-11-17T12:00Z'))
    await account.closeWeek(W46)
    await account.apply(entry(work('2026-11-10T08:00Z', '2026-11-10T12:00Z'), id), way)
    expect(await account.day('2026-11-10')).toMatchObject({ worked_ms: hours(4), revision: 2 })
    await account.apply(entry(work('2026-11-17T08:00Z', '2026-11-17T12:00Z'), id), way)
    expect(await account.day('2026-11-10')).toMatchObject({ worked_ms: 0, revision: 3 })
    await account.expectCorrect()
  })

  test('[D3.63] of nothing but whether work counts recomputes its closed days and their week', async () => {
    const times = ['2026-11-10T20:00Z', '2026-11-11T04:00Z'] as const
    const id = await account.post('entries', work(...times))
    await account.closeWeek(W46)
    await account.apply(entry(work(...times, { counts: false }), id), way)
    expect(await account.day('2026-11-10')).toMatchObject({ worked_ms: 0, revision: 2 })
    expect(await account.day('2026-11-11')).toMatchObject({ worked_ms: 0, revision: 2 })
    expect(await account.week(W46)).toMatchObject({ delta_ms: hours(-40), previous_delta_ms: hours(-32), revision: 2 })
    await account.expectCorrect()
    const version = await account.version()
    await account.apply(entry(work(...times, { counts: false, note: 'on call' }), id), way)
    expect(await account.version()).toBe(version + 1)
    await account.apply(entry(work(...times), id), way)
    expect(await account.week(W46)).toMatchObject({ delta_ms: hours(-32), revision: 3 })
    await account.expectCorrect()
  })

  test('[D3.27] that deletes or revives an entry recomputes its day', async () => {
    const content = work('2026-11-10T08:00Z', '2026-11-10T12:00Z')
    const id = await account.post('entries', content)
    await account.closeWeek(W46)
    await account.apply(entry(null, id), way)
    const lastCauses = async () => (await account.week(W46)).revisions.at(-1).causes
    expect(await lastCauses()).toMatchObject([{ kind: 'entries', id, op: 'delete', from: '2026-11-10' }])
    expect(await account.week(W46)).toMatchObject({ delta_ms: hours(-40), previous_delta_ms: hours(-36) })

    await account.push([entry(content, id)])
    expect(await lastCauses()).toMatchObject([{ kind: 'entries', id, op: 'restore', from: '2026-11-10' }])
    expect(await account.week(W46)).toMatchObject({ delta_ms: hours(-36), previous_delta_ms: hours(-40), revision: 3 })
    await account.expectCorrect()
  })

  test('[D3.27] of an entry across midnight recomputes both closed weeks', async () => {
    service.clock.set('2026-03-31T12:00:00.000Z')
    await account.closeWeek('2026-W11')
    await account.closeWeek('2026-W12')
    const change = entry(work('2026-03-15T22:00+01:00', '2026-03-16T02:00+01:00'))
    await account.apply(change, way)
    expect(await account.week('2026-W11')).toMatchObject({ worked_ms: hours(2), revision: 2 })
    expect(await account.week('2026-W12')).toMatchObject({ worked_ms: hours(2), revision: 2 })
    await account.apply({ ...change, content: work('2026-03-15T22:00+01:00', '2026-03-16T00:00+01:00') }, way)
    expect(await account.week('2026-W12')).toMatchObject({ worked_ms: 0, revision: 3 })
    expect((await account.week('2026-W11')).revision).toBe(2)
    await account.expectCorrect()
  })

  test.each([
    ['2026-03-28T22:00+01:00', '2026-03-29T06:00+02:00', 2, 5],
    ['2026-10-24T22:00+02:00', '2026-10-25T06:00+01:00', 2, 7],
  ])(
    '[D3.3] counts the hours that there were in the night of the clock change: %s to %s',
    async (from, to, first, second) => {
      const week = Temporal.PlainDate.from(from.slice(0, 10))
      await account.closeWeek(`2026-W${week.weekOfYear}`)
      await account.apply(entry(work(from, to)), way)
      expect(await account.day(from.slice(0, 10))).toMatchObject({ worked_ms: hours(first) })
      expect(await account.day(to.slice(0, 10))).toMatchObject({ worked_ms: hours(second) })
      await account.expectCorrect()
    },
  )

  test('[D3.27] that turns work into an absence of another date recomputes both dates', async () => {
    const id = await account.post('entries', work('2026-11-03T08:00Z', '2026-11-03T11:00Z'))
    await account.closeWeek(W45)
    await account.closeWeek(W46)
    await account.apply(entry(absence('sick', '2026-11-11'), id), way)
    expect(await account.day('2026-11-03')).toMatchObject({ worked_ms: 0, credited_ms: 0, revision: 2 })
    expect(await account.day('2026-11-11')).toMatchObject({ credited_ms: hours(8), delta_ms: 0, revision: 2 })
    await account.apply(entry(absence('vacation', '2026-11-05', 0.5), id), way)
    expect(await account.day('2026-11-05')).toMatchObject({ target_ms: hours(4), credited_ms: 0, revision: 2 })
    await account.apply(entry(work('2026-11-11T08:00Z', '2026-11-11T11:00Z'), id), way)
    await account.expectCorrect()
  })

  test('[D3.2] that stops a running entry of closed days, or lets it run again, recomputes them', async () => {
    const id = await account.post('entries', work('2026-11-07T20:00Z', null))
    await account.closeWeek(W45)
    await account.closeWeek(W46)
    expect(await account.week(W45)).toMatchObject({ worked_ms: 0 })
    await account.apply(entry(work('2026-11-07T20:00Z', '2026-11-09T05:00Z'), id), way)
    expect(await account.week(W45)).toMatchObject({ worked_ms: hours(27), revision: 2 })
    expect(await account.week(W46)).toMatchObject({ worked_ms: hours(6), revision: 2 })
    await account.apply(entry(work('2026-11-07T20:00Z', null), id), way)
    expect(await account.week(W46)).toMatchObject({ worked_ms: 0, revision: 3 })
    await account.expectCorrect()
  })

  test('[D3.30] that changes no figure writes only the entry', async () => {
    const id = await account.post('entries', work('2026-11-03T08:00Z', '2026-11-03T11:00Z'))
    await account.closeWeek(W45)
    const version = await account.version()
    await account.apply(
      entry(work('2026-11-03T08:00Z', '2026-11-03T11:00Z', { note: 'planning', tags: ['a'] }), id),
      way,
    )
    await account.apply(entry(work('2026-11-03T09:00Z', '2026-11-03T12:00Z'), id), way)
    await account.apply(entry(work('2026-11-03T10:00Z', '2026-11-03T11:30Z')), way)
    await account.apply(entry(absence('time_off_in_lieu', '2026-11-03')), way)
    await account.apply(entry(work('2026-11-03T10:00Z', '2026-11-03T10:00Z')), way)
    await account.apply(entry(absence('sick', '2026-11-07')), way)
    expect(await account.version()).toBe(version + 6)
    await account.expectCorrect()
  })

  test('[D3.30] that moves work within a week writes the days and not the week', async () => {
    const id = await account.post('entries', work('2026-11-03T08:00Z', '2026-11-03T11:00Z'))
    await account.closeWeek(W45)
    const [week, version] = [await account.week(W45), await account.version()]
    await account.apply(entry(work('2026-11-04T08:00Z', '2026-11-04T11:00Z'), id), way)
    expect(await account.version()).toBe(version + 3)
    expect(await account.week(W45)).toEqual(week)
    await account.expectCorrect()
  })
})

test('[D3.29] a push of many changes of one day recomputes day and week once, after the last', async () => {
  const id = await account.post('entries', work('2026-11-10T06:00Z', '2026-11-10T06:30Z'))
  await account.closeWeek(W46)
  const version = await account.version()
  const adjustment = { effective_date: '2026-11-10', delta_ms: hours(1), kind: 'other', reason: 'x' }
  const many = Array.from({ length: 40 }, (_, minute) => {
    const two = (number: number) => String(number).padStart(2, '0')
    return entry(
      work(
        `2026-11-10T${two(8 + (minute % 8))}:${two(minute)}Z`,
        `2026-11-10T${two(9 + (minute % 8))}:${two(minute)}Z`,
      ),
    )
  })
  await account.push([
    ...many,
    entry(null, many[3]?.id),
    entry(work('2026-11-10T20:00Z', '2026-11-10T21:00Z'), id),
    { kind: 'balance_adjustments', id: randomUUID(), content: adjustment },
    entry(null, id),
  ])
  expect(await account.version()).toBe(version + many.length + 4 + 2)
  expect(await account.day('2026-11-10')).toMatchObject({ revision: 2 })
  // One was recorded and deleted in the same push.
  const causes = [
    { op: 'create', count: many.length - 1 },
    { op: 'delete', count: 1, id },
  ]
  expect(await account.week(W46)).toMatchObject({ revision: 2, revisions: [{ revision: 1 }, { revision: 2, causes }] })
  await account.expectCorrect()
})

test('[D3.30] a push whose changes cancel each other recomputes nothing', async () => {
  const content = work('2026-11-10T06:00Z', '2026-11-10T06:30Z')
  const id = await account.post('entries', content)
  await account.closeWeek(W46)
  const version = await account.version()
  await account.push([entry(null, id), entry(work('2026-11-12T06:00Z', '2026-11-12T07:00Z'), id), entry(content, id)])
  expect(await account.version()).toBe(version + 3)
  await account.expectCorrect()
})

test('[R3.8] [D3.30] superseded and rejected changes recompute nothing', async () => {
  const id = await account.post('entries', work('2026-11-10T06:00Z', '2026-11-10T06:30Z'))
  await account.closeWeek(W46)
  const version = await account.version()
  const record = { id, updated_at: '2026-11-01T00:00:00.000Z', ...work('2026-11-10T06:00Z', '2026-11-10T16:30Z') }
  const changes = [
    { kind: 'entries', op: 'upsert', record },
    { kind: 'entries', op: 'upsert', record: { ...record, id: randomUUID(), ended_at: '2026-11-09T00:00:00.000Z' } },
    { kind: 'entries', op: 'delete', id, updated_at: record.updated_at },
    {
      kind: 'closed_days',
      op: 'delete',
      id: (await account.day('2026-11-10')).id,
      updated_at: '2026-11-22T00:00:00.000Z',
    },
  ]
  const { body } = await account.call('POST', '/api/sync/push', { json: { changes } })
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual([
    'superseded',
    'rejected',
    'superseded',
    'skipped',
  ])
  expect(await account.version()).toBe(version)
  await account.expectCorrect()
})

test('[R3.3] [D4.7] pull delivers a late edit with the closings that it changed, in version order', async () => {
  await account.closeWeek(W46)
  const since = await account.version()
  const id = await account.post('entries', work('2026-11-10T08:00Z', '2026-11-10T12:00Z'))
  const { body } = await account.call('GET', `/api/sync/pull?since=${since}`)
  expect(body.changes).toEqual({
    entries: [expect.objectContaining({ id, version: since + 1 })],
    closed_days: [expect.objectContaining({ date: '2026-11-10', worked_ms: hours(4), version: since + 2 })],
    closed_weeks: [expect.objectContaining({ week: W46, worked_ms: hours(4), version: since + 3 })],
  })
})

test('[D2.24] a week keeps its last 50 revisions; revision and previous delta go on', async () => {
  const id = await account.post('entries', work('2026-11-10T08:00Z', '2026-11-10T08:01Z'))
  await account.closeWeek(W46)
  for (let minute = 2; minute <= 56; minute += 1) {
    await account.put('entries', id, work('2026-11-10T08:00Z', `2026-11-10T08:${String(minute).padStart(2, '0')}Z`))
  }
  const week = await account.week(W46)
  const minutes = (count: number) => hours(-40) + count * 60_000
  expect(week).toMatchObject({ revision: 56, previous_delta_ms: minutes(55), delta_ms: minutes(56) })
  expect(week.revisions.map((one: { revision: number }) => one.revision)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 7),
  )
  expect((await account.day('2026-11-10')).revision).toBe(56)
  await account.expectCorrect()
})

test('[D3.25] [D3.53] a reopened day follows no edit until it is closed again, with its next revision', async () => {
  const id = await account.post('entries', work('2026-11-17T08:00Z', '2026-11-17T12:00Z'))
  await account.closeDay('2026-11-17')
  await account.put('entries', id, work('2026-11-17T08:00Z', '2026-11-17T13:00Z'))
  const first = await account.day('2026-11-17')
  await account.reopenDay('2026-11-17')
  const version = await account.version()
  await account.put('entries', id, work('2026-11-17T08:00Z', '2026-11-17T14:00Z'))
  expect(await account.version()).toBe(version + 1)
  expect(await account.balance()).toMatchObject({ open_delta_ms: expect.any(Number) })
  await account.expectCorrect()

  service.clock.advance(hours(1))
  await account.closeDay('2026-11-17')
  const again = await account.day('2026-11-17')
  expect(again).toMatchObject({ id: first.id, revision: 3, worked_ms: hours(6), closed_by: 'user' })
  expect(again.closed_at > first.closed_at).toBe(true)
  await account.expectCorrect()
})

test('[D3.25] [D3.53] a reopened week keeps its history, and its days follow no edit until it is closed', async () => {
  await account.closeWeek(W46)
  const device = new ModelClient(account.call)
  await device.pull()
  expect(device.all('closed_days').size).toBe(7)
  await account.reopenWeek(W46)
  await device.pull()
  expect([device.all('closed_days').size, device.all('closed_weeks').size]).toEqual([0, 0])
  await account.post('entries', work('2026-11-10T08:00Z', '2026-11-10T12:00Z'))
  expect(await account.list('/api/closed-days')).toEqual([])
  await account.expectCorrect()
  await account.closeWeek(W46)
  expect(await account.week(W46)).toMatchObject({
    revision: 2,
    previous_delta_ms: hours(-40),
    delta_ms: hours(-36),
    closed_by: 'user',
    revisions: [{ causes: [{ op: 'close' }] }, { causes: [{ op: 'close' }] }],
  })
  await account.expectCorrect()
})

test('[D3.21] [D3.22] [D3.23] a future day and a day of a closed week answer 409, closing twice 200', async () => {
  await account.closeWeek(W47, 409)
  await account.closeDay('2026-11-21', 409)
  await account.closeWeek('2025-W52', 409)
  await account.closeDay('2025-12-31', 409)
  await account.closeDay('2026-11-09')
  const day = await account.day('2026-11-09')
  await account.closeWeek(W46)
  expect(await account.day('2026-11-09')).toEqual(day)
  const version = await account.version()
  await account.closeDay('2026-11-09', 200)
  await account.closeWeek(W46, 200)
  expect((await account.call('DELETE', '/api/closed-days/2026-11-09')).status).toBe(409)
  expect((await account.call('DELETE', `/api/closed-weeks/${W45}`)).status).toBe(404)
  expect((await account.call('DELETE', '/api/closed-days/2026-11-02')).status).toBe(404)
  expect(await account.version()).toBe(version)
})

test('[D3.48] a day that is not closed answers 404 to reopening, also in a closed week', async () => {
  const [{ id }] = (await account.list('/api/settings')) as [{ id: string }]
  await account.put('settings_history', id, settings('2026-11-11'))
  await account.closeWeek(W46)
  const reopen = async (date: string) => (await account.call('DELETE', `/api/closed-days/${date}`)).status
  expect([await reopen('2026-11-10'), await reopen('2026-11-11')]).toEqual([404, 409])
})

test('[D3.24] reopening a week that is not closed answers 404 and leaves its closed days', async () => {
  await account.closeDay('2026-11-10')
  expect((await account.call('DELETE', `/api/closed-weeks/${W46}`)).status).toBe(404)
  expect(await account.day('2026-11-10')).toMatchObject({ revision: 1 })
})

test('[D2.26] entries over many weeks, split ones and 26-hour ones recompute their days', async () => {
  for (const week of ['2026-W43', '2026-W44', W45, W46]) await account.closeWeek(week)
  const device = new ModelClient(account.call)
  await device.pull()
  await account.post('entries', work('2026-10-20T10:00Z', '2026-11-11T09:30Z'))
  await account.push([
    entry(work('2026-10-24T20:00Z', '2026-10-25T22:00Z', { kind: 'break' })),
    entry(work('2026-11-01T12:00Z', '2026-11-01T13:00Z', { kind: 'break' })),
    entry(work('2026-11-01T12:30Z', '2026-11-01T14:00Z', { kind: 'break' })),
  ])
  await account.expectCorrect()
  await device.pull()
  const fresh = new ModelClient(account.call)
  await fresh.pull()
  expect(device.all('closed_days')).toEqual(fresh.all('closed_days'))
  expect(device.all('closed_weeks')).toEqual(fresh.all('closed_weeks'))
})

test('[D6.15] closings get later times with each change, however far the clock is set back', async () => {
  /** The times of all closings by id, deleted ones too. */
  const times = async () => {
    const { changes, deleted } = (await account.call('GET', '/api/sync/pull?since=0')).body
    const rows = [changes, deleted].flatMap(({ closed_days = [], closed_weeks = [] }) => [closed_days, closed_weeks])
    return new Map<string, string>(rows.flat().map(({ id, updated_at }) => [id, updated_at]))
  }
  await account.closeWeek(W45)
  const closings = [await account.day('2026-11-03'), await account.week(W45)]
  const changes = [
    () => account.post('entries', work('2026-11-03T08:00Z', '2026-11-03T10:00Z')),
    () => account.reopenWeek(W45),
    () => account.closeWeek(W45),
  ]
  for (const [index, change] of changes.entries()) {
    const before = await times()
    service.clock.set(`2026-11-${20 - index}T12:00:00.000Z`)
    await change()
    const after = await times()
    for (const { id } of closings) expect(after.get(id)?.localeCompare(before.get(id) ?? '')).toBe(1)
  }
})
