import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { fullTime } from '../../server/test/faults/full-time.ts'
import { serviceOfFile } from '../../server/test/file-service.ts'
import { atTerminal, commandsIn, temporaryFolder } from './in-process.ts'

const service = await serviceOfFile()

/** Returns a new account, the command against it, by the environment, and the temporary files that it left. */
async function begin() {
  const { token, call } = await service.user()
  const folder = temporaryFolder()
  const { run } = commandsIn({ SALDO_URL: service.url, SALDO_TOKEN: token, TMPDIR: folder })
  return {
    call: (method: string, path: string, json?: unknown) => call(method, path, { json }),
    saldo: run,
    leftFiles: () => readdirSync(folder),
  }
}

/** Returns the texts of a workbook. */
function stringsOf(file: string): string {
  return strFromU8(unzipSync(readFileSync(file))['xl/sharedStrings.xml'] as Uint8Array)
}

test('export writes JSON, the tables of a range as CSV, and workbooks, and names what is wrong', async () => {
  const { call, saldo, leftFiles } = await begin()
  await call('POST', '/api/settings', fullTime('2026-11-02'))
  await call('POST', '/api/entries', {
    kind: 'work',
    started_at: '2026-11-03T08:00:00Z',
    ended_at: '2026-11-03T17:30:00Z',
    note: '=1+1',
  })
  const { records } = JSON.parse((await saldo('export')).stdout)
  expect(records).toMatchObject({ entries: [{ note: '=1+1' }], settings_history: [{ effective_from: '2026-11-02' }] })
  const days = await saldo('export', '--format', 'csv', '--table', 'days', '--from', '2026-11-02', '--to', '2026-11-03')
  expect(days.stdout.split('\r\n')).toEqual([
    'date,week,state,target_hours,recorded_hours,deducted_break_hours,worked_hours,credited_hours,delta_hours',
    '2026-11-02,2026-W45,open,8,0,0,0,0,-8',
    '2026-11-03,2026-W45,open,8,9.5,0,9.5,0,1.5',
    '',
  ])
  // Without an end, all that comes later is in it.
  expect((await saldo('export', '--format', 'csv', '--from', '2026-11-02')).stdout).toContain(`,'=1+1,`)
  const solidtime = await saldo('export', '--format', 'solidtime', '--from', '2026-11-02', '--to', '2026-11-02')
  expect(solidtime.stdout.split('\r\n')).toHaveLength(2)

  const file = join(temporaryFolder(), 'november.xlsx')
  expect(await saldo('export', '--format', 'xlsx', '--output', file)).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(file).size).toBeGreaterThan(2_000)

  const sheet = join(temporaryFolder(), 'sheet.xlsx')
  const month = ['--format', 'sheet', '--from', '2026-11-01', '--to', '2026-11-30']
  expect(await saldo('export', ...month, '--notes', '--output', sheet)).toMatchObject({ code: 0, stderr: '' })
  const strings = stringsOf(sheet)
  expect(strings).toContain('Timesheet 2026-11-01 to 2026-11-30')
  expect(strings).toContain('=1+1')
  expect(await saldo('export', '--format', 'sheet')).toMatchObject({
    code: 2,
    stderr: 'saldo: a sheet has a year at most: give --from and --to\n',
  })

  // It holds sick leave and notes, and replaces nothing, not even what a link leads to.
  expect(statSync(sheet).mode & 0o777).toBe(0o600)
  const link = `${sheet}-link`
  symlinkSync(`${sheet}-elsewhere`, link)
  for (const taken of [sheet, link]) {
    const refused = { code: 1, stderr: `saldo: ${taken} exists\n` }
    expect(await saldo('export', ...month, '--output', taken)).toMatchObject(refused)
  }
  const long = `${sheet}-long`
  const longest = ['--format', 'sheet', '--from', '2099-01-01', '--output', long]
  expect(await saldo('export', ...longest, '--to', '2100-01-01')).toMatchObject({ code: 0 })
  expect(stringsOf(long)).toMatch(/Figures up to 20[2-8]/)
  expect(await saldo('export', ...longest, '--to', '2100-01-02')).toMatchObject({ code: 2 })

  expect(await saldo('export', '--from', 'yesterday')).toMatchObject({
    code: 2,
    stderr: 'saldo: --from must be a date such as 2026-11-20\n',
  })
  expect(await saldo('export', '--from', '2026-11-03', '--to', '2026-11-02')).toMatchObject({
    code: 2,
    stderr: 'saldo: --from must not be after --to\n',
  })
  expect(await saldo('export', '--token', 'saldo_wrong')).toMatchObject({ code: 1, stdout: '' })
  expect(await saldo('export', '--format', 'csv', '--output', join(file, 'x'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be written: ENOTDIR'),
  })
  // No copy of the account stays behind.
  expect(leftFiles()).toEqual([])
})

test('[D13.7] projects, notes and hints are on a sheet by choice', async () => {
  const { call, saldo } = await begin()
  await call('POST', '/api/settings', { ...fullTime('2026-11-02'), hints: 'de' })
  await call('POST', '/api/entries', {
    ...{ kind: 'work', project: 'Haus', note: 'Dach' },
    ...{ started_at: '2026-11-03T07:00:00Z', ended_at: '2026-11-03T18:30:00Z' },
  })
  const shown = async (...choices: string[]) => {
    const file = join(temporaryFolder(), 'sheet.xlsx')
    const range = ['--from', '2026-11-01', '--to', '2026-11-30', '--output', file]
    expect(await saldo('export', '--format', 'sheet', ...range, ...choices)).toMatchObject({ code: 0 })
    const strings = stringsOf(file)
    return ['Haus', 'Dach', 'long day'].filter((word) => strings.includes(word))
  }
  expect(await shown()).toEqual([])
  expect(await shown('--projects')).toEqual(['Haus'])
  expect(await shown('--notes')).toEqual(['Dach'])
  expect(await shown('--hints')).toEqual(['long day'])
})

test('a workbook has the entries of its range, and a sheet the version of the account', async () => {
  const { call, saldo } = await begin()
  await call('POST', '/api/settings', fullTime('2026-11-02'))
  for (const [date, note] of [
    ['2026-11-03', 'Dach'],
    ['2026-12-03', 'Keller'],
  ])
    await call('POST', '/api/entries', { kind: 'sick', date, note })
  const { version } = (await call('GET', '/api/sync/pull?since=0')).body
  const november = ['--from', '2026-11-01', '--to', '2026-11-30']
  const textOf = async (format: string) => {
    const file = join(temporaryFolder(), 'november.xlsx')
    expect(await saldo('export', '--format', format, ...november, '--output', file)).toMatchObject({ code: 0 })
    return stringsOf(file)
  }
  const workbook = await textOf('xlsx')
  expect([workbook.includes('Dach'), workbook.includes('Keller')]).toEqual([true, false])
  expect(version).toBeGreaterThan(0)
  expect(await textOf('sheet')).toMatch(new RegExp(`version ${version}\\b`, 'i'))
})

test('a workbook is not written to a terminal, but CSV is; and each date is named by its option', async () => {
  const { saldo } = await begin()
  expect(await saldo('export', '--to', '2026-13-01')).toMatchObject({
    ...{ code: 2, stderr: 'saldo: --to must be a date such as 2026-11-20\n' },
  })
  const month = ['--from', '2026-11-01', '--to', '2026-11-30']
  atTerminal('stdout')
  for (const format of ['xlsx', 'sheet']) {
    const refused = { code: 2, stdout: '', stderr: 'saldo: a workbook is no text: name a file with --output\n' }
    expect(await saldo('export', '--format', format, ...month)).toEqual(refused)
  }
  expect(await saldo('export', '--format', 'csv', ...month)).toMatchObject({ code: 0 })
})

test.each([
  [200, 503, 'no service answers at'],
  [200, 401, 'rejects the token'],
  [404, 404, 'answers 404'],
])(
  'an export of an account that cannot be fetched, since the user answers %i and sync %i, is an error, not empty',
  async (ofUser, ofSync, why) => {
    const service = createServer(({ url }, response) => {
      response.writeHead(url === '/api/me' ? ofUser : ofSync, {
        'saldo-protocol': '1',
        'content-type': 'application/json',
      })
      response.end(url === '/api/me' ? JSON.stringify({ user_id: 1, email: 'ada@example.com' }) : '{}')
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void service.close())
    const env = { SALDO_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, SALDO_TOKEN: 'saldo_any' }
    const exported = await commandsIn(env).run('export', '--format', 'csv')
    expect(exported).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(why) })
  },
)
