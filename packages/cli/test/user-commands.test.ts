import { HOUR_MS, type UserNumber } from '@saldo/core'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestService } from '../../server/test/harness.ts'
import { type Commands, commandsOf, done, failed, offline } from './in-process.ts'

/** Friday, 11:00 in Berlin. */
const NOW = '2026-11-20T10:00:00.000Z'

const service = await startTestService({ now: NOW, config: { quotaBytes: 15_000 } })
vi.useFakeTimers({ now: Date.parse(NOW), toFake: ['Date'] })
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

test('a timer starts, is shown, and stops at a time that is neither ahead nor before its start', async () => {
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
    ['--at must not be after now', 'stop', '--at', 'noon'],
    ['--at must be a time such as 9:00 or yesterday 17:00', 'stop', '--at', 'soon'],
    ['--at must be a time such as 9:00 or yesterday 17:00', 'stop', '--at', '2026-11-31 9:00'],
    ['the timer that runs was started later than that', 'stop', '--at', 'yesterday 17:00'],
  ])
  expect(await run('start', '@Garten', '#a')).toEqual(
    done('stopped after 2:30 (08:30-11:00): Haus', 'started at 11:00: Garten #a'),
  )
  // The clock was set back.
  vi.setSystemTime(Date.parse(NOW) - HOUR_MS)
  expect((await run('status')).stdout).toContain('working since 11:00, 0:00: Garten #a\n')
  vi.setSystemTime(Date.parse(NOW) + 14.25 * HOUR_MS)
  expect((await run('status')).stdout).toContain('working since 2026-11-20 11:00, 14:15: Garten #a\n')
  expect(await json('stop', '--at', 'now')).toMatchObject({ stopped: [{ ended_at: '2026-11-21T00:15:00.000Z' }] })
  expect(await run('stop')).toMatchObject({ code: 1, stderr: 'saldo: no timer is running\n' })
})

test('[D32.5] an hour of --at that can be two is asked for, unless the timer that runs tells which', async () => {
  const { run } = await begin()
  vi.setSystemTime(Date.parse('2026-11-20T20:00:00Z'))
  expect(await run('start', '--at', '8')).toEqual(failed('--at can mean 20:00 or 08:00: give the time as in 20:00'))
  expect(await run('start', '--at', '08:00')).toEqual(done('started at 08:00'))
  expect(await run('start', '--at', '7')).toEqual(done('stopped after 11:00 (08:00-19:00)', 'started at 19:00'))
})

test('a timer that may be forgotten is never stored with all its hours unless its user says so', async () => {
  const commands = await begin()
  const { run, json, typing } = commands
  const forget = async () => {
    vi.setSystemTime(Date.parse(NOW))
    await run('start', '@Haus', '--at', '9:00')
    // Monday, 7:45: the timer runs since Friday, 9:00.
    vi.setSystemTime(Date.parse('2026-11-23T06:45:00Z'))
  }
  await forget()
  const since = 'the timer has been running since 2026-11-20 09:00, for 70:45: Haus'
  const how = "; say when it ended, as in --at '2026-11-20 09:00', or --at now"
  await expectFaults(commands, [
    [since + how, 'stop'],
    // A time of today may be meant of Friday.
    [since + how, 'stop', '--at', '7:00'],
    [since + how, 'start', '@Garten'],
  ])
  await expect(json('stop')).rejects.toThrow(since)
  const end = 'the end must be after the start, not after now, and at most 31 days later'
  for (const answer of ['', 'soon', 'Friday 08:59', 'today 7:46']) {
    expect((await typing(answer).run('stop')).stderr, answer).toContain(`saldo: ${end}\n`)
  }
  const { stdout, stderr } = await typing('17:00').run('stop')
  expect(stderr).toContain(`saldo: ${since}\nWhen did it end? (such as 17:00, or now) `)
  expect(stdout).toBe('stopped after 8:00 (09:00-17:00): Haus\n')

  for (const answer of ['4:30', 'Friday 4:30']) {
    await forget()
    expect((await typing(answer).run('stop')).stdout).toBe('stopped after 7:30 (09:00-16:30): Haus\n')
  }
  await forget()
  expect((await typing('Friday 10').run('stop')).stderr).toContain(
    'the end can mean 2026-11-20 22:00 or 2026-11-20 10:00: give the time as in 2026-11-20 22:00\n',
  )
  expect(await run('stop', '--at', 'Friday 16:30')).toEqual(done('stopped after 7:30 (09:00-16:30): Haus'))
  await forget()
  // After midnight, of a night shift.
  expect((await typing('02:00').run('start', '@Garten')).stdout).toBe(
    'stopped after 17:00 (09:00-2026-11-21 02:00): Haus\nstarted at 07:45: Garten\n',
  )
  expect(await run('stop')).toEqual(done('stopped after 0:00 (07:45-07:45): Garten'))
  await forget()
  expect(await run('stop', '--at', 'now')).toEqual(done('stopped after 70:45 (09:00-2026-11-23 07:45): Haus'))
})

test('of several timers that run, each that may be forgotten is asked about', async () => {
  const { run, json, typing, sync, call } = await begin()
  for (const started_at of ['2026-11-18T08:00:00Z', '2026-11-19T08:00:00Z', '2026-11-20T09:00:00Z']) {
    expect((await call('POST', '/api/entries', { json: { kind: 'work', started_at } })).status).toBe(201)
  }
  await sync()
  const first = (await json('log')).entries[0]
  // Nothing is stored until all are answered, and somebody may know only one of them.
  expect(await run('stop')).toMatchObject({ code: 2, stdout: '' })
  expect(await typing('12:00').run('stop')).toMatchObject({ code: 2, stdout: '' })
  await run('edit', first.id, '--end', '12:00')
  expect((await typing('13:00').run('stop')).stdout).toBe(
    'stopped after 4:00 (09:00-13:00)\nstopped after 1:00 (10:00-11:00)\n',
  )
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
  expect((await json('log', '--from', 'Mittwoch', '--to', 'gestern')).entries).toMatchObject([{ project: 'Nacht' }])
  await expectFaults(commands, [
    ['--from must not be after --to', 'log', '--from', '2026-11-20', '--to', '2026-11-19'],
    ['--to must be a date such as 2026-11-20, yesterday or 24.12.', 'log', '--to', 'soon'],
    ['--to must be one date such as 2026-11-20', 'log', '--to', 'last week'],
    ['--from can mean 2026-11-16 or 2026-11-09: give the date as in 2026-11-16', ...['log', '--from', 'last Monday']],
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
    ['--date must be a date such as 2026-11-20, yesterday or 24.12.', 'edit', id, '--date', 'Fooday'],
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
    ['which date is that? for example: vacation 24.12.', 'add', 'Urlaub am Brückentag'],
    ['the date is on another weekday', 'add', 'Mo 20.11. 9-10'],
    ['this date does not exist', 'add', '9-10 31.2.'],
    ['these times overlap', 'add', '9-12 11-13'],
    ['too long: use at most 24 hours, 31 days of work, or 400 days of absence', 'add', '30h'],
    ['--date must be a date such as 2026-11-20, yesterday or 24.12.', 'add', '9-10', '--date', '31.2.'],
  ])
  expect(await run('add', '3-5', '--choose', '2')).toEqual(done('added 2026-11-20 03:00-05:00 (2:00)'))
  expect(await run('add', '4-6', '--choose', '2', '--date', 'heute')).toEqual(
    done('added 2026-11-20 04:00-06:00 (2:00)', 'overlaps 2026-11-20 03:00-05:00 (2:00), recorded before'),
  )
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
  expect(await absence('Gleittag', 'morgen')).toEqual(done('added time off in lieu on 1 day: 2026-11-21'))
  expect(await absence('Urlaub', '24.12.', 'bis', '27.12.')).toEqual(
    done('added vacation on 2 days: 2026-12-24 2026-12-25', 'without planned work, left out: 2026-12-26 2026-12-27'),
  )
  const dates = 'the dates must be a date such as 2026-11-20, yesterday or 24.12.'
  const kinds =
    'the kind must be one of vacation, sick, public_holiday, time_off_in_lieu, unpaid, paid_other, or a word for it'
  const number = '--hours must be a duration of at most a day such as 4, 2.5 or 1:30'
  await expectFaults(commands, [
    [dates, 'absence', 'sick', '2026-12-02..2026-12-01'],
    ['an absence has 400 days at most', 'absence', 'sick', '2027-01-01..2028-02-05'],
    [dates, 'absence', 'sick', '2026-12-01..2026-12-02..2026-12-03'],
    [dates, 'absence', 'sick', 'soon'],
    [dates, 'absence', 'sick', '2026-12-01..'],
    [kinds, 'absence', 'holiday', '2026-12-01'],
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

test('a report has the time of a month, a year or dates by project, tag or period, and obeys filters', async () => {
  const commands = await begin()
  const { run, json } = commands
  await run('add', '9-12 @Haus #a', '--date', '2026-11-18')
  await run('add', '13-14 @Garten #a #b', '--date', '2026-11-18')
  await run('add', '9-11', '--date', '2026-10-30')
  await run('add', '15-16 !', '--date', '2026-11-19')
  expect(await run('report')).toEqual(
    done(
      'Haus                      3:00',
      'Garten                    1:00',
      '2026-11-01 to 2026-11-30  4:00',
      'does not count            1:00',
    ),
  )
  expect((await run('report', '2026-11', '--by', 'tag')).stdout).toBe(
    [
      '#a                         4:00',
      '#b                         1:00',
      'counted more than once    -1:00',
      '2026-11-01 to 2026-11-30   4:00',
      'does not count             1:00',
      '',
    ].join('\n'),
  )
  expect((await json('report', '2026', '--by', 'month')).lines).toEqual([
    { key: '2026-10', time_ms: 2 * HOUR_MS, entries: 1 },
    { key: '2026-11', time_ms: 4 * HOUR_MS, entries: 2 },
  ])
  expect(await json('report', '1.10.-18.11.', '--project', 'Garten')).toMatchObject({
    ...{ from: '2026-10-01', to: '2026-11-18', total_ms: HOUR_MS },
  })
  expect(await json('report', '2026-02')).toMatchObject({ from: '2026-02-01', to: '2026-02-28', lines: [] })
  expect(await json('report', 'last', 'week', '--tag', '#b')).toMatchObject({ from: '2026-11-09', to: '2026-11-15' })
  expect((await run('report', '2026-10')).stdout).toContain('(without a project)       2:00\n')
  await expectFaults(commands, [
    ['the dates must be a date such as 2026-11-20, yesterday or 24.12.', 'report', '2026-13'],
  ])
})

test('[D12.10] the lines of a report add up to its total in whole minutes', async () => {
  const { run, call, sync } = await begin()
  for (const [project, seconds] of [
    ['Haus', 20],
    ['Garten', 50],
    ['Keller', 40],
  ] as const) {
    const [started_at, ended_at] = ['2026-11-18T09:00:00Z', `2026-11-18T09:30:${seconds}Z`]
    const json = { kind: 'work', started_at, ended_at, project, tags: [project], note: '' }
    expect((await call('POST', '/api/entries', { json })).status).toBe(201)
  }
  await sync()
  const { stdout } = await run('report', '2026-11', '--by', 'tag')
  const minutes = [...stdout.matchAll(/ (-?)(\d+):(\d\d)$/gm)].map(([, sign, hours, rest]) => {
    return (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(rest))
  })
  expect(minutes).toEqual([31, 30, 30, -61, 30])
})

test('the vacation account of a year is shown, and named where there is none', async () => {
  const { online, run, json, call, sync } = await begin()
  expect(await run('vacation')).toEqual(failed('there is no vacation account in 2026: set vacation days in the app', 1))
  const grant = { kind: 'vacation_grant', date: '2026-11-02', days: 5.5 }
  expect((await call('POST', '/api/entries', { json: grant })).status).toBe(201)
  await sync()
  await run('absence', 'vacation', '2026-11-09..2026-11-10')
  await run('absence', 'vacation', '2026-12-24', '--half')
  expect(await run('vacation')).toEqual(
    done('granted        5.5', 'taken           -2', 'planned       -0.5', 'left of 2026     3'),
  )
  expect(await json('vacation', '2026')).toMatchObject({ left: 3, granted: 5.5 })
  expect(await online.run('vacation', 'now')).toMatchObject({ code: 2, stderr: 'saldo: the year must be as in 2026\n' })
})

test('a shell completes projects, tags and ids of the local copy, and none after signing out', async () => {
  const { online } = await begin()
  const { run, json } = offline(online)
  await run('add', '9-10 @"Front garden" #a', '--date', '2026-11-18')
  await run('add', '10-11 @Haus #b', '--date', '2026-11-18')
  const names = (kind: string) => online.run('names', kind)
  expect((await names('projects')).stdout.split('\n').toSorted()).toEqual(['', 'Front garden', 'Haus'])
  expect((await names('tags')).stdout.split('\n').toSorted()).toEqual(['', 'a', 'b'])
  const ids = (await json('log')).entries.map((entry: { short_id: string }) => entry.short_id)
  expect((await names('ids')).stdout.trim().split('\n').toSorted()).toEqual(ids.toSorted())
  await online.run('logout', '--force')
  expect(await names('projects')).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('work without settings, before the account begins, is shown in its week, and counts nowhere', async () => {
  const { token, user } = await service.user('outside@example.com')
  const { run, json } = offline(commandsOf({ url: service.url, token, user, email: 'outside@example.com' }))
  await run('add', '9-12', '--date', '2026-11-18')
  const { days, delta_ms } = await json('week', '2026-W47')
  expect(days[2]).toMatchObject({ state: 'outside', worked_ms: 3 * HOUR_MS, target_ms: 0 })
  expect([delta_ms, (await json('balance')).forecast_ms]).toEqual([3 * HOUR_MS, 0])
})

test('changes that the service rejected are announced, listed, sent again, edited and discarded', async () => {
  const { run, json, sync, online } = await begin()
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
  const hint = '--retry-rejected sends them again, --discard-rejected forgets them, «saldo edit ID» changes an entry'
  expect(reasons.pop()).toBe(hint)
  expect(reasons.toSorted((a, b) => (a.slice(55) < b.slice(55) ? -1 : 1))).toEqual(
    ['05', '09'].map((day) =>
      expect.stringMatching(new RegExp(`^rejected: entries [0-9a-f-]{36} 2026-11-${day} whole day sick: x+…: \\w.*$`)),
    ),
  )
  const notice = 'saldo: the service rejected 2 changes: «saldo log» and «saldo sync» say why\n'
  expect((await online.run('status')).stderr).toContain(notice)
  expect((await run('status')).stderr).toBe('')
  expect(await online.json('sync')).toMatchObject({
    ...{ state: 'synced', unsent: 0, rejected: 2, conflicts: 0 },
    rejected_changes: [{ kind: 'entries', problem: { code: 'quota_exceeded' } }, { kind: 'entries' }],
  })
  const log = async () => (await json('log', '--from', '2026-11-01')).entries
  expect((await run('log', '--from', '2026-11-01')).stdout.match(/ \(rejected: \w.*\)$/gm)).toHaveLength(2)
  const [three, four, five, six, nine] = await log()
  expect([three, four, five].map(({ rejected }) => rejected)).toEqual([null, null, null])
  expect([six, nine].every(({ rejected }) => typeof rejected === 'string')).toBe(true)

  // With room, they are sent as they were.
  await run('edit', three.id, '--delete')
  await sync()
  expect(await online.run('sync', '--retry-rejected')).toEqual(done('everything is in sync'))
  expect((await log()).map(({ rejected }: { rejected: string | null }) => rejected)).toEqual(Array(4).fill(null))

  // An entry that is too large can be made smaller.
  await run('absence', 'sick', '2026-11-06', '--note', 'x'.repeat(5_000))
  await sync()
  const [, , third, tooLong] = await log()
  expect(tooLong).toMatchObject({ date: '2026-11-06', rejected: expect.any(String) })
  for (const { id } of [four, third]) await run('edit', id, '--delete')
  await sync()
  expect(await run('edit', tooLong.short_id, '--note', 'short')).toEqual(
    done('changed 2026-11-06 whole day sick: short'),
  )
  expect(await sync()).toEqual(done('everything is in sync'))
  expect((await log()).map(({ note }: { note: string }) => note.length)).toEqual([5_000, 5, 5_000])
  await run('absence', 'sick', '2026-11-12', '--note', 'x'.repeat(5_000))
  await sync()

  await run('absence', 'sick', '2026-11-10', '--note', 'x'.repeat(5_000))
  expect((await online.run('sync', '--discard-rejected')).stdout).toContain('rejected and discarded: entries ')
  await run('absence', 'sick', '2026-11-11', '--note', 'x'.repeat(5_000))
  await sync()
  const { id } = (await log()).find(({ rejected }: { rejected: string | null }) => rejected !== null)
  expect(await run('edit', id, '--delete')).toMatchObject({ code: 0 })
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
