import { expect, onTestFinished, test } from 'vitest'
import type { SqlValue } from '../../src/store/sql.ts'
import { systemRandom } from '../../src/system.ts'
import { Payroll } from '../../src/team/payroll.ts'
import { userParts } from '../../src/users/user-parts.ts'
import { startTestService, type TestService } from '../harness.ts'
import { PASSWORD } from '../http/browser.ts'
import { newId } from '../http/resources.ts'
import { notingStatements } from '../store/statements.ts'
import { startCompany } from './company.ts'
import { act, type Call, HOUR_MS, record, schedule, startMonths, submit, work } from './month-company.ts'

const MAPPING = {
  columns: ['personnel_number', 'name', 'month', 'wage_type', 'amount', 'unit', 'cost_centre'],
  ...{ separator: ';', decimal_sign: ',', encoding: 'utf-8', header: true },
  rules: [
    { sum: 'worked', wage_type: '100', unit: 'hours' },
    { sum: 'sick', wage_type: '300', unit: 'days' },
    { sum: 'vacation', wage_type: null, unit: 'days' },
  ],
}

/** Anna has worked a day and was sick for half a day in a locked October; nobody else counts. */
async function startPayroll(running?: TestService) {
  const made = await startMonths({}, running)
  const { anna, ben, hera } = made
  await record(anna.call, work('2026-10-05'))
  await record(anna.call, { kind: 'sick', date: '2026-10-06', day_share: 0.5, amount_ms: null })
  await record(anna.call, { kind: 'vacation', date: '2026-10-07', day_share: 1, amount_ms: null })
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const others = [ben.user, hera.user]
  const run = async (more: object = {}) =>
    (await hera.call('POST', '/api/team/exports', { json: { month: '2026-10', leave_out: others, ...more } })).body
  const put = (items: object[], call: Call = hera.call) => call('PUT', '/api/team/personnel', { json: { items } })
  const map = (mapping: object) => hera.call('PUT', '/api/team/mapping', { json: { ...MAPPING, ...mapping } })
  return { ...made, others, run, put, map }
}

test('[D31.3] no wage type is guessed: a run names all that stands in its way and makes no file', async () => {
  const { anna, ben, hera, run, put, map } = await startPayroll()
  const faults = async (more: object = {}) =>
    (await run(more)).obstacles.map(({ fault, detail }: { fault: string; detail: string }) => `${fault} ${detail}`)
  expect(await faults()).toEqual(['no_mapping worked', 'no_mapping vacation', 'no_mapping sick', 'no_number Anna'])
  await map({})
  expect(await faults({ leave_out: [] })).toEqual(['no_number Anna', 'not_locked Ben', 'not_locked Hera'])
  await put([{ user_id: anna.user, number: '007', cost_centre: 'K 1' }])
  await map({ encoding: 'windows-1252' })
  await anna.call('PATCH', '/api/me', { json: { name: 'Zoë Ðurić' } })
  expect(await faults()).toEqual(['not_encodable Zoë Ðurić'])
  expect((await hera.call('GET', '/api/team/exports')).body.items).toEqual([])
  const rejected = await put([{ user_id: anna.user, number: '=1+1' }, { user_id: 999 }])
  expect(rejected.body.items).toMatchObject([{ outcome: 'rejected' }, { outcome: 'rejected' }])
  expect((await put([], ben.call)).status).toBe(403)
  expect((await anna.call('GET', '/api/me/personnel')).body).toMatchObject({ number: '007', cost_centre: 'K 1' })
})

test('[D31.1] [D31.2] the same sheets give the same bytes, and a reopened month the differences', async () => {
  const { anna, ben, hera, others, run, put, map } = await startPayroll()
  await map({})
  await put([{ user_id: anna.user, number: '007', cost_centre: 'K 1' }])
  const draft = await run({ draft: true })
  const text = [
    'personnel_number;name;month;wage_type;amount;unit;cost_centre',
    '007;Anna;2026-10;100;9,00;hours;K 1',
    '007;Anna;2026-10;300;0,50;days;K 1',
    '',
  ].join('\r\n')
  expect(draft).toMatchObject({ file: null, name: 'payroll-2026-10-draft.csv', draft: text })
  // It would compute each day until then.
  expect((await run({ draft: true, month: '9998-12' })).obstacles).toContainEqual(
    expect.objectContaining({ fault: 'not_locked', detail: 'Anna' }),
  )
  const nobody = await run({ draft: true, leave_out: [...others, anna.user] })
  expect(nobody.draft).toBe(text.slice(0, text.indexOf('007')))
  const first = (await run()).file
  expect((await run()).file).toEqual(first)
  const bytes = async (number: number) => (await hera.call('GET', `/api/team/exports/${number}`)).text
  expect(await bytes(first.number)).toBe(text)
  expect((await ben.call('GET', `/api/team/exports/${first.number}`)).status).toBe(403)
  await act(hera.call, 'reopen', anna.user, 'An hour was forgotten')
  expect((await run()).obstacles).toMatchObject([{ fault: 'not_locked', user_id: anna.user }])
  await record(anna.call, work('2026-10-08', '08', '09'), newId())
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const second = (await run()).file
  expect(second.number).toBe(2)
  expect((await bytes(2)).split('\r\n').slice(1)).toEqual(['007;Anna;2026-10;100;1,00;hours;K 1', ''])
  expect(await bytes(first.number)).toBe(text)
})

test('[D31.2] files sum up to the sheets: no difference is sent twice, and none is missing', async () => {
  const { anna, ben, hera, run, put, map } = await startPayroll()
  const form = { columns: ['month', 'wage_type', 'amount'], header: false }
  await map(form)
  await put([{ user_id: anna.user, number: '007' }])
  const lock = async () => {
    await submit(anna.call, '2026-09')
    await act(ben.call, 'lock', anna.user, null, '2026-09')
  }
  const rowsOf = async (more: object) => {
    const { file } = await run(more)
    const { text } = await hera.call('GET', `/api/team/exports/${file.number}`)
    return { number: file.number, rows: text.split('\r\n').slice(0, -1) }
  }
  const [september, october] = [{ month: '2026-09' }, { month: '2026-10' }]
  await record(anna.call, work('2026-09-07'))
  await lock()
  expect((await rowsOf(september)).rows).toEqual(['2026-09;100;9,00'])
  const first = await rowsOf(october)
  await act(hera.call, 'reopen', anna.user, 'An hour was forgotten', '2026-09')
  await record(anna.call, work('2026-09-08', '08', '09'))
  await lock()
  expect((await rowsOf(october)).rows).toEqual(['2026-09;100;1,00'])
  // The file of October has sent it.
  expect((await rowsOf(september)).rows).toEqual([])

  const other = { rules: MAPPING.rules.map((rule) => (rule.sum === 'worked' ? { ...rule, wage_type: '101' } : rule)) }
  await map({ ...form, ...other })
  const moved = ['2026-09;100;-10,00', '2026-09;101;10,00', '2026-10;100;-9,00', '2026-10;101;9,00']
  expect((await rowsOf(october)).rows).toEqual(moved)
  await map(form)
  const back = await rowsOf(october)
  expect(back.rows).toEqual(['2026-09;100;10,00', '2026-09;101;-10,00', '2026-10;100;9,00', '2026-10;101;-9,00'])
  expect(back.number).toBeGreaterThan(first.number)
  expect((await rowsOf(october)).number).toBe(back.number)
})

test('[D31.2] a month that is locked again is corrected however old it is', async () => {
  const { service, anna, ben, hera, run, put, map } = await startPayroll()
  const form = { columns: ['month', 'wage_type', 'amount'], header: false }
  await map(form)
  await put([{ user_id: anna.user, number: '007' }])
  const rowsOf = async (month: string) => {
    const { file } = await run({ month })
    return (await hera.call('GET', `/api/team/exports/${file.number}`)).text.split('\r\n').slice(0, -1)
  }
  expect(await rowsOf('2026-10')).toHaveLength(2)
  await act(hera.call, 'reopen', anna.user, 'An hour was forgotten')
  await record(anna.call, work('2026-10-08', '08', '09'))
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  await service.beside(({ driver }) =>
    driver.run(`UPDATE memberships SET until_date = '2026-10-31' WHERE user_id = $1`, [anna.user]),
  )
  expect(await rowsOf('2029-10')).toEqual(['2026-10;100;1,00'])
  expect(await rowsOf('2029-11')).toEqual([])
})

test('[D31.3] a sum without a mapping in a corrected earlier month stops the next file too', async () => {
  const { anna, ben, hera, run, put, map } = await startPayroll()
  await map({})
  await put([{ user_id: anna.user, number: '007' }])
  const lock = async () => {
    await submit(anna.call, '2026-09')
    await act(ben.call, 'lock', anna.user, null, '2026-09')
  }
  await record(anna.call, work('2026-09-07'))
  await lock()
  expect((await run({ month: '2026-09' })).file.number).toBe(1)
  await act(hera.call, 'reopen', anna.user, 'A day without pay was forgotten', '2026-09')
  await record(anna.call, { kind: 'unpaid', date: '2026-09-09', day_share: 1, amount_ms: null })
  await lock()
  for (const month of ['2026-09', '2026-10']) {
    expect((await run({ month })).obstacles).toEqual([{ fault: 'no_mapping', user_id: null, detail: 'unpaid' }])
  }
})

test('[D1.37] [D31.2] a run reads a few sheets at a time, those it needs, before it locks the company', async () => {
  const { service, anna, hera, company, put, map, others, all } = await startPayroll()
  await map({})
  await put([{ user_id: anna.user, number: '007' }])
  const [stored] = (await all('SELECT sheet FROM month_sheets')) as { sheet: string }[]
  const execute = (text: string, params: SqlValue[]) => service.beside(({ driver }) => driver.run(text, params))
  for (let number = 1; number <= 45; number += 1) {
    for (const month of ['2026-09', '2026-10']) {
      const sheet = stored?.sheet.replace('"2026-10"', `"${month}"`) ?? ''
      await execute(
        `INSERT INTO month_sheets (user_id, month, number, company_id, name, sheet, locked_by, locked_at)
         VALUES ($1, $2, 1, $3, 'Gone', $4, $5, '2026-11-01T00:00:00.000Z')`,
        [number, month, company.id, sheet, hera.user],
      )
    }
    await execute(`INSERT INTO personnel (company_id, user_id, number, cost_centre) VALUES ($1, $2, $3, '')`, [
      company.id,
      number,
      `N ${number}`,
    ])
  }
  const read = await service.beside(async ({ driver, records, users }) => {
    const noting = notingStatements(driver)
    const options = { driver: noting.driver, users, clock: service.clock, random: systemRandom, publicUrl: undefined }
    const { companies } = userParts({ ...options, secret: 'signs nothing here'.repeat(2) })
    const payroll = new Payroll({ driver: noting.driver, records, clock: service.clock, companies })
    const { outcome } = await payroll.run(hera.user, { month: '2026-10', draft: false, leave_out: others })
    return { outcome, statements: noting.statements }
  })
  expect(read.outcome).toBe('made')
  const places = (pattern: RegExp) => read.statements.flatMap((text, index) => (pattern.test(text) ? [index] : []))
  const ofSheets = places(/\bsheet FROM month_sheets/)
  // Those of 46 people, of one month: nothing was sent of another.
  expect(ofSheets).toHaveLength(3)
  const [lock] = places(/SELECT id FROM team_groups WHERE id = \$1/)
  expect(ofSheets.every((at) => at < (lock ?? 0))).toBe(true)
})

test('[D29.1] [D29.2] the trail of each person of a file says so once, by a job that the file leaves', async () => {
  const { anna, run, put, map, service } = await startPayroll()
  await map({})
  await put([{ user_id: anna.user, number: '007' }])
  const exports = async () =>
    (await anna.call('GET', '/api/me/trail')).body.items.filter(({ kind }: { kind: string }) => kind === 'exported')
  await run()
  expect(await exports()).toEqual([])
  await service.service.runDueJobs()
  const { check_code } = (await anna.call('GET', '/api/me/months/2026-10')).body
  const data = { month: '2026-10', check_code }
  expect(await exports()).toMatchObject([{ actor: { name: 'Hera' }, data }])
  await run()
  await service.service.runDueJobs()
  expect(await exports()).toHaveLength(1)
})

test('[D24.8] [D31.4] a token for payroll downloads files alone, and a member cannot delete the account', async () => {
  const { anna, hera, run, put, map, service } = await startPayroll()
  await map({})
  await put([{ user_id: anna.user, number: '007' }])
  const { number } = (await run()).file
  const token = (
    await hera.call('POST', '/api/me/tokens', { json: { name: 'x', scope: 'payroll', password: PASSWORD } })
  ).body
  const get = (path: string) => service.call('GET', path, { headers: { authorization: `Bearer ${token.token}` } })
  expect((await get(`/api/team/exports/${number}`)).status).toBe(200)
  for (const path of ['/api/team/exports', '/api/team/mapping', '/api/entries'])
    expect((await get(path)).status).toBe(403)
  const { headers } = await anna.call('GET', '/api/me/export')
  const gone = await anna.call('DELETE', '/api/me', {
    headers: { 'if-match': headers.get('etag') ?? '' },
    json: { password: PASSWORD },
  })
  expect([gone.status, gone.body.code]).toEqual([409, 'conflict'])
})

test('[D29.5] [D31.5] an exit date proposes hours of zero, and shows the vacation left in two ways', async () => {
  const { anna, ben, hera, put } = await startPayroll()
  const path = `/api/team/members/${anna.user}/settlement`
  expect((await hera.call('GET', path)).status).toBe(409)
  await put([{ user_id: anna.user, number: '007', exit_date: '2026-12-15' }])
  const vacation = { days_per_year: 24, carry_over_until: null }
  await anna.call('POST', '/api/settings', { json: { ...schedule, effective_from: '2026-11-01', vacation } })
  const { body } = await hera.call('GET', path)
  const { items } = (await anna.call('GET', '/api/me/trail')).body
  expect(items.at(-1)).toMatchObject({ kind: 'days_read', actor: { name: 'Hera' } })
  // November is whole, December is not; a day of October was vacation.
  expect(body).toMatchObject({
    ...{ exit_date: '2026-12-15', vacation: { twelfths: 1, full: 3 } },
    balance_on: '2026-11-20',
  })
  expect(body.changes).toMatchObject([{ record: { effective_from: '2026-12-16', target_ms: [0, 0, 0, 0, 0, 0, 0] } }])
  expect((await ben.call('GET', path)).status).toBe(404)
  // Days ahead are planned, and nobody owes them yet.
  await put([{ user_id: anna.user, number: '007', exit_date: '2026-11-20' }])
  // Hours and vacation that are planned for later end with the exit.
  const partTime = { ...schedule, effective_from: '2026-12-01', vacation: { ...vacation, days_per_year: 12 } }
  await anna.call('POST', '/api/settings', { json: partTime })
  await record(anna.call, { kind: 'vacation', date: '2026-12-28', day_share: 1, amount_ms: null })
  const past = (await hera.call('GET', path)).body
  expect([past.balance_on, past.balance_ms]).toEqual(['2026-11-20', body.balance_ms])
  expect(past.vacation).toEqual({ twelfths: -1, full: 3 })
  const json = { id: newId(), reason: 'The contract ends', changes: past.changes }
  const proposal = (await hera.call('POST', `/api/team/members/${anna.user}/changes`, { json })).body
  await anna.call('POST', `/api/me/proposals/${proposal.id}/answer`, { json: { answer: 'accept' } })
  const days = (await anna.call('GET', '/api/account/days?from=2026-11-20&to=2026-12-02')).body.items
  expect(days.map(({ target_ms }: { target_ms: number }) => target_ms)).toEqual([
    8 * 3_600_000,
    ...Array<number>(12).fill(0),
  ])
})

test('[D31.5] a settlement shows no balance of a date before the membership, and no field of a program', async () => {
  const { anna, hera } = await startMonths()
  const own = { ...schedule, effective_from: '2025-01-01', note: 'mine', of_a_program: 'therapy on Mondays' }
  const [row] = (await anna.call('GET', '/api/settings')).body.items
  expect((await anna.call('PUT', `/api/settings/${row.id}`, { json: own })).status).toBe(200)
  const read = async (exit_date: string) => {
    await hera.call('PUT', '/api/team/personnel', { json: { items: [{ user_id: anna.user, exit_date }] } })
    return hera.call('GET', `/api/team/members/${anna.user}/settlement`)
  }
  const { body, text } = await read('2026-12-15')
  expect(body.changes).toMatchObject([{ record: { time_zone: 'Europe/Berlin', note: '' } }])
  expect(text).not.toMatch(/mine|therapy/)
  expect((await read('2026-01-01')).status).toBe(200)
  expect((await read('2025-12-31')).status).toBe(409)
})

test('[D31.4] [D31.6] what outlives an account goes once its retention has ended, and nothing of others', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const older = await startCompany(service)
  const { id } = await older.group('Older')
  // Its rules cannot be read, which stops no other company.
  await older.run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, 1, '2026-01-01', '{', $2)`,
    [id, '2026-01-01T00:00:00.000Z'],
  )
  const { anna, ben, run, put, map, all, setRules, company, makeAdmin } = await startPayroll(service)
  await older.run(
    `INSERT INTO month_sheets (user_id, month, number, company_id, name, sheet, locked_by, locked_at)
     VALUES ($1, '2025-01', 1, $2, '', '{}', $1, '')`,
    [ben.user, id],
  )
  await map({})
  await submit(ben.call)
  await put([anna, ben].map(({ user }, index) => ({ user_id: user, number: `00${index}` })))
  expect((await run()).file).toMatchObject({ number: 1 })
  expect((await anna.call('GET', '/api/me/months')).body.months_kept).toBe(36)
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to: '2026-11-20' }], versions: [] })
  // Anna was the first, and an admin is needed.
  await makeAdmin(ben.user)
  const { headers } = await anna.call('GET', '/api/me/export')
  const json = { password: PASSWORD }
  const deleted = await anna.call('DELETE', '/api/me', { headers: { 'if-match': headers.get('etag') ?? '' }, json })
  expect(deleted.status).toBe(204)
  const kept = async () => {
    const counts = ['month_sheets', 'account_trail', 'personnel', 'payroll_files'].map(async (table) => {
      const ofAnna = table === 'payroll_files' ? '' : `WHERE user_id = ${anna.user}`
      return (await all(`SELECT * FROM ${table} ${ofAnna}`)).length > 0
    })
    return Promise.all(counts)
  }
  const passed = async (months: number) => {
    service.clock.advance(months * 31 * 24 * HOUR_MS)
    await service.service.eraseDue()
    return kept()
  }
  expect(await passed(0)).toEqual([true, true, true, true])
  expect(await passed(33)).toEqual([true, true, true, true])
  expect(await passed(4)).toEqual([false, false, false, false])
  expect(await all('SELECT company_id AS id FROM month_sheets')).toEqual([{ id }])
  for (const table of ['personnel', 'account_trail']) {
    const rows = await all(`SELECT user_id FROM ${table} WHERE company_id = ${company.id}`)
    expect(rows, table).toEqual([{ user_id: ben.user }])
  }
  expect(JSON.stringify(service.log)).toContain('ending the retention of a company failed')
})
