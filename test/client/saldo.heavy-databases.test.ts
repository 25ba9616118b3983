import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ForecastDay,
  fetchTransport,
  InvalidRecordError,
  OfflineError,
  openSaldo,
  type Saldo,
} from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import { type ContentInput, type DateRange, HOUR_MS, type LocalDate, type Settings } from '@saldo/core'
import { expect, test } from 'vitest'
import { eachWithPhone, Harness } from './harness.ts'

let harness: Harness
let phone: Saldo
eachWithPhone((opened, device) => {
  harness = opened
  phone = device
})

const work = (from: string, to: string | null): ContentInput<'entries'> => ({
  kind: 'work',
  started_at: `2026-11-${from}:00Z`,
  ended_at: to && `2026-11-${to}:00Z`,
})
const schedule = (from: string, hours: number): ContentInput<'settings_history'> => ({
  effective_from: from,
  time_zone: 'Europe/Berlin',
  target_ms: [...Array(5).fill(hours * 3_600_000), 0, 0] as ContentInput<'settings_history'>['target_ms'],
})

test('[R5.1] [R5.2] a change goes to the service first; offline it is queued, and sent once online', async () => {
  const first = await phone.entries.create(work('16T08:00', '16T12:00')).settled
  expect(first.result).toBe('stored')
  harness.cutOff('phone')
  const second = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  expect(second.result).toBe('queued')
  expect(second.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect((await harness.ask('/api/entries')).items).toHaveLength(1)
  expect((await phone.entries.all().read()).map(({ pending }) => pending)).toEqual([false, true])
  await harness.connect('phone', phone)
  const { items } = await harness.ask('/api/entries')
  expect(items.map(({ id }: { id: string }) => id).toSorted()).toEqual([first.id, second.id].toSorted())
})

test('many entries change in one step: other fields stay, and patches of deleted entries are left out', async () => {
  const { id: first } = await phone.entries.create({ ...work('16T08:00', '16T12:00'), note: 'Drawing' }).settled
  const { id: second } = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  const { id: gone } = await phone.entries.create(work('18T08:00', '18T12:00')).settled
  await phone.entries.delete(gone).settled
  harness.cutOff('phone')
  await phone.entries.update(first, { note: 'Drawing, unsent' }).settled
  const project = 'Harbour'
  const added = '00000000-0000-4000-8000-000000000001'
  await phone.entries.queueAll([
    ...[first, second, gone].map((id) => ({ id, patch: { project } })),
    { id: added, content: work('19T08:00', '19T12:00') },
  ])
  const rows = await phone.outbox.list().read()
  expect(rows).toHaveLength(3)
  // Each change has a number of its own, above that of the change before.
  const numbers = rows.map(({ seq }) => seq)
  const [number = 0] = numbers
  expect(numbers).toEqual([number, number + 1, number + 2])
  await harness.connect('phone', phone)
  const { items } = await harness.ask('/api/entries')
  expect(items).toMatchObject([
    { id: first, note: 'Drawing, unsent', project },
    { id: second, project },
    { id: added, project: null },
  ])
})

test('[R5.1] [D7.5] queued changes survive the end of the program', async () => {
  harness.cutOff('phone')
  const { id } = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await phone.close()
  const again = await harness.device('phone')
  expect(await again.entries.all().read()).toMatchObject([{ record: { id }, pending: true }])
  await harness.connect('phone', again)
  expect((await harness.ask('/api/entries')).items).toMatchObject([{ id }])
})

test('[R5.3] [R5.4] a sync pushes the outbox, and pulls after the last version', async () => {
  harness.cutOff('phone')
  await phone.entries.create(work('17T08:00', '17T12:00')).settled
  const { version } = await harness.ask('/api/sync/pull')
  await harness.ask('/api/entries', work('18T08:00', '18T12:00'))
  harness.requests.length = 0
  await harness.connect('phone', phone)
  expect(harness.requests.map(({ path }) => path)).toEqual(['/api/sync/push', `/api/sync/pull?since=${version}`])
  expect(await phone.entries.all().read()).toHaveLength(2)
})

test('[R5.5] [R5.6] a device behind the marker does a cold start, pulls on, and keeps unsent changes', async () => {
  const gone = await phone.entries.create(work('16T08:00', '16T12:00')).settled
  harness.cutOff('phone')
  const unsent = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await harness.ask(`/api/entries/${gone.id}`, {}, 'DELETE').catch(() => undefined)
  const other = await harness.ask('/api/entries', work('18T08:00', '18T12:00'))
  harness.nowMs += 31 * 86_400_000
  await harness.ask('/api/sync/pull')
  harness.requests.length = 0
  await harness.connect('phone', phone)
  const paths = harness.requests.map(({ path }) => path.split('=')[0])
  expect(paths).toContain('/api/sync/pull?limit')
  expect(paths.at(-1)).toBe('/api/sync/pull?since')
  const shown = (await phone.entries.all().read()).map(({ record }) => record.id)
  expect(shown.toSorted()).toEqual([unsent.id, other.id].toSorted())
})

test('[D7.6] an invalid change is rejected by the client, and nothing of it is stored', async () => {
  const wrong = { kind: 'work', started_at: 'yesterday' } as const
  await expect(phone.entries.create(wrong).settled).rejects.toThrow(InvalidRecordError)
  await expect(phone.entries.update('00000000-0000-4000-8000-000000000009', {}).settled).rejects.toThrow(RangeError)
  expect(await phone.entries.all().read()).toEqual([])
})

test('[D7.6] only the service closes a week: offline it is an error and never queued', async () => {
  await phone.settings.create(schedule('2026-11-09', 8)).settled
  harness.cutOff('phone')
  await expect(phone.weeks.close('2026-W46')).rejects.toThrow(OfflineError)
  await harness.connect('phone', phone)
  expect(await harness.ask('/api/closed-weeks')).toMatchObject({ items: [] })
  await phone.weeks.close('2026-W46')
  await phone.sync()
  const days = await phone.account.days({ from: '2026-11-09', to: '2026-11-15' }).read()
  expect(days.map(({ state }) => state)).toEqual(Array(7).fill('closed'))
})

test('a live query delivers its result at once and after each transaction', async () => {
  const lengths: number[] = []
  let next = Promise.withResolvers<void>()
  const end = phone.entries.all().subscribe((rows) => {
    lengths.push(rows.length)
    next.resolve()
  })
  await next.promise
  next = Promise.withResolvers()
  harness.cutOff('phone')
  await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await next.promise
  expect(lengths[0]).toBe(0)
  expect(lengths.at(-1)).toBe(1)
  end()
  const before = lengths.length
  await phone.entries.create(work('18T08:00', '18T12:00')).settled
  expect(lengths).toHaveLength(before)
})

test('[D3.44] the forecast of unsent changes equals the figures of the service once it has them', async () => {
  await phone.settings.create(schedule('2026-11-02', 8)).settled
  const late = await phone.entries.create(work('03T08:00', '03T16:30')).settled
  await phone.weeks.close('2026-W45')
  await phone.sync()
  harness.cutOff('phone')
  await phone.entries.update(late.id, work('03T08:00', '03T18:00')).settled
  await phone.entries.create(work('10T08:00', '10T17:15')).settled
  await phone.balanceAdjustments.create({
    effective_date: '2026-11-05',
    delta_ms: -1_800_000,
    kind: 'correction',
    reason: 'forgotten',
  }).settled
  const range: DateRange = { from: '2026-11-01', to: '2026-11-20' }
  const forecast = await phone.account.days(range).read()
  const balance = await phone.account.balance().read()
  expect(balance.confirmedMs).not.toBe(balance.forecastMs)
  await harness.connect('phone', phone)

  const { items } = await harness.ask(`/api/account/days?from=${range.from}&to=${range.to}`)
  const delta = ({ date, forecast: { delta_ms, worked_ms } }: ForecastDay) => ({ date, delta_ms, worked_ms })
  expect(forecast.map(delta)).toEqual(
    items.map(({ date, delta_ms, worked_ms }: { date: string; delta_ms: number; worked_ms: number }) => ({
      date,
      delta_ms,
      worked_ms,
    })),
  )
  const said = await harness.ask('/api/balance')
  expect(balance.forecastMs).toBe(said.projected_balance_ms)
  expect(await phone.account.balance().read()).toEqual({
    confirmedMs: said.balance_ms,
    forecastMs: said.projected_balance_ms,
    futureAdjustmentsMs: 0,
  })
})

test('[D3.44] a stored change of closed days is forecast like an unsent one until the new figures arrive', async () => {
  await phone.settings.create(schedule('2026-11-02', 8)).settled
  const { id } = await phone.entries.create(work('03T08:00', '03T10:00')).settled
  const other = await phone.entries.create(work('05T08:00', '05T11:00')).settled
  await phone.weeks.close('2026-W45')
  await phone.sync()
  const forecasts = async () => ({
    balance: (await phone.account.balance().read()).forecastMs,
    worked: (await phone.account.days({ from: '2026-11-02', to: '2026-11-08' }).read()).map(
      ({ forecast }) => forecast.worked_ms / 3_600_000,
    ),
  })
  harness.rewrite('phone', () => ({}) as never)
  for (const start of ['04T08:00', '06T08:00']) {
    expect(await phone.entries.update(id, work(start, '06T09:00')).settled).toBe('stored')
  }
  expect(await phone.entries.delete(other.id).settled).toBe('stored')
  const before = await forecasts()
  expect(before.worked).toEqual([0, 0, 0, 0, 1, 0, 0])
  harness.change('phone', '/api', (reply) => reply)
  await phone.sync()
  expect(await forecasts()).toEqual(before)
})

test('[D3.44] [D7.27] an entry moved on during a pull counts once, though the pull brings where it was', async () => {
  await phone.settings.create(schedule('2026-11-02', 8)).settled
  const { id } = await phone.entries.create(work('03T08:00', '03T10:00')).settled
  await phone.weeks.close('2026-W45')
  await phone.sync()
  let isMoved = false
  harness.change('phone', '/api/sync/pull', async (reply) => {
    if (!isMoved) await phone.entries.update(id, work('06T08:00', '06T10:00')).settled
    isMoved = true
    return reply
  })
  expect(await phone.entries.update(id, work('04T08:00', '04T10:00')).settled).toBe('stored')
  await expect.poll(async () => isMoved && (await phone.status.read()).state).toBe('idle')
  const days = await phone.account.days({ from: '2026-11-02', to: '2026-11-06' }).read()
  expect(days.map(({ forecast }) => forecast.worked_ms / HOUR_MS)).toEqual([0, 0, 0, 0, 2])
})

test('[D3.45] a preview lists the weeks that a schedule change would alter, and by how much', async () => {
  await phone.settings.create(schedule('2026-11-02', 8)).settled
  await phone.weeks.close('2026-W45')
  await phone.weeks.close('2026-W46')
  await phone.sync()
  const row = { ...schedule('2026-11-09', 6), id: crypto.randomUUID(), created_at: '2026-11-21T12:00:00.000Z' }
  const { weeks, beforeMs, afterMs } = await phone.account.preview(row as Settings)
  expect(weeks.map(({ week, isClosed, before, after }) => [week, isClosed, after.delta_ms - before.delta_ms])).toEqual([
    ['2026-W46', true, 36_000_000],
    // It is Saturday, and the balance counts the days before.
    ['2026-W47', false, 36_000_000],
  ])
  expect(beforeMs).toBe((await phone.account.balance().read()).forecastMs)
  await phone.settings.create(schedule('2026-11-09', 6)).settled
  expect((await phone.account.balance().read()).forecastMs).toBe(afterMs)
  const { items } = await harness.ask('/api/closed-weeks')
  expect(items.find(({ week }: { week: string }) => week === '2026-W46').delta_ms).toBe(weeks[0]?.after.delta_ms)
})

test('[D7.56] the status shows unsent changes live, and when they are sent', async () => {
  const states: string[] = []
  const end = phone.status.subscribe(({ state, unsent }) => states.push(`${state} ${unsent}`))
  harness.cutOff('phone')
  await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await phone.sync()
  await expect.poll(() => states.at(-1)).toBe('waiting 1')
  await harness.connect('phone', phone)
  await expect.poll(() => states.at(-1)).toBe('idle 0')
  end()
})

test('[D7.21] a conflict keeps both versions for 30 days, and the user can restore theirs', async () => {
  const laptop = await harness.device('laptop')
  const { id } = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await harness.connect('laptop', laptop)
  harness.cutOff('phone')
  await phone.entries.update(id, { note: 'mine' }).settled
  harness.nowMs += 60_000
  await laptop.entries.update(id, { note: 'theirs' }).settled
  await harness.connect('phone', phone)
  const [lost] = await phone.conflicts.list().read()
  expect(lost).toMatchObject({ mine: { content: { note: 'mine' } }, theirs: { record: { note: 'theirs' } } })
  harness.nowMs += 30 * 86_400_000
  await phone.close()
  phone = await harness.device('phone')
  expect(await phone.conflicts.list().read()).toHaveLength(1)
  harness.nowMs += 1
  await phone.close()
  phone = await harness.device('phone')
  expect(await phone.conflicts.list().read()).toEqual([])
})

test('[D7.29] a change that the service lost is offered once, even if its clock is far behind', async () => {
  const backup = await harness.backUp()
  const { id } = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await harness.connect('phone', phone)
  await harness.restore(backup)
  harness.nowMs -= 2 * 86_400_000
  const before = harness.requests.length
  await phone.sync()
  expect(await phone.status.read()).toMatchObject({ state: 'idle', unsent: 0, rejected: 0 })
  expect((await harness.ask('/api/entries')).items).toMatchObject([{ id }])
  expect(harness.requests.slice(before).filter(({ path }) => path === '/api/sync/push')).toHaveLength(1)
})

test('[D6.19] a newly set up service gets no unsent changes of another, because its users differ', async () => {
  await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await phone.close()
  const anew = await Harness.open()
  try {
    copyFileSync(join(harness.address.folder, 'phone.db'), join(anew.address.folder, 'phone.db'))
    await expect(anew.device('phone')).rejects.toThrow('another user')
    expect((await anew.ask('/api/entries')).items).toEqual([])
  } finally {
    await anew.close()
  }
})

test('[D7.21] a clock that was set ahead deletes no conflict', async () => {
  const laptop = await harness.device('laptop')
  const { id } = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  await harness.connect('laptop', laptop)
  harness.cutOff('phone')
  await phone.entries.update(id, { note: 'mine' }).settled
  harness.nowMs += 60_000
  await laptop.entries.update(id, { note: 'theirs' }).settled
  await harness.connect('phone', phone)
  await phone.close()
  for (const isCutOff of [true, false]) {
    if (isCutOff) harness.cutOff('phone')
    phone = await harness.device('phone', { aheadMs: 40 * 86_400_000 })
    if (!isCutOff) await harness.connect('phone', phone)
    expect(await phone.conflicts.list().read()).toHaveLength(1)
    await phone.close()
  }
  phone = await harness.device('phone')
})

test('[D3.45] a preview over years names exactly the weeks that a settings row would alter', async () => {
  await phone.settings.create(schedule('2024-01-01', 8)).settled
  for (const week of ['2024-W01', '2025-W10', '2026-W45'] as const) await phone.weeks.close(week)
  await phone.sync()
  const row = { ...schedule('2025-01-01', 7), id: crypto.randomUUID(), created_at: '2026-11-21T12:00:00.000Z' }
  const { weeks, beforeMs, afterMs } = await phone.account.preview(row as Settings)
  expect(weeks.filter(({ isClosed }) => isClosed).map(({ week }) => week)).toEqual(['2025-W10', '2026-W45'])
  expect(weeks.at(0)?.week).toBe('2025-W01')
  expect(weeks.at(-1)?.week).toBe('2026-W47')
  const changes = weeks.map(({ before, after }) => after.delta_ms - before.delta_ms)
  expect(changes.reduce((sum, change) => sum + change)).toBe(afterMs - beforeMs)
})

test('[D7.15] unsent changes are split into pushes, the first small enough for a slow network', async () => {
  harness.cutOff('phone')
  for (let day = 1; day <= 30; day += 1) {
    const date = `2026-11-${String(day).padStart(2, '0')}`
    await phone.entries.create({ kind: 'sick', date, note: '💤'.repeat(2_500) }).settled
  }
  await harness.connect('phone', phone)
  expect(await phone.status.read()).toMatchObject({ unsent: 0, rejected: 0 })
  const pushes = harness.requests.filter(({ path }) => path === '/api/sync/push')
  const sizes = pushes.map(({ body }) => new Blob([JSON.stringify(body)]).size)
  expect(sizes.map((size, index) => size < 100_100 * 2 ** index)).toEqual(Array(3).fill(true))
  // The second could not have been as large in the beginning.
  expect(sizes[1]).toBeGreaterThan(100_100)
})

test('[D5.17] [D7.46] a change notification shows a change of another device at once', async () => {
  const laptop = await harness.device('laptop', { live: true })
  const seen = Promise.withResolvers<string[]>()
  const end = laptop.entries.all().subscribe((rows) => {
    if (rows.length > 0) seen.resolve(rows.map(({ record }) => record.id))
  })
  const { id } = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  expect(await seen.promise).toEqual([id])
  expect(await laptop.status.read()).toMatchObject({ live: true })
  end()
})

test('[D7.54] a query by date returns entries that overlap it in the account’s zone, unsent ones too', async () => {
  await phone.settings.create({ ...schedule('2026-11-01', 8), time_zone: 'America/New_York' }).settled
  const ids: Record<string, string> = {}
  const make = async (name: string, entry: ContentInput<'entries'>) => {
    ids[name] = (await phone.entries.create(entry).settled).id
  }
  await make('until midnight', { kind: 'work', started_at: '2026-11-17T03:00:00Z', ended_at: '2026-11-17T05:00:00Z' })
  await make('over midnight', { kind: 'work', started_at: '2026-11-18T04:00:00Z', ended_at: '2026-11-18T06:00:00Z' })
  await make('sick', { kind: 'sick', date: '2026-11-17' })
  await make('later', { kind: 'work', started_at: '2026-11-19T12:00:00Z', ended_at: '2026-11-19T13:00:00Z' })
  harness.cutOff('phone')
  await make('running', { kind: 'work', started_at: '2026-11-16T12:00:00Z' })
  const names = async (from: LocalDate, to = from) => {
    const rows = await phone.entries.between({ from, to }).read()
    const named = rows.map(({ record }) => Object.keys(ids).find((name) => ids[name] === record.id))
    return named.toSorted()
  }
  expect(await names('2026-11-15')).toEqual([])
  expect(await names('2026-11-16')).toEqual(['running', 'until midnight'])
  expect(await names('2026-11-17')).toEqual(['over midnight', 'running', 'sick'])
  expect(await names('2026-11-18', '2026-11-20')).toEqual(['later', 'over midnight', 'running'])
  expect(await names('2026-11-20', '2026-11-18')).toEqual([])
})

test('[R5.1] [D3.44] a direct change of a closed week shows the service’s figures without a notification', async () => {
  await phone.settings.create(schedule('2026-11-02', 8)).settled
  const { id } = await phone.entries.create(work('10T08:00', '10T16:00')).settled
  await phone.weeks.close('2026-W46')
  await phone.sync()
  await phone.entries.update(id, { ended_at: '2026-11-10T18:00:00Z' }).settled
  const said = await harness.ask('/api/balance')
  await expect.poll(() => phone.account.balance().read()).toMatchObject({ confirmedMs: said.balance_ms })
})

test('[D2.16] of two schedules from one date, the same applies before and after a restore', async () => {
  const target = async () =>
    (await phone.account.days({ from: '2026-11-16', to: '2026-11-16' }).read())[0]?.forecast.target_ms
  const backup = await harness.backUp()
  await phone.settings.create(schedule('2026-11-02', 4), { id: 'bbbbbbbb-0000-4000-8000-000000000000' }).settled
  harness.nowMs += 60_000
  await phone.settings.create(schedule('2026-11-02', 8), { id: 'aaaaaaaa-0000-4000-8000-000000000000' }).settled
  expect(await target()).toBe(4 * HOUR_MS)
  await phone.sync()
  const [ofService] = (await harness.ask('/api/account/days?from=2026-11-16&to=2026-11-16')).items
  expect(ofService).toMatchObject({ target_ms: 4 * HOUR_MS })
  await harness.restore(backup)
  // The device offers both rows in one push, so that the service creates them at one time.
  await phone.sync()
  expect(await target()).toBe(4 * HOUR_MS)
  expect((await harness.ask('/api/account/days?from=2026-11-16&to=2026-11-16')).items).toEqual([ofService])
})

test('[D7.4] an answer that took a night does not change the clock offset', async () => {
  harness.rewrite('phone', (_path, body) => {
    harness.nowMs += 8 * 3_600_000
    return body
  })
  await phone.sync()
  harness.cutOff('phone')
  const { id } = await phone.entries.create(work('17T08:00', '17T12:00')).settled
  const [row] = await phone.outbox.list().read()
  expect(row).toMatchObject({ id, updatedAt: new Date(harness.nowMs).toISOString() })
})

test('[D7.24] [D7.57] a sync event during a failing request shortens the backoff after it', async () => {
  harness.cutOff('phone')
  for (let failure = 0; failure < 9; failure += 1) await phone.sync()
  expect(harness.waits.at(-1)).toBe(128_000)
  const before = harness.waits.length
  await Promise.all([phone.sync(), phone.sync()])
  expect(harness.waits.slice(before)).toEqual([5_000])
})

test('[D7.23] a sync requested while one is failing starts another', async () => {
  const [reached, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isOffline = true
  const { folder, ...address } = harness.address
  const slow = await openSaldo({
    ...address,
    store: sqliteStore(join(folder, 'slow.db')),
    async transport(request) {
      if (request.method === 'GET' || !isOffline) return fetchTransport(address)(request)
      if (request.path === '/api/sync/push') {
        reached.resolve()
        await lost.promise
      }
      return { outcome: 'retryable', retryAfterMs: 0 }
    },
  })
  await slow.entries.create(work('17T08:00', '17T12:00')).settled
  await reached.promise
  isOffline = false
  const synced = slow.sync()
  lost.resolve()
  await synced
  expect(await slow.outbox.list().read()).toEqual([])
  await slow.close()
})
