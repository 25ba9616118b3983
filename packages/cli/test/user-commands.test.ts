import { HOUR_MS, type UserNumber } from '@saldo/core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../../server/test/harness.ts'
import { type Commands, commandsOf, done, failed, offline } from './in-process.ts'

/** Friday, 11:00 in Berlin. */
const NOW = '2026-11-20T10:00:00.000Z'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: NOW, config: { quotaBytes: 15_000 } })
  vi.useFakeTimers({ now: Date.parse(NOW), toFake: ['Date'] })
})
afterAll(async () => {
  vi.useRealTimers()
  await service.close()
})

let people = 0
/** A new account with forty hours a week from November on. */
async function begin() {
  people += 1
  const email = `person${people}@example.com`
  const { token, user, call } = await service.user(email)
  await call('POST', '/api/settings', {
    json: {
      effective_from: '2026-11-02',
      time_zone: 'Europe/Berlin',
      target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
    },
  })
  vi.setSystemTime(Date.parse(NOW))
  const online = commandsOf({ url: service.url, token, user, email })
  const sync = () => online.run('sync')
  await sync()
  return { ...offline(online), online, sync, call }
}

/** Runs commands of which each has to fail with a line, and expects that they changed nothing. */
async function expectFaults({ run, json }: Commands, faults: readonly [line: string, ...args: string[]][]) {
  const all = ['log', '--from', '2026-01-01', '--to', '2028-12-31']
  const before = await json(...all)
  for (const [line, ...args] of faults) expect(await run(...args), args.join(' ')).toEqual(failed(line))
  expect(await json(...all)).toEqual(before)
}

test('a timer starts, is shown, and stops at a time of today that is neither ahead nor before its start', async () => {
  const commands = await begin()
  const { run, json } = commands
  expect(await run('start', 'Haus', '--at', '8:30')).toEqual(done('started at 08:30: Haus'))
  expect(await run('status')).toEqual(
    done('working since 08:30, 2:30: Haus', 'today    2:30 of 8:00', 'balance  -112:00'),
  )
  await expectFaults(commands, [
    ['the timer that runs was started later than that', 'stop', '--at', '8:00'],
    ['the timer that runs was started later than that', 'start', 'Garten', '--at', '8:00'],
    ['--at must not be after now', 'stop', '--at', '11:01'],
    ['--at must be a time such as 9:00', 'stop', '--at', 'noon'],
  ])
  expect(await run('start', '@Garten', '#a')).toEqual(
    done('stopped after 2:30 (08:30-11:00): Haus', 'started at 11:00: Garten #a'),
  )
  // The clock was set back.
  vi.setSystemTime(Date.parse(NOW) - HOUR_MS)
  expect((await run('status')).stdout).toContain('working since 11:00, 0:00: Garten #a\n')
  vi.setSystemTime(Date.parse(NOW) + 14.25 * HOUR_MS)
  expect((await run('status')).stdout).toContain('working since 2026-11-20 11:00, 14:15: Garten #a\n')
  expect(await json('stop')).toMatchObject({ stopped: [{ ended_at: '2026-11-21T00:15:00.000Z' }] })
  expect(await run('stop')).toMatchObject({ code: 1, stderr: 'saldo: no timer is running\n' })
})

test('a timer after a break goes on with the work before it, unless a text says what it is about', async () => {
  const { run, sync, call } = await begin()
  const record = async (kind: string, started_at: string, ended_at: string | null, project: string | null) =>
    expect((await call('POST', '/api/entries', { json: { kind, started_at, ended_at, project } })).status).toBe(201)
  await record('work', '2026-11-20T07:30:00Z', '2026-11-20T09:00:00Z', 'Haus')
  await record('break', '2026-11-20T09:00:00Z', null, null)
  await sync()
  expect(await run('start')).toEqual(done('stopped after 1:00 (10:00-11:00): break', 'started at 11:00: Haus'))
  // At the moment at which the other one began, it replaces it.
  expect(await run('start', 'Garten', '--at', '11:00')).toEqual(
    done('stopped after 0:00 (11:00-11:00): Haus', 'started at 11:00: Garten'),
  )
})

test('the log has the last seven days, each date once, and says what is not sent', async () => {
  const commands = await begin()
  const { run, json, sync } = commands
  expect(await run('add', '22-2', 'Nacht', '--date', '2026-11-18')).toEqual(
    done('added 2026-11-18 22:00-2026-11-19 02:00 (4:00) Nacht'),
  )
  await run('add', '13-14', '9-10', '--date', '2026-11-14')
  await sync()
  await run('add', '9-10', '--date', '2026-11-13')
  await run('add', '7-8', '--date', '2026-11-14')
  const lines = (await run('log')).stdout.split('\n').map((line) => line.replace(/ {2}[0-9a-f]{4,}(?= {2}|$)/, '  id'))
  expect(lines).toEqual([
    'Sat 2026-11-14  07:00-08:00             1:00  id   (not sent)',
    '                09:00-10:00             1:00  id',
    '                13:00-14:00             1:00  id',
    'Wed 2026-11-18  22:00-2026-11-19 02:00  4:00  id  Nacht',
    '',
  ])
  expect((await run('log', '--to', '2026-11-13')).stdout).toMatch(/^Fri 2026-11-13 .* \(not sent\)\n$/)
  expect((await json('log', '--from', '2026-11-19')).entries).toMatchObject([{ project: 'Nacht', pending: false }])
  expect(await run('log', '--to', '2026-11-12')).toEqual(done('no entries'))
  await expectFaults(commands, [
    ['--from must not be after --to', 'log', '--from', '2026-11-20', '--to', '2026-11-19'],
    ['--to must be a date such as 2026-11-20', 'log', '--to', 'today'],
  ])
})

test('an entry is changed by options or by a line on its own date, and deleted, by the start of its id', async () => {
  const commands = await begin()
  const { run, json } = commands
  await run('add', '9-12', '@Haus', '#a', '--date', '2026-11-18')
  await run('absence', 'sick', '2026-11-17')
  const [absence, work] = (await json('log')).entries
  const id = work.id.toUpperCase()
  expect(await run('edit', id, '--project', '', '--tags', '#x, y', '--note', 'N')).toEqual(
    done('changed 2026-11-18 09:00-12:00 (3:00) N #x #y'),
  )
  expect((await json('log')).entries[1]).toMatchObject({ project: null, tags: ['x', 'y'] })
  expect(await run('edit', id, '8-9', 'Garten')).toEqual(done('changed 2026-11-18 08:00-09:00 (1:00) Garten'))
  expect(await run('edit', id, '--date', '2026-11-17')).toEqual(done('changed 2026-11-17 08:00-09:00 (1:00) Garten'))
  const { changed } = await json('edit', id, '--date', '2026-11-18', '--start', '7:30')
  expect(changed).toMatchObject({ started_at: '2026-11-18T06:30:00.000Z' })
  expect(changed).not.toHaveProperty('date')
  expect(await run('edit', id, '--start', '8:00')).toMatchObject({ code: 0 })
  expect(await run('edit', absence.id, '--date', '2026-11-16')).toEqual(done('changed 2026-11-16 whole day sick'))
  await expectFaults(commands, [
    ['nothing to change: give a line or an option', 'edit', id],
    ['--date must be a date such as 2026-11-20', 'edit', id, '--date', 'Monday'],
    ['--end must be a time such as 9:00', 'edit', id, '--end', '25:00'],
    ['a line that edits must be about one entry', 'edit', id, '9-10', '10-11'],
    ['note must be text of at most 5000 characters', 'edit', id, '--note', 'x'.repeat(5_001)],
    ['an absence has no times of day', 'edit', absence.id, '--start', '9:00'],
  ])
  const unknown = (named: string) => failed(`there is no entry ${named}: «saldo log» shows ids`, 1)
  expect(await run('edit', 'zz', '--note', 'N')).toEqual(unknown('zz'))
  expect(await run('edit', '', '--note', 'N')).toEqual(unknown(''))
  expect(await run('edit', id, '--delete')).toEqual(done('deleted 2026-11-18 08:00-09:00 (1:00) Garten'))
  expect((await json('log')).entries).toMatchObject([{ kind: 'sick' }])

  // Of 17 ids, two begin with the same digit.
  await run('add', ...Array.from({ length: 17 }, (_, n) => `${n}-${n + 1}`), '--date', '2026-11-18')
  const ids: string[] = (await json('log')).entries.map((entry: { id: string }) => entry.id)
  const groups = Map.groupBy(ids, (each) => each.slice(0, 1))
  const [digit = '', same = []] = [...groups].find(([, { length }]) => length > 1) ?? []
  expect(await run('edit', digit, '--delete')).toEqual(
    failed(`${same.length} entries begin with ${digit}: give more of the id`),
  )
})

test('a line with several meanings is recorded by the number of one, and each fault has its words', async () => {
  const commands = await begin()
  const { run } = commands
  const [later, earlier] = ['2026-11-20 15:00-17:00 (2:00)', '2026-11-20 03:00-05:00 (2:00)']
  const meanings = `this can mean several things, choose with --choose: 1) ${later}; 2) ${earlier}`
  await expectFaults(commands, [
    [meanings, 'add', '3-5'],
    [meanings, 'add', '3-5', '--choose', '3'],
    [
      'this can mean several things, choose with --choose: ' +
        '1) 2026-11-20 08:00-12:00 (4:00) offline work (new project offline); ' +
        '2) 2026-11-20 08:00-12:00 (4:00) offline work',
      ...['add', '8-12 offline work', '--date', '2026-11-20'],
    ],
    ['enter a time, such as 9-12:30 or 2h', 'add', ''],
    ['add a time, such as 9-12:30 or 2h', 'add', 'Haus'],
    ['from when? For example: 3 days vacation from Monday', 'add', '3 days vacation'],
    ['until when? For example: vacation Mon-Fri', 'add', 'vacation from Monday'],
    ['how long was the break? For example: 9-17 break 30', 'add', '9-17 break'],
    ['the break does not fit into the work', 'add', '9-10 break 120'],
    ['this date does not exist', 'add', '9-10 31.2.'],
    ['these times overlap', 'add', '9-12 11-13'],
    ['too long: use at most 24 hours, 31 days of work, or 400 days of absence', 'add', '30h'],
    ['--date must be a date such as 2026-11-20', 'add', '9-10', '--date', 'Monday'],
  ])
  expect(await run('add', '3-5', '--choose', '2')).toEqual(done('added 2026-11-20 03:00-05:00 (2:00)'))
  expect(await run('add', 'vacation', '50%', '2026-12-21')).toEqual(done('added vacation: 2026-12-21, half a day'))
  expect(await run('add', 'vacation 24.12.2026 - 28.12.2026')).toEqual(
    done('added vacation: 2026-12-24 to 2026-12-28, 3 days, 2 days off skipped'),
  )
})

test('an absence is of whole days, halves or hours, and only of days with planned work that are not off', async () => {
  const commands = await begin()
  const { run, json } = commands
  const absence = (...args: string[]) => run('absence', ...args)
  expect(await absence('vacation', '2026-11-23', '--half', '--note', 'Meer')).toEqual(
    done('added vacation on 1 day, half a day: 2026-11-23'),
  )
  expect(await absence('time_off_in_lieu', '2026-11-24', '--hours', '2,5')).toEqual(
    done('added time off in lieu on 1 day, 2:30: 2026-11-24'),
  )
  expect(await absence('sick', '2026-11-25', '--hours', '24')).toEqual(done('added sick on 1 day, 24:00: 2026-11-25'))
  expect(await absence('sick', '2026-12-01..2026-12-02', '--hours', '1')).toEqual(
    done('added sick on 2 days, 1:00 each: 2026-12-01 2026-12-02'),
  )
  expect(await absence('sick', '2026-11-25..2026-11-28')).toEqual(
    done(
      'added sick on 2 days: 2026-11-26 2026-11-27',
      'without planned work, left out: 2026-11-28',
      'already off, left out: 2026-11-25',
    ),
  )
  // A single date counts, whatever is planned.
  expect(await absence('sick', '2026-11-22')).toEqual(done('added sick on 1 day: 2026-11-22'))
  const { entries } = await json('log', '--from', '2026-11-23', '--to', '2026-11-24')
  expect(entries).toMatchObject([{ day_share: 0.5, note: 'Meer' }, { amount_ms: 2.5 * HOUR_MS }])
  expect(await absence('sick', '2026-11-28..2026-11-29')).toEqual(
    failed('no work is planned on these days, or they are already off', 1),
  )
  const number = '--hours must be a number of hours such as 4 or 2.5'
  await expectFaults(commands, [
    ['the last day is before the first', 'absence', 'sick', '2026-12-02..2026-12-01'],
    ['an absence has 400 days at most', 'absence', 'sick', '2027-01-01..2028-02-05'],
    ['give a date, or two as in 2026-12-24..2026-12-31', 'absence', 'sick', '2026-12-01..2026-12-02..2026-12-03'],
    ['the first day must be a date such as 2026-11-20', 'absence', 'sick', 'tomorrow'],
    ['the last day must be a date such as 2026-11-20', 'absence', 'sick', '2026-12-01..'],
    ['give either --half or --hours', 'absence', 'sick', '2026-12-01', '--half', '--hours', '3'],
    ...['0', '24.5', 'x'].map((hours): [string, ...string[]] => [
      ...([number, 'absence', 'sick', '2026-12-01', '--hours', hours] as const),
    ]),
  ])
})

test('a week is shown by its number, by a date, or as the last one; the balance names what is ahead', async () => {
  const commands = await begin()
  const { run, json, sync, call } = commands
  await run('add', '9-17:30', '--date', '2026-11-11')
  await run('add', '9-10', '--date', '2026-11-20')
  await sync()
  const expectStored = async (path: string, closed: object) =>
    expect((await call('POST', path, { json: closed })).status).toBe(201)
  await expectStored('/api/closed-weeks', { week: '2026-W46' })
  await expectStored('/api/closed-days', { date: '2026-11-19' })
  await expectStored('/api/balance/adjustments', {
    ...{ effective_date: '2026-12-01', kind: 'payout', delta_ms: -HOUR_MS, reason: 'paid' },
  })
  await sync()
  expect(await run('week')).toEqual(
    done(
      '                worked  credited  target   delta',
      'Mon 2026-11-16    0:00      0:00    8:00   -8:00',
      'Tue 2026-11-17    0:00      0:00    8:00   -8:00',
      'Wed 2026-11-18    0:00      0:00    8:00   -8:00',
      'Thu 2026-11-19    0:00      0:00    8:00   -8:00  closed',
      'Fri 2026-11-20    1:00      0:00    8:00          today',
      'Sat 2026-11-21    0:00      0:00    0:00',
      'Sun 2026-11-22    0:00      0:00    0:00',
      '2026-W47          0:00      0:00   32:00  -32:00',
    ),
  )
  const last = await run('week', 'last')
  expect(last.stdout).toMatch(/\nWed 2026-11-11 +8:30 +0:00 +8:00 +\+0:30 {2}closed\n/)
  expect(last.stdout).toMatch(/\n2026-W46 closed +8:30 +0:00 +40:00 +-31:30\n$/)
  expect([await run('week', '2026-w46'), await run('week', '2026-11-15')]).toEqual([last, last])
  await expectFaults(commands, [['the week must be as in 2026-W47, a date in it, or «last»', 'week', 'next']])
  expect(await run('balance')).toEqual(
    done(
      'closed weeks and adjustments        -32:30',
      'with open days and unsent changes  -104:30',
      'of it, adjustments ahead             -1:00',
    ),
  )
  expect(await json('balance')).toMatchObject({ confirmed_ms: -32.5 * HOUR_MS })
})

test('work without settings, before the account begins, is shown in its week, and counts nowhere', async () => {
  const { token, user } = await service.user('outside@example.com')
  const { run, json } = offline(commandsOf({ url: service.url, token, user, email: 'outside@example.com' }))
  await run('add', '9-12', '--date', '2026-11-18')
  const { days, delta_ms } = await json('week', '2026-W47')
  expect(days[2]).toMatchObject({ state: 'outside', worked_ms: 3 * HOUR_MS, target_ms: 0 })
  expect([delta_ms, (await json('balance')).forecast_ms]).toEqual([3 * HOUR_MS, 0])
})

test('changes that the service rejected are announced by each command, and listed and discarded by sync', async () => {
  const { run, sync, online } = await begin()
  for (const day of [2, 3, 4, 5]) {
    await run('absence', 'sick', `2026-11-0${day}`, '--note', 'x'.repeat(5_000))
    // Three notes fill the account.
    await sync()
  }
  await run('absence', 'sick', '2026-11-09', '--note', 'x'.repeat(5_000))
  // The first list has the change already that this very sync sent.
  const listed = await sync()
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  const [first, ...reasons] = listed.stdout.trim().split('\n')
  expect(first).toBe('everything is in sync')
  expect(reasons).toEqual(Array(2).fill(expect.stringMatching(/^rejected: entries [0-9a-f-]{36}: \w.*$/)))
  const notice = 'saldo: the service rejected 2 changes: «saldo sync» says why\n'
  expect((await online.run('status')).stderr).toContain(notice)
  expect((await run('status')).stderr).toBe('')
  expect(await online.json('sync')).toMatchObject({
    ...{ state: 'synced', unsent: 0, rejected: 2, conflicts: 0 },
    rejected_changes: [{ kind: 'entries', problem: { code: 'quota_exceeded' } }, { kind: 'entries' }],
  })
  const discarded = await online.run('sync', '--discard-rejected')
  expect(discarded.stdout.match(/^rejected and discarded: entries /gm)).toHaveLength(2)
  await run('absence', 'sick', '2026-11-10', '--note', 'x'.repeat(5_000))
  expect((await online.run('sync', '--discard-rejected')).stdout).toContain('rejected and discarded: entries ')
  expect(await sync()).toEqual(done('everything is in sync'))
})

test('a rejected token and a service that does not answer are announced, with what is unsent', async () => {
  const account = { url: service.url, token: 'saldo_ended', user: 1 as UserNumber, email: 'one@example.com' }
  const rejected = commandsOf(account)
  const again = 'the service rejects the token: run «saldo login» again'
  expect(await rejected.run('sync')).toEqual(failed(again, 1))

  const alone = commandsOf({ ...account, url: 'http://127.0.0.1:1' })
  const waiting = (what: string) => `offline: ${what}, never synced`
  expect(await alone.run('sync')).toEqual(failed(waiting('nothing waits to be sent'), 1))
  await offline(alone).run('add', '9-10')
  expect(await alone.run('sync')).toEqual(failed(waiting('1 change on this computer only'), 1))
  expect((await offline(alone).json('status')).sync).toMatchObject({ state: 'offline', unsent: 1 })
})
