import { HOUR_MS } from '@saldo/core'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../../server/test/harness.ts'
import { commandsOf, done, offline } from './in-process.ts'

/** Friday, 11:00 in Berlin. */
const NOW = '2026-11-20T10:00:00.000Z'
const TODAY = '2026-11-20'

const service = await startTestService({ now: NOW })
vi.useFakeTimers({ now: Date.parse(NOW), toFake: ['Date'] })
afterAll(async () => {
  vi.useRealTimers()
  await service.close()
})

let people = 0
/** A new account in Berlin with forty hours a week from November on, and a way to put it on another computer. */
async function begin(of: TestService = service) {
  people += 1
  const email = `person${people}@example.com`
  const { token, user, call } = await of.user(email)
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS)
  const settings = { effective_from: '2026-11-02', time_zone: 'Europe/Berlin', target_ms }
  await call('POST', '/api/settings', { json: settings })
  vi.setSystemTime(Date.parse(NOW))
  const computer = async () => {
    const online = commandsOf({ url: of.url, token, user, email })
    await online.run('sync')
    return { ...offline(online), online, sync: () => online.run('sync') }
  }
  return { ...(await computer()), computer, call }
}

/** The sync in each JSON, without requests. */
const unsent = (count: number) => ({
  sync: { state: 'offline', unsent: count, rejected: 0, conflicts: 0, last_success_ms: Date.parse(NOW) },
})

test('as JSON, start and stop tell what they started and stopped, and status the timer', async () => {
  const { json } = await begin()
  expect(await json('status')).toMatchObject({
    timer: { state: 'idle', entry: null },
    today: { target_ms: 8 * HOUR_MS },
  })
  const started_at = '2026-11-20T07:30:00.000Z'
  expect(await json('start', 'Haus', '#a', '--at', '8:30')).toEqual({
    started: expect.objectContaining({ kind: 'work', note: 'Haus', tags: ['a'], started_at, ended_at: null }),
    stopped: 0,
    ...unsent(1),
  })
  expect(await json('status')).toMatchObject({
    timer: { state: 'working', entry: { note: 'Haus', started_at } },
    today: { date: TODAY, worked_ms: 2.5 * HOUR_MS },
    balance: { forecast_ms: expect.any(Number) },
  })
  expect(await json('start', 'Garten')).toMatchObject({ started: { note: 'Garten', started_at: NOW }, stopped: 1 })
  expect(await json('stop')).toMatchObject({ stopped: [{ note: 'Garten', started_at: NOW, ended_at: NOW }] })
})

test('a break shows as such in the status', async () => {
  const { run, call, sync } = await begin()
  await call('POST', '/api/entries', { json: { kind: 'break', started_at: '2026-11-20T09:15:00Z', ended_at: null } })
  await sync()
  expect((await run('status')).stdout).toMatch(
    /^on_?break since 10:15, 0:45: break\n|^break since 10:15, 0:45: break\n/,
  )
})

test('add starts a timer by a line without an end, and tells what it added as JSON', async () => {
  const { run, json } = await begin()
  expect(await run('add', '9:30- @Haus #a Dach')).toEqual(done('added start at 09:30 Haus Dach #a'))
  expect((await json('status')).timer).toMatchObject({
    ...{
      state: 'working',
      entry: { project: 'Haus', tags: ['a'], note: 'Dach', started_at: '2026-11-20T08:30:00.000Z' },
    },
  })
  expect(await json('add', '10- @Garten')).toMatchObject({
    ...{ added: [], timer: { verb: 'start', started_at: '2026-11-20T09:00:00.000Z', project: 'Garten' } },
  })
  expect(await json('add', '9-10', '10-11', '--date', '2026-11-18')).toMatchObject({
    added: [{ started_at: '2026-11-18T08:00:00.000Z' }, { started_at: '2026-11-18T09:00:00.000Z' }],
    timer: null,
  })
  expect(await json('add', 'vacation 2026-12-21')).toMatchObject({
    added: [{ kind: 'vacation', date: '2026-12-21' }],
    timer: null,
  })
})

test('as JSON, absence tells the days that it added and why it left out others', async () => {
  const { json, run } = await begin()
  await run('absence', 'sick', '2026-11-27')
  expect(await json('absence', 'vacation', '2026-11-26..2026-11-28')).toEqual({
    kind: 'vacation',
    days: [{ date: '2026-11-26', size: { day_share: 1, amount_ms: null } }],
    free: ['2026-11-28'],
    full: ['2026-11-27'],
    ...unsent(2),
  })
})

test('an imported entry that a line changes stays that of its import, and JSON has a deleted one', async () => {
  const { json, call, sync } = await begin()
  const imported = { kind: 'work', source: 'import', import_ref: 'toggl-1#7' }
  const times = { started_at: '2026-11-18T08:00:00Z', ended_at: '2026-11-18T09:00:00Z' }
  const { status, body } = await call('POST', '/api/entries', { json: { ...imported, ...times } })
  expect(status, JSON.stringify(body)).toBe(201)
  await sync()
  expect(await json('edit', body.id, '8-9', 'Garten')).toMatchObject({ changed: { ...imported, project: 'Garten' } })
  expect((await json('edit', body.id, '--delete')).deleted).toMatchObject({ id: body.id, project: 'Garten' })
})

test('as JSON, the log names its dates, and a week says that it is closed, with its sum', async () => {
  const { json, call, sync, run } = await begin()
  await run('add', '9-17:30', '--date', '2026-11-11')
  const { entries, ...log } = await json('log', '--from', '2026-11-11', '--to', '2026-11-12')
  expect(log).toEqual({ from: '2026-11-11', to: '2026-11-12', ...unsent(1) })
  expect(entries).toMatchObject([{ kind: 'work', pending: true, short_id: entries[0].id.slice(0, 4) }])
  await sync()
  expect((await call('POST', '/api/closed-weeks', { json: { week: '2026-W46' } })).status).toBe(201)
  await sync()
  const { days, ...week } = await json('week', 'last')
  expect(week).toEqual({ week: '2026-W46', closed: true, delta_ms: -31.5 * HOUR_MS, ...unsent(0) })
  expect(days[2]).toMatchObject({ date: '2026-11-11', state: 'closed', worked_ms: 8.5 * HOUR_MS })
  expect(await json('week')).toMatchObject({ week: '2026-W47', closed: false })
})

test('a week names the absences of each day', async () => {
  const { run } = await begin()
  await run('absence', 'vacation', '2026-11-18', '--note', 'Meer')
  expect((await run('week')).stdout.split('\n').filter((line) => line.includes('Meer'))).toEqual([
    'Wed 2026-11-18    0:00      0:00    0:00    0:00         vacation: Meer',
  ])
})

test('a change that lost against a later one of another device is announced by sync', async () => {
  const { json, run, sync, computer } = await begin()
  const { added } = await json('add', '9-10', '--date', '2026-11-18')
  await sync()
  const other = await computer()
  const [{ id }] = (await json('log', '--from', '2026-11-18', '--to', '2026-11-18')).entries
  expect(added).toHaveLength(1)
  await run('edit', id, '--note', 'earlier')
  vi.setSystemTime(Date.parse(NOW) + 1_000)
  await other.run('edit', id, '--note', 'later')
  await other.sync()
  expect(await sync()).toEqual(
    done('everything is in sync', '1 change lost against later ones of other devices: the app shows them'),
  )
})

test('without the service, commands name the changes that wait and the last sync', async () => {
  const gone = await startTestService({ now: NOW })
  const { run, online } = await begin(gone)
  await gone.close()
  vi.setSystemTime(Date.parse(NOW) + HOUR_MS)
  expect(await run('add', '9-10')).toEqual(done(`added ${TODAY} 09:00-10:00 (1:00)`))
  expect(await online.run('balance')).toMatchObject({
    code: 0,
    stderr: `saldo: offline: 1 change on this computer only, last sync ${NOW}\n`,
  })
  expect(await online.json('add', '10-11')).toMatchObject(unsent(2))
})

test('the work of a week and of today is without the breaks that are deducted', async () => {
  const { run, call, sync } = await begin()
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS)
  const break_policy = { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: HOUR_MS / 2 }] }
  const settings = { effective_from: '2026-11-09', time_zone: 'Europe/Berlin', target_ms, break_policy }
  expect(await call('POST', '/api/settings', { json: settings })).toMatchObject({ status: 201 })
  await sync()
  await run('add', '9-17', '--date', '2026-11-18')
  await run('add', '02:00-09:00', '--date', TODAY)
  expect((await run('week')).stdout).toMatch(/\nWed 2026-11-18 +7:30 +0:00 +8:00 +-0:30\n/)
  expect((await run('status')).stdout).toContain('today    6:30 of 8:00\n')
})

test('a line with a length only takes no place from the entry that it edits', async () => {
  const { run, json } = await begin()
  const { added } = await json('add', '9-12', '--date', '2026-11-18')
  expect(added).toHaveLength(1)
  const [{ id }] = (await json('log')).entries
  expect(await run('edit', id, '2h')).toEqual(done('changed 2026-11-18 09:00-11:00 (2:00)'))
})

test('short ids tell all entries apart, not only those that are listed', async () => {
  const { json, call, sync } = await begin()
  for (const [index, date] of ['2026-11-18', '2026-11-10'].entries()) {
    const id = `12345678-0000-4000-8000-00000000000${index}`
    expect(await call('POST', '/api/entries', { json: { id, kind: 'sick', date } })).toMatchObject({ status: 201 })
  }
  await sync()
  expect((await json('log')).entries).toMatchObject([{ short_id: '12345678-0000-4000-8000-000000000000' }])
})

test('commands fetch what is new before they show it, and send what they record', async () => {
  const { online, call } = await begin()
  const { body } = await call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-18' } })
  // A command waits a second for the service.
  const shown = async () => (await online.run('log')).stdout
  await expect.poll(shown).toContain('sick')
  const sent = async () => {
    await online.run('edit', body.id, '--note', 'Flu')
    return (await call('GET', `/api/entries/${body.id}`)).body.note
  }
  await expect.poll(sent).toBe('Flu')
})
