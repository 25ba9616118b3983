import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importLimits } from '@saldo/client/import'
import { expect, test } from 'vitest'
import { fullTime } from '../../server/test/faults/full-time.ts'
import { serviceOfFile } from '../../server/test/file-service.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'
import { atTerminal, commandsIn, temporaryFolder } from './in-process.ts'

const fixture = (name: string) => join(import.meta.dirname, '../../../fixtures', name)
const TOGGL = fixture('data/toggl-week-2018-W41.csv')

const service = await serviceOfFile()

/** Returns a new account, and the command against it, by the environment. */
async function begin() {
  const { token, call } = await service.user()
  const { run } = commandsIn({ SALDO_URL: service.url, SALDO_TOKEN: token, XDG_CONFIG_HOME: '/nonexistent' })
  return {
    url: service.url,
    token,
    call: (method: string, path: string, json?: unknown) => call(method, path, { json }),
    run: (...args: string[]) => run('import', ...args),
  }
}

heavyTest(
  '[D11.13] import reads a file, and a pipe without an end, up to the budget, and names the limit',
  async () => {
    const { run } = await begin()
    const folder = temporaryFolder()
    const [file, pipe] = [join(folder, 'large.csv'), join(folder, 'pipe')]
    writeFileSync(file, '')
    truncateSync(file, importLimits.fileBytes + 1)
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
    // A device that never ends, behind a pipe that has no size.
    const writing = createReadStream('/dev/zero')
      .pipe(createWriteStream(pipe))
      .on('error', () => undefined)
    const refused = { code: 2, stdout: '', stderr: 'saldo: the file has more than 268,435,456 bytes\n' }
    expect(await run(file)).toEqual(refused)
    expect(await run(pipe)).toEqual(refused)
    writing.destroy()
  },
)

test('[D11.7] import prints the content of a file and both balances, imports it once, and undoes it', async () => {
  const { run, call } = await begin()
  await call('POST', '/api/settings', { ...fullTime('2018-10-08', 7.5), time_zone: 'Europe/Oslo' })
  await call('POST', '/api/settings', { ...fullTime('2018-10-01', 0), time_zone: 'Europe/Helsinki' })
  const open = await run(TOGGL, '--dry-run', '--json')
  expect(JSON.parse(open.stdout)).toMatchObject({ closed_weeks: [] })
  await call('POST', '/api/closed-weeks', { week: '2018-W41' })
  const expected = {
    format: 'toggl',
    rows: 21,
    entries: 21,
    skipped: [],
    first: '2018-10-08',
    last: '2018-10-12',
    worked_ms: 174_127_000,
    covered_ms: 155_688_000,
    projects: ['Project 1', 'Project 2', 'Project 3'],
    time_zone: 'Europe/Oslo',
    closed_weeks: ['2018-W41'],
  }
  const looked = JSON.parse((await run(TOGGL, '--dry-run', '--json')).stdout)
  expect(looked).toMatchObject(expected)
  expect(looked.balance_after_ms - looked.balance_before_ms).toBe(155_688_000)
  expect(looked).not.toHaveProperty('batch')
  expect((await call('GET', '/api/entries')).body.items).toEqual([])

  const imported = JSON.parse((await run(TOGGL, '--json')).stdout)
  expect(imported).toMatchObject({ ...expected, batch: expect.stringMatching(/^toggl-/) })
  expect((await call('GET', '/api/entries?limit=1000')).body.items).toHaveLength(21)
  expect((await call('GET', '/api/closed-weeks/2018-W41')).body.delta_ms).toBe(20_688_000)

  // The user's own correction stays when the file is imported again.
  const [entry] = (await call('GET', '/api/entries')).body.items
  await call('PUT', `/api/entries/${entry.id}`, { ...entry, note: 'corrected' })
  const again = await run(TOGGL)
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(again.stdout).toContain('toggl: 21 rows, 0 entries to add\n')
  expect(again.stdout).toContain('left out, already imported: row 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 11 more\n')
  expect((await call('GET', `/api/entries/${entry.id}`)).body.note).toBe('corrected')

  expect(await run('--undo', imported.batch)).toMatchObject({ code: 0, stdout: '21 entries deleted\n' })
  expect((await call('GET', '/api/entries')).body.items).toEqual([])
  expect(await run('--undo', imported.batch)).toMatchObject({
    code: 1,
    stderr: `saldo: there are no entries of the batch ${imported.batch}\n`,
  })
})

test('[D11.5] if a file leaves something open, import names the option and imports nothing', async () => {
  const { run, call } = await begin()
  const open: [file: string, line: string, option: string[]][] = [
    [
      'harvest.csv',
      'rows have no times of their own: choose --durations sequential (one after another from 9:00) or as-is',
      ['--durations', 'sequential'],
    ],
    [
      'clockify-open-order.csv',
      'dates can be read in two ways, choose with --date-order dmy or mdy',
      ['--date-order', 'dmy'],
    ],
    [
      'clockify-pt-windows-1252.csv',
      'rows of several users, choose one with --user: Ada Exemplo, Bob Exemplo',
      ['--user', 'Ada Exemplo'],
    ],
  ]
  for (const [file, line] of open) {
    for (const args of [[], ['--dry-run', '--json']]) {
      const exit = await run(fixture(`import/${file}`), ...args)
      expect(exit).toMatchObject({ code: 2, stdout: '', stderr: `saldo: ${line}\n` })
    }
  }
  expect((await call('GET', '/api/entries')).body.items).toEqual([])
  for (const [file, , option] of open) expect((await run(fixture(`import/${file}`), ...option)).code).toBe(0)
  expect((await call('GET', '/api/entries')).body.items).toHaveLength(6)
})

test('[D11.9] an export is imported into a fresh account with its weeks closed', async () => {
  const old = await begin()
  await old.call('POST', '/api/settings', fullTime('2018-10-08'))
  const empty = join(temporaryFolder(), 'empty.json')
  writeFileSync(empty, JSON.stringify((await old.call('GET', '/api/me/export')).body))
  const { stdout } = await (await begin()).run(empty)
  expect(stdout).toMatch(/^saldo: 1 row, 0 entries and 1 other record to add\n.*\nimported\n$/s)
  await old.run(TOGGL)
  await old.call('POST', '/api/closed-weeks', { week: '2018-W41' })
  const file = join(temporaryFolder(), 'saldo.json')
  const { body } = await old.call('GET', '/api/me/export')
  writeFileSync(file, JSON.stringify(body))

  const fresh = await begin()
  const imported = JSON.parse((await fresh.run(file, '--json')).stdout)
  expect(imported).toMatchObject({ format: 'saldo', rows: 22, entries: 21, settings: 1, batch: null, not_closed: [] })
  const [before, after] = [body.records, (await fresh.call('GET', '/api/me/export')).body.records]
  const contents = (records: Record<string, Record<string, unknown>[]>) =>
    records.entries?.map(({ version: _v, created_at: _c, updated_at: _u, ...content }) => content)
  expect(contents(after)).toEqual(contents(before))
  expect(after.closed_weeks).toMatchObject([{ week: '2018-W41', delta_ms: before.closed_weeks[0].delta_ms }])
})

test.each(readdirSync(fixture('exports')))(
  '[D11.9] the export of an earlier version, %s, is imported whole into a fresh account',
  async (name) => {
    const file = fixture(`exports/${name}`)
    const { records } = JSON.parse(readFileSync(file, 'utf8'))
    const fresh = await begin()
    expect(JSON.parse((await fresh.run(file, '--json')).stdout)).toMatchObject({ batch: null, not_closed: [] })
    const after = (await fresh.call('GET', '/api/me/export')).body.records
    const contents = (list: Record<string, unknown>[]) =>
      list.map(({ version: _v, created_at: _c, updated_at: _u, ...content }) => content)
    for (const kind of ['entries', 'settings_history', 'balance_adjustments']) {
      expect(contents(after[kind]), kind).toEqual(contents(records[kind]))
    }
    const figures = (list: { week: string; delta_ms: number }[]) => list.map(({ week, delta_ms }) => [week, delta_ms])
    expect(figures(after.closed_weeks)).toEqual(figures(records.closed_weeks))
  },
)

test('an import of which the service rejects something says so, and fails', async () => {
  const { run, call } = await begin()
  const file = join(temporaryFolder(), 'minutes.csv')
  const row = (minute: number) => {
    const time = (at: number) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
    return `2026-01-05,${time(minute)},${time(minute + 1)}`
  }
  const write = (rows: string[]) => writeFileSync(file, ['Date,Start,End', ...rows].join('\n'))
  write(Array.from({ length: 1_000 }, (_, minute) => row(minute)))
  expect(await run(file, '--time-zone', 'UTC')).toMatchObject({ code: 0 })
  // A day has room for 1,000 entries.
  write([row(1_200), row(1_300)])
  expect(await run(file, '--time-zone', 'UTC')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^saldo: the service rejected 2 of the changes: .*1,?000.* \(2\)\n$/),
  })
  expect((await call('GET', '/api/entries?from=2026-01-05T20:00:00Z')).body.items).toEqual([])
})

test('up to ten rows that are left out for a reason are named, and of more the rest is counted', async () => {
  const { run } = await begin()
  const again = async (count: number) => {
    const file = join(temporaryFolder(), 'hours.csv')
    const rows = Array.from({ length: count }, (_, index) => `2026-01-${10 + index},8:00,9:00`)
    writeFileSync(file, ['Date,Start,End', ...rows].join('\n'))
    await run(file)
    return (await run(file)).stdout
  }
  expect(await again(10)).toContain('left out, already imported: row 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n')
  expect(await again(11)).toContain('left out, already imported: row 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1 more\n')
})

test('columns of any other CSV are named by an option', async () => {
  const { run } = await begin()
  const file = join(temporaryFolder(), 'hours.csv')
  writeFileSync(file, 'wann;ab;bis=wann;was\n2026-01-05;08:00;12:00;Hecke\n')
  expect(await run(file)).toMatchObject({
    code: 2,
    stderr: 'saldo: no column is known to have a date; name the columns with --columns\n',
  })
  const columns = 'date= wann,start=ab ,end=bis=wann,note=was'
  const { code, stdout } = await run(file, '--columns', columns, '--dry-run', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ format: 'csv', entries: 1, worked_ms: 14_400_000 })
})

test('[D11.11] work that overlaps the account is named with its hours and rows, and one of a kind as one', async () => {
  const { run, call } = await begin()
  await call('POST', '/api/entries', {
    kind: 'work',
    started_at: '2026-01-05T11:00:00Z',
    ended_at: '2026-01-05T13:00:00Z',
  })
  const file = join(temporaryFolder(), 'hours.csv')
  writeFileSync(file, 'Date,Start,End\n2026-01-05,08:00,12:00\n')
  const options = [file, '--time-zone', 'UTC']
  const looked = JSON.parse((await run(...options, '--dry-run', '--json')).stdout)
  expect(looked).toMatchObject({
    covered_ms: 14_400_000,
    overlapping_ms: 3_600_000,
    odd: [{ row: 2, reason: 'overlaps_account' }],
  })
  const { stdout } = await run(...options)
  expect(stdout).toContain('\n1 day from 2026-01-05 to 2026-01-05, ')
  expect(stdout).toContain('\n1:00 of it overlaps work of the account and adds nothing\n')
  expect(stdout).toContain('\nodd, overlaps account: row 2\n  2026-01-05 · 08:00 · 12:00\n')
  const [, batch = ''] = /--undo (\S+)/.exec(stdout) ?? []
  expect((await run('--undo', batch)).stdout).toBe('1 entry deleted\n')
})

test('the text of an import has its days, hours, projects, balances and closed weeks', async () => {
  const { run, call } = await begin()
  await call('POST', '/api/settings', fullTime('2026-01-05', 0))
  await call('POST', '/api/balance/adjustments', {
    ...{ effective_date: '2026-01-06', kind: 'payout', delta_ms: -3_600_000, reason: 'paid' },
  })
  await call('POST', '/api/closed-weeks', { week: '2026-W02' })
  const file = join(temporaryFolder(), 'days.csv')
  const rows = ['2026-01-05,08:00,12:00,Haus', '2026-01-05,11:00,13:00,Garten', '2026-01-20,08:00,17:30,']
  writeFileSync(file, ['Date,Start,End,Project', ...rows].join('\n'))
  const options = [file, '--time-zone', 'UTC']
  const { stdout } = await run(...options, '--dry-run')
  expect(stdout.split('\n')).toEqual([
    'csv: 3 rows, 3 entries to add',
    'columns: Project is project, Date is date, Start is start, End is end',
    '2 days from 2026-01-05 to 2026-01-20, local times in UTC',
    'worked 15:30, covered 14:30 (without breaks, and overlaps count once)',
    'projects: Garten, Haus',
    'balance −1:00 before, 13:30 after',
    'closed weeks that change: 2026-W02',
    'nothing is imported yet',
    '',
  ])
  expect(JSON.parse((await run(...options, '--dry-run', '--json')).stdout)).toMatchObject({
    ...{ days: 2, overlapping_ms: 0, balance_before_ms: -3_600_000, balance_after_ms: 48_600_000 },
  })
  atTerminal('stderr')
  const imported = await run(...options)
  expect(imported).toMatchObject({
    stdout: expect.stringMatching(
      /\nimported; to undo it: saldo import --undo csv-\S+\nto see it: saldo log --from 2026-01-05 --to \S+\n$/,
    ),
    stderr: expect.stringMatching(/^(\r\d of 3 sent)*\r3 of 3 sent\n/),
  })
  const again = await run(...options)
  expect(again.stdout).toMatch(/\nnothing to import\n$/)
  const [, batch = ''] = /--undo (\S+)/.exec(imported.stdout) ?? []
  expect(await run('--undo', batch)).toMatchObject({
    ...{ stdout: '3 entries deleted\n', stderr: expect.stringMatching(/\r3 of 3 sent\n$/) },
  })
})

test('[D11.9] weeks and days of an export that cannot be closed are named, and other records counted', async () => {
  const old = await begin()
  await old.call('POST', '/api/settings', fullTime('2026-01-05'))
  await old.call('POST', '/api/balance/adjustments', {
    ...{ effective_date: '2026-01-06', kind: 'payout', delta_ms: -3_600_000, reason: 'paid' },
  })
  const { records } = (await old.call('GET', '/api/me/export')).body
  const closed = { closed_weeks: [{ week: '2099-W01' }], closed_days: [{ date: '2099-02-01' }] }
  const file = join(temporaryFolder(), 'saldo.json')
  writeFileSync(file, JSON.stringify({ records: { ...records, ...closed } }))
  const { stdout } = await (await begin()).run(file)
  expect(stdout).toMatch(/^saldo: 2 rows, 0 entries and 2 other records to add\n/)
  expect(stdout).toContain('\nnot closed: 2099-W01, 2099-02-01\nimported\n')
  const json = JSON.parse((await (await begin()).run(file, '--json')).stdout)
  expect(json).toMatchObject({ settings: 1, adjustments: 1, not_closed: ['2099-W01', '2099-02-01'] })
})

test('an error of import is one line', async () => {
  const { url, token } = await begin()
  const service = ['--url', url, '--token', token]
  const broken = join(temporaryFolder(), 'broken.json')
  writeFileSync(broken, '{')
  const cases: [args: string[], code: number, line: string][] = [
    [service, 2, 'give either a file or --undo and a batch'],
    [[TOGGL, '--undo', 'x', ...service], 2, 'give either a file or --undo and a batch'],
    [
      [TOGGL],
      2,
      'sign in with «saldo login», or give the service and a token: --url and --token, or SALDO_URL and SALDO_TOKEN',
    ],
    [['missing.csv', ...service], 2, 'there is no file missing.csv'],
    [[import.meta.dirname, ...service], 2, `${import.meta.dirname} cannot be read: EISDIR`],
    [[broken, ...service], 2, 'the file is not valid JSON'],
    [[TOGGL, '--format', 'kimei', ...service], 2, '--format must be one of saldo, toggl'],
    [[TOGGL, '--time-zone', 'Oslo', ...service], 2, '--time-zone must be a name such as Europe/Berlin'],
    [[TOGGL, '--columns', 'x=y', ...service], 2, '--columns must be pairs such as date=Datum'],
    [[TOGGL, '--columns', 'date=', ...service], 2, '--columns must be pairs such as date=Datum'],
    [[TOGGL, '--url', 'http://localhost:1', '--token', 'x'], 1, 'no service answers at http://localhost:1'],
    [[TOGGL, '--url', url, '--token', 'x'], 1, `the service at ${url} rejects the token`],
  ]
  for (const [args, code, line] of cases) {
    const exit = await commandsIn({ XDG_CONFIG_HOME: '/nonexistent' }).run('import', ...args)
    expect(exit, args.join(' ')).toMatchObject({ code, stdout: '' })
    expect(exit.stderr.startsWith(`saldo: ${line}`), exit.stderr).toBe(true)
  }
})
