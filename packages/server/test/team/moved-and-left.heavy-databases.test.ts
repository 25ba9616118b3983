import { defaultPolicy, instantOf, LAST_DATE, type LocalDate, type Month, noMapping } from '@saldo/core'
import { expect, test } from 'vitest'
import { PASSWORD } from '../http/browser.ts'
import { newId, push, timeOf } from '../http/resources.ts'
import type { Member } from './company.ts'
import { act, HOUR_MS, record, schedule, startMonths, submit, work } from './month-company.ts'

type Company = Awaited<ReturnType<typeof startMonths>>

/** Ends Anna's membership, and lets her accept one in another group or company. */
async function move(
  { run, setRules, anna, service }: Company,
  until: LocalDate,
  { from = '2026-11-01', to }: { from?: LocalDate; to?: { id: number; path: string } } = {},
) {
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, until])
  if (to) {
    await run(
      `INSERT INTO memberships (user_id, group_id, from_date, accepted_on, created_at) VALUES ($1, $2, $3, $3, $4)`,
      [anna.user, to.id, from, timeOf(service)],
    )
  }
  const company = Number(to?.path.split('/')[1])
  await setRules(anna.user, to ? { company, dates: [{ from: from, to: LAST_DATE }], versions: [] } : null)
  await run('UPDATE jobs SET due_ms = 0', [])
  await service.service.runDueJobs()
}

const sheetOf = (viewer: Member, { user }: Member, month: string) =>
  viewer.call('GET', `/api/team/members/${user}/months/${month}`)
const boardOf = async (viewer: Member, { user }: Member, month: string) =>
  (await viewer.call('GET', `/api/team/board?month=${month}`)).body.items.find(
    (row: { user_id: number }) => row.user_id === user,
  )
const trailOf = async (viewer: Member, { user }: Member, after = 0) =>
  (await viewer.call('GET', `/api/team/members/${user}/trail?after=${after}`)).body.items
const kindsOf = (rows: { kind: string }[]) => rows.map(({ kind }) => kind)
const proposalOf = (reason: string) => ({
  id: newId(),
  reason,
  changes: [{ kind: 'entries', op: 'delete', id: newId(), updated_at: '2026-11-21T08:00:00Z' }],
})
const leaveOf = (viewer: Member, users: number[], from: LocalDate, to: LocalDate, act = '') =>
  viewer.call('POST', `/api/team/leave${act}`, { json: { id: newId(), kind: 'paid_other', from, to, users } })

test('[D25.12] the lead of a group sees its members on the dates of that group alone', async () => {
  const made = await startMonths({ lead_days: 'times', lead_balance: 'figure' })
  const { anna, ben, company, group } = made
  await record(anna.call, work('2026-10-05'))
  await record(anna.call, work('2026-11-05'))
  await record(anna.call, { kind: 'vacation', date: '2026-10-20', day_share: 1, amount_ms: null })
  await record(anna.call, { kind: 'vacation', date: '2026-12-10', day_share: 1, amount_ms: null })
  await record(anna.call, {
    ...{ kind: 'request', asks: 'absence', absence: 'vacation', planned: true },
    ...{ date: '2026-12-14', last_date: '2026-12-15' },
  })
  await move(made, '2026-10-30', { from: '2026-10-31', to: await group('Elsewhere', company) })

  expect((await sheetOf(ben, anna, '2026-11')).status).toBe(404)
  const october = (await sheetOf(ben, anna, '2026-10')).body
  expect(october.sheet.days.at(-1).date).toBe('2026-10-30')
  expect(october).toMatchObject({ shows_balance: false, sheet: { totals: { worked_ms: 9 * HOUR_MS } } })
  const { items } = (await ben.call('GET', '/api/team/away?from=2026-10-01&to=2027-01-31')).body
  expect(items.find((one: { user_id: number }) => one.user_id === anna.user).dates).toEqual([
    { from: '2026-10-20', to: '2026-10-20', sight: 'away', kind: 'vacation' },
  ])
  const row = await boardOf(ben, anna, '2026-10')
  expect(row).toMatchObject({ state: 'open', balance: null, vacation_left: null, waiting: 0 })
  expect(row.without_entries).not.toContain('2026-10-31')
  expect(row.without_entries).toContain('2026-10-30')
  expect(await boardOf(ben, anna, '2026-11')).toBe(undefined)
})

test('[D24.3] [D25.12] of somebody who has left, the board has the last month and nothing of the present', async () => {
  const made = await startMonths({ lead_balance: 'figure' })
  const { anna, ben, hera } = made
  await record(anna.call, { kind: 'vacation', date: '2026-10-20', day_share: 1, amount_ms: null })
  await move(made, '2026-10-15')
  for (const viewer of [ben, hera]) {
    const row = await boardOf(viewer, anna, '2026-10')
    expect(row).toMatchObject({ balance: null, vacation_left: null, waiting: 0 })
    expect(row.without_entries.at(-1)).toBe('2026-10-15')
  }
})

test('[D24.3] a company goes on naming those who have left as it knew them, wherever they are named', async () => {
  const made = await startMonths({ hr_changes: 'apply', lock_unsubmitted: true })
  const { anna, ben, hera, member, company, role } = made
  const ida = await member('Ida', company)
  await role(ida.user, 'hr', company.id)
  await hera.call('POST', `/api/team/members/${ben.user}/changes`, { json: proposalOf('A forgotten entry') })
  await sheetOf(hera, ben, '2026-10')
  await submit(ben.call)
  await act(hera.call, 'return', ben.user, 'A day is missing')
  await submit(anna.call)
  await move(made, '2026-10-31')
  const dates = [{ from: '2026-01-01', to: '2026-10-31' } as const]
  await made.setRules(anna.user, { company: company.id, dates, versions: [] })
  await made.run("UPDATE memberships SET until_date = '2026-11-20' WHERE user_id = $1", [hera.user])
  for (const { call } of [anna, hera]) await call('PATCH', '/api/me', { json: { name: 'Chosen later' } })
  await act(ida.call, 'lock', anna.user)
  const paths = [
    ...['/api/team/board?month=2026-10', '/api/team/away?from=2026-10-01&to=2026-10-31', '/api/team/people'],
    ...['changes', 'trail', 'months/2026-10'].map((part) => `/api/team/members/${ben.user}/${part}`),
  ]
  const texts = [
    ...(await Promise.all(paths.map(async (path) => (await ida.call('GET', path)).text))),
    ...(await Promise.all(['proposals', 'trail', 'months'].map((own) => ben.call('GET', `/api/me/${own}`)))).map(
      ({ text }) => text,
    ),
    JSON.stringify(await made.all('SELECT name FROM month_sheets')),
  ]
  for (const text of texts) expect(text).toMatch(/Anna|Hera/)
  expect(texts.join()).not.toContain('Chosen later')
})

test('[D25.4] colleagues get no names of those who have left their group before', async () => {
  const made = await startMonths()
  const { anna, team, member } = made
  const paul = await member('Paul', team)
  await move(made, '2026-10-15')
  const { items } = (await paul.call('GET', '/api/team/away?from=2026-01-01&to=2026-12-31')).body
  expect(items.map((one: { user_id: number }) => one.user_id)).not.toContain(anna.user)
})

test('[D25.4] no list says whose membership ends', async () => {
  const made = await startMonths()
  const { anna, team, member } = made
  const paul = await member('Paul', team)
  await move(made, '2027-01-31')
  for (const from of ['2026-11-21', '2027-02-01']) {
    const { items } = (await paul.call('GET', `/api/team/away?from=${from}&to=2027-03-31`)).body
    expect(items.map((one: { user_id: number }) => one.user_id)).toContain(anna.user)
  }
})

test('[D24.20] the roles of somebody end with their last membership in the company', async () => {
  const made = await startMonths()
  const { anna, ben, hera, run, role, company } = made
  const boardStatus = async () => (await ben.call('GET', '/api/team/board')).status
  const end = (user: number, until: string) =>
    run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [user, until])
  expect(await boardStatus()).toBe(200)
  await end(ben.user, '2026-11-20')
  await run(`UPDATE users SET role = 'user' WHERE id = $1`, [ben.user])
  expect(await boardStatus()).toBe(404)
  expect((await sheetOf(ben, anna, '2026-10')).status).toBe(404)
  const { items } = (await hera.call('GET', '/api/team/roles')).body
  expect(items.find((one: { user: { user_id: number } }) => one.user.user_id === ben.user)).toMatchObject({
    ...{ state: 'ended', until: '2026-11-20' },
  })
  // One without a membership has theirs as given.
  await run('DELETE FROM memberships WHERE user_id = $1', [hera.user])
  await role(hera.user, 'payroll', company.id)
  expect((await hera.call('GET', '/api/team/board')).status).toBe(200)
})

test('[D24.20] a role that begins after the last membership is refused, and ends if it was given before', async () => {
  const made = await startMonths()
  const { ben, hera, run, company, service } = made
  await service.service.runDueJobs()
  const give = async (from: LocalDate) => {
    const item = { user_id: ben.user, role: 'payroll', group_id: company.id, from, until: null }
    const json = { items: [item], password: PASSWORD }
    return (await hera.call('PUT', '/api/team/roles', { json })).body.items[0]
  }
  await run(`UPDATE users SET role = 'user' WHERE id = $1`, [ben.user])
  expect((await give('2026-11-15')).outcome).toBe('added')
  await run('UPDATE team_roles SET confirmed_at = created_at WHERE user_id = $1', [ben.user])
  await run(`UPDATE memberships SET until_date = '2026-11-10' WHERE user_id = $1`, [ben.user])
  expect((await ben.call('GET', '/api/team/exports')).status).toBe(404)
  expect(await give('2026-11-15')).toMatchObject({ outcome: 'rejected', refusal: 'membership_ended' })
  expect(await give('2026-11-21')).toMatchObject({ outcome: 'rejected', refusal: 'membership_ended' })
})

test('[D24.20] the roles of somebody who comes back are not in force again', async () => {
  const made = await startMonths()
  const { anna, ben, hera, run, all, team } = made
  await run(`UPDATE users SET role = 'user' WHERE id = $1`, [ben.user])
  await run(`UPDATE memberships SET until_date = '2026-11-10' WHERE user_id = $1`, [ben.user])
  const items = [{ email: 'ben@example.com', group_id: team.id, from: '2026-11-15', until: null }]
  expect((await hera.call('PUT', '/api/team/people', { json: { items } })).body.items[0].outcome).toBe('added')
  const [offered] = (await ben.call('GET', '/api/me/memberships')).body.items
  expect((await ben.call('POST', `/api/me/memberships/${offered.id}/acceptance`)).status).toBe(200)
  expect((await ben.call('GET', '/api/team')).body).toMatchObject({ is_member: true, roles: [] })
  expect((await ben.call('GET', '/api/team/board')).status).toBe(403)
  expect((await sheetOf(ben, anna, '2026-10')).status).toBe(404)
  const stored = await all(`SELECT until_date AS until FROM team_roles WHERE user_id = ${ben.user}`)
  expect(stored).toEqual([{ until: '2026-11-10' }])
})

test('[D24.3] whoever was only offered a membership reads what accepting means, and nothing else', async () => {
  const made = await startMonths()
  const { hera, member, team, service, run } = made
  const blocks = [{ group_id: team.id, from: '2026-12-01', to: '2026-12-24', reason: 'Stocktaking' }]
  expect((await hera.call('PUT', '/api/team/blocks', { json: { items: blocks } })).status).toBe(200)
  const eve = await member('Eve', team, { acceptedOn: null })
  await run(`UPDATE users SET role = 'user' WHERE id = $1`, [eve.user])
  await service.service.runDueJobs()
  expect((await eve.call('GET', '/api/me')).body.has_company).toBe(true)
  expect((await eve.call('GET', '/api/me/memberships')).body.items).toMatchObject([{ company: 'Firma' }])
  expect((await eve.call('GET', '/api/team')).body).toMatchObject({ company: { name: 'Firma' }, is_member: false })
  const paths = [
    'blocks',
    'policy',
    'away?from=2026-11-01&to=2026-12-31',
    'substitutions',
    'people',
    'groups',
    'roles',
    'trail',
    'board',
  ]
  const statuses = await Promise.all(paths.map(async (path) => (await eve.call('GET', `/api/team/${path}`)).status))
  expect(statuses).toEqual(paths.map(() => 404))
  expect((await eve.call('GET', '/api/me/requests')).status).toBe(404)
  // An admin who is invited manages the company that the summary names.
  const other = await made.group('Zweite')
  const frank = await member('Frank', other, { acceptedOn: null })
  await made.makeAdmin(frank.user)
  expect((await frank.call('GET', '/api/team/groups')).body.items).toMatchObject([{ id: other.id }])
  const paul = await member('Paul', team)
  await run(`UPDATE users SET role = 'user' WHERE id = $1`, [paul.user])
  expect((await paul.call('GET', '/api/team/blocks')).body.items).toEqual(blocks)
})

test('[D24.20] the membership of the only HR does not end before somebody else is HR', async () => {
  const made = await startMonths()
  const { anna, hera, company, role } = made
  const end = async () => {
    const items = [{ email: 'hera@example.com', group_id: company.id, from: '2026-01-01', until: '2026-11-30' }]
    return (await hera.call('PUT', '/api/team/people', { json: { items } })).body.items[0].outcome
  }
  expect(await end()).toBe('rejected')
  await role(anna.user, 'hr', company.id)
  expect(await end()).toBe('changed')
})

test('[D24.3] when somebody uses Saldo shows while they are a member alone', async () => {
  const made = await startMonths()
  const { anna, hera } = made
  const activeOf = async () => {
    const { items } = (await hera.call('GET', '/api/team/people')).body
    return items.find((one: { user_id: number }) => one.user_id === anna.user).last_active_at
  }
  expect(await activeOf()).not.toBe(null)
  const setDates = (dates: string) => made.run(`UPDATE memberships SET ${dates} WHERE user_id = $1`, [anna.user])
  // Accepted ahead, it begins later; then she was active last before it began.
  await setDates(`from_date = '2026-12-01', accepted_on = '2026-11-20'`)
  expect(await activeOf()).toBe(null)
  await setDates(`from_date = '2026-11-21'`)
  await made.run(`UPDATE users SET last_active_at = '2026-11-20T12:00:00.000Z' WHERE id = $1`, [anna.user])
  expect(await activeOf()).toBe(null)
  await setDates(`from_date = '2026-11-20'`)
  expect(await activeOf()).not.toBe(null)
  await move(made, '2026-10-31')
  expect(await activeOf()).toBe(null)
})

test('[D24.3] a membership that has ended is not made longer, since its person has accepted no more', async () => {
  const made = await startMonths()
  const { anna, hera, team } = made
  await move(made, '2026-10-31')
  const put = async (until: LocalDate | null) =>
    (
      await hera.call('PUT', '/api/team/people', {
        json: { items: [{ email: 'anna@example.com', group_id: team.id, from: '2026-01-01', until }] },
      })
    ).body.items[0].outcome
  expect([await put(null), await put('2026-12-31'), await put('2026-10-15')]).toEqual([
    'rejected',
    'rejected',
    'changed',
  ])
  expect((await sheetOf(hera, anna, '2026-11')).status).toBe(404)
})

test('[D28.7] company leave takes days of members within their memberships alone', async () => {
  const made = await startMonths()
  const { anna, hera, run } = made
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, '2026-12-02'])
  await record(anna.call, { kind: 'sick', date: '2026-12-03', day_share: 1, amount_ms: null })
  const [written] = (await leaveOf(hera, [anna.user], '2026-12-01', '2026-12-04')).body.items
  expect(written).toMatchObject({ dates: ['2026-12-01', '2026-12-02'], left_out: [] })
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, '2026-11-20'])
  for (const act of ['', '/preview', '/removal']) {
    const [result] = (await leaveOf(hera, [anna.user], '2026-11-02', '2026-11-06', act)).body.items
    expect(result).toMatchObject({ dates: [], left_out: [], detail: 'This is nobody of yours.' })
  }
})

test('[D28.7] company leave of a locked month that cannot be locked again is refused as that', async () => {
  const { anna, ben, hera, run } = await startMonths()
  await submit(anna.call)
  expect(await act(ben.call, 'lock', anna.user)).toMatchObject({ outcome: 'changed' })
  const task = { kind: 'recompute', ranges: [{ from: '2026-10-01', to: '2026-10-31' }], causes: [] }
  await run(`INSERT INTO jobs (user_id, id, due_ms, task) VALUES ($1, 'recompute', $2, $3)`, [
    ...[anna.user, 9e15, JSON.stringify(task)],
  ])
  const [result] = (await leaveOf(hera, [anna.user], '2026-10-05', '2026-10-05')).body.items
  expect(result).toMatchObject({
    dates: [],
    refusal: 'not_possible',
    detail: expect.stringContaining('cannot be locked again'),
  })
})

test('[D24.7] [D24.19] [D29.6] whoever has left reads own months and trail, and nothing of the company', async () => {
  const made = await startMonths({ lead_balance: 'figure' })
  const { anna, hera, company, run, setRules } = made
  await record(anna.call, work('2026-10-05'))
  expect((await sheetOf(hera, anna, '2026-10')).status).toBe(200)
  expect((await anna.call('GET', '/api/team')).body).toMatchObject({ is_member: true, left_on: null })
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, '2026-10-31'])
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to: '2026-10-31' }], versions: [] })
  expect((await anna.call('GET', '/api/team')).body).toMatchObject({ is_admin: true, left_on: '2026-10-31' })
  await run(`UPDATE users SET role = 'user' WHERE id = $1`, [anna.user])
  await run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, 2, '2026-11-01', $2, $3)`,
    [company.id, JSON.stringify(defaultPolicy), timeOf(made.service)],
  )
  expect((await anna.call('GET', '/api/team')).body).toMatchObject({
    ...{ company: { name: 'Firma' }, roles: [], is_member: false, left_on: '2026-10-31', is_admin: false },
    ...{ policy: { policy: { lead_balance: 'figure' } }, next_policy: null },
  })
  const months = (await anna.call('GET', '/api/me/months')).body.items.map(({ month }: { month: string }) => month)
  expect(months).toEqual(['2026-10', '2026-09'])
  expect((await anna.call('POST', '/api/me/months/2026-10/submission')).status).toBe(204)
  expect(kindsOf((await anna.call('GET', '/api/me/trail')).body.items)).toEqual([
    'own_change',
    'sheet_read',
    'month_submitted',
  ])
  for (const path of ['away?from=2026-10-01&to=2026-10-31', 'groups', 'policy', 'board', 'people-search'])
    expect((await anna.call('GET', `/api/team/${path}`)).status, path).toBeGreaterThan(400)
})

test('[D27.15] [D28.8] HR writes no own company leave and locks no own month, but the only one who may', async () => {
  for (const isAllowed of [false, true]) {
    const { hera, anna, ben } = await startMonths({ sole_hr_decides: isAllowed, lock_unsubmitted: true })
    await hera.call('POST', '/api/settings', { json: schedule })
    const { items } = (await leaveOf(hera, [hera.user, anna.user], '2026-12-01', '2026-12-04')).body
    expect(items.map(({ dates }: { dates: string[] }) => dates.length)).toEqual([isAllowed ? 4 : 0, 4])
    expect((await act(hera.call, 'lock', hera.user)).outcome).toBe(isAllowed ? 'changed' : 'rejected')
    await ben.call('POST', '/api/settings', { json: schedule })
    await submit(ben.call)
    expect((await act(ben.call, 'lock', ben.user)).refusal).toBe('not_allowed')
  }
})

test('[D27.18] [D29.8] each of two companies sees what happened in its own time', async () => {
  const made = await startMonths({ lock_unsubmitted: true })
  const { anna, hera, company, run, setRules, group, member, role } = made
  await record(anna.call, work('2026-10-05'))
  await record(anna.call, work('2026-10-20'))
  await hera.call('POST', `/api/team/members/${anna.user}/changes`, { json: proposalOf('A reason of the first') })
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, '2026-10-31'])
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to: '2026-10-31' }], versions: [] })
  expect(await act(hera.call, 'lock', anna.user)).toMatchObject({ outcome: 'changed' })

  const second = await group('Zweite')
  const yara = await member('Yara', second)
  await role(yara.user, 'hr', second.id)
  await run(
    `INSERT INTO memberships (user_id, group_id, from_date, accepted_on, created_at) VALUES ($1, $2, $3, $3, $4)`,
    [anna.user, second.id, '2026-10-15', '2026-10-15T00:00:00.000Z'],
  )
  await run(`UPDATE memberships SET until_date = '2026-10-10' WHERE user_id = $1 AND from_date = '2026-01-01'`, [
    anna.user,
  ])
  await setRules(anna.user, { company: second.id, dates: [{ from: '2026-10-15', to: LAST_DATE }], versions: [] })
  // The first company did all that in October.
  await run(`UPDATE account_trail SET at = '2026-10-09T12:00:00.000Z' WHERE user_id = $1`, [anna.user])
  await run(`UPDATE proposals SET proposed_at = '2026-10-09T12:00:00.000Z' WHERE user_id = $1`, [anna.user])

  const shared = (await sheetOf(yara, anna, '2026-10')).body
  expect(shared).toMatchObject({ sheet: null, check_code: null, changed_by: null, reason: null, is_stored: false })
  expect((await yara.call('GET', `/api/team/members/${anna.user}/changes`)).body.items).toEqual([])
  expect(kindsOf(await trailOf(yara, anna))).toEqual(['sheet_read', 'trail_read'])
  await yara.call('POST', `/api/team/members/${anna.user}/changes`, { json: proposalOf('A reason of the second') })

  const first = (await hera.call('GET', `/api/team/members/${anna.user}/trail`)).body
  expect(kindsOf(first.items)).toEqual(['own_change', 'own_change', 'change_proposed', 'month_locked'])
  // A hash or the number of the last row would tell of the rows of the second company.
  expect(Object.keys(first)).toEqual(['items', 'cursor'])
  expect(first.cursor).toBe(null)
  expect(first.items[0]).not.toHaveProperty('hash')
  for (const action of ['return', 'reopen', 'lock']) {
    expect(await act(hera.call, action, anna.user, 'A reason that is long enough')).toMatchObject({
      detail: 'This is nobody of yours.',
    })
  }
  expect((await sheetOf(hera, anna, '2026-10')).body.is_stored).toBe(true)
  for (const action of ['reopen', 'lock']) {
    const detail = 'Another company has locked 2026-10.'
    expect(await act(yara.call, action, anna.user, 'Two days are missing')).toMatchObject({ detail })
  }
  const opened = {
    month: '2026-10' as Month,
    company: second.id,
    state: 'open',
    by: hera.user,
    at: instantOf(0),
    reason: null,
    digest: null,
  } as const
  await made.service.beside(({ records }) => records.write(anna.user, (writer) => writer.putMonth(opened)))
  expect((await sheetOf(hera, anna, '2026-10')).body.sheet).toBe(null)
  expect((await sheetOf(yara, anna, '2026-10')).body.sheet.days[0].date).toBe('2026-10-15')
  expect((await leaveOf(hera, [anna.user], '2026-10-05', '2026-10-30')).body.items[0].dates).toEqual([])
})

test('[D27.18] [D31.2] a company changes its own dates alone, and no month that another one has locked', async () => {
  const made = await startMonths({ lock_unsubmitted: true })
  const { anna, hera, ben, run, all, setRules, group, member, role, service } = made
  await record(anna.call, work('2026-09-07'))
  await record(anna.call, work('2026-10-05'))
  for (const month of ['2026-09', '2026-10']) await act(hera.call, 'lock', anna.user, null, month)
  await hera.call('PUT', '/api/team/mapping', {
    json: { ...noMapping, rules: [{ sum: 'worked', wage_type: '100', unit: 'hours' }] },
  })
  await hera.call('PUT', '/api/team/personnel', { json: { items: [{ user_id: anna.user, number: '7' }] } })
  const payroll = async () => {
    const json = { month: '2026-10', leave_out: [ben.user, hera.user] }
    return (await hera.call('POST', '/api/team/exports', { json })).body
  }
  const { file } = await payroll()

  const second = await group('Zweite')
  const yara = await member('Yara', second)
  await role(yara.user, 'hr', second.id)
  await run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, 1, '2026-01-01', $2, $3)`,
    [second.id, JSON.stringify({ ...defaultPolicy, hr_changes: 'apply' }), timeOf(service)],
  )
  await run(`UPDATE memberships SET until_date = '2026-11-10' WHERE user_id = $1`, [anna.user])
  await run(
    `INSERT INTO memberships (user_id, group_id, from_date, until_date, accepted_on, created_at)
     VALUES ($1, $2, '2026-11-15', '2026-12-31', '2026-11-15', $3)`,
    [anna.user, second.id, timeOf(service)],
  )
  await setRules(anna.user, { company: second.id, dates: [{ from: '2026-11-15', to: '2026-12-31' }], versions: [] })

  const changeOf = (kind: string, content: object) => {
    const record = { id: newId(), updated_at: timeOf(service), ...content }
    return { kind, op: 'upsert', id: record.id, record }
  }
  const overTwoMonths = { ...work('2026-10-01', '01', '04'), started_at: '2026-09-30T20:00:00.000Z' }
  const foreign = [
    changeOf('entries', work('2026-10-08', '08', '09')),
    changeOf('entries', overTwoMonths),
    changeOf('entries', work('2026-11-12')),
    changeOf('entries', { kind: 'vacation_grant', date: '2020-01-01', days: 20 }),
    changeOf('balance_adjustments', {
      effective_date: '2020-01-01',
      delta_ms: HOUR_MS,
      kind: 'correction',
      reason: 'x',
    }),
    changeOf('settings_history', { ...schedule, effective_from: '2026-10-15' }),
    { kind: 'entries', op: 'delete', id: await record(anna.call, work('2026-11-13')), updated_at: timeOf(service) },
  ]
  const make = async (change: object, more: object) => {
    const json = { id: newId(), reason: 'A change of HR', changes: [change], ...more }
    return (await yara.call('POST', `/api/team/members/${anna.user}/changes`, { json })).body
  }
  const detail = 'Change 1 cannot be made: it has dates on which the person is not a member of the company.'
  for (const change of foreign) {
    for (const apply of [true, false]) expect(await make(change, { apply })).toMatchObject({ detail })
  }
  for (const content of [schedule, { ...schedule, effective_from: '2027-01-01' }]) {
    const change = changeOf('settings_history', { ...content, target_ms: [0, 0, 0, 0, 0, 0, 0] })
    expect((await make(change, { apply: false })).state, JSON.stringify(content)).toBe(
      content === schedule ? undefined : 'waiting',
    )
  }
  expect((await make(changeOf('entries', work('2026-11-17')), { apply: true })).state).toBe('applied')

  const request = newId()
  const dates = { date: '2026-10-08', last_date: '2026-11-17' }
  await record(anna.call, { kind: 'request', asks: 'change', ...dates, changes: [foreign[0]] }, request)
  const path = `/api/team/requests/${anna.user}/${request}`
  const { digest } = (await yara.call('GET', path)).body
  const approved = await yara.call('POST', `${path}/decision`, { json: { digest, outcome: 'approved' } })
  expect([approved.status, approved.body.detail]).toEqual([409, detail])

  expect(await all(`SELECT month, state FROM months WHERE user_id = ${anna.user} ORDER BY month`)).toEqual([
    { month: '2026-09', state: 'locked' },
    { month: '2026-10', state: 'locked' },
  ])
  await service.beside(({ records }) =>
    records.write(anna.user, async (writer) => {
      for (const sheet of await writer.lastSheets('2026-10')) await writer.putSheet({ ...sheet, company: second.id })
    }),
  )
  expect((await payroll()).file).toEqual(file)
})

test('[D27.18] no company changes a month within its membership that another one has locked', async () => {
  const made = await startMonths({ lock_unsubmitted: true, hr_changes: 'apply' })
  const { anna, hera, run, group } = made
  await act(hera.call, 'lock', anna.user)
  await run('UPDATE month_sheets SET company_id = $1', [(await group('Zweite')).id])
  const change = {
    kind: 'entries',
    op: 'upsert',
    record: { id: newId(), ...work('2026-10-08'), updated_at: timeOf(made.service) },
  }
  for (const apply of [true, false]) {
    const json = { id: newId(), reason: 'A change of HR', changes: [change], apply }
    const { status, body } = await hera.call('POST', `/api/team/members/${anna.user}/changes`, { json })
    expect([status, body.detail]).toEqual([409, 'Another company has locked 2026-10.'])
  }
  const [left] = (await leaveOf(hera, [anna.user], '2026-10-12', '2026-10-13')).body.items
  expect(left).toMatchObject({ refusal: 'not_possible', detail: 'Another company has locked 2026-10.' })
})

test('[D28.1] a proposal ends once its person belongs to another company, also on that day', async () => {
  const { anna, hera, run, group, setRules, service } = await startMonths({ lock_unsubmitted: true })
  const propose = async () => {
    const json = proposalOf('A reason of the first')
    await hera.call('POST', `/api/team/members/${anna.user}/changes`, { json })
    return json.id
  }
  const accept = (id: string) => anna.call('POST', `/api/me/proposals/${id}/answer`, { json: { answer: 'accept' } })
  const ids = [await propose(), await propose()]
  await run(`UPDATE proposals SET proposed_at = '2026-11-03T12:00:00.000Z' WHERE user_id = $1 AND id = $2`, [
    ...[anna.user, ids[0] ?? ''],
  ])
  await run(`UPDATE memberships SET until_date = '2026-11-20' WHERE user_id = $1`, [anna.user])
  const second = await group('Zweite')
  await run(
    `INSERT INTO memberships (user_id, group_id, from_date, accepted_on, created_at) VALUES ($1, $2, $3, $3, $4)`,
    [anna.user, second.id, '2026-11-21', timeOf(service)],
  )
  await setRules(anna.user, { company: second.id, dates: [{ from: '2026-11-21', to: LAST_DATE }], versions: [] })
  expect((await anna.call('GET', '/api/me/proposals')).body.items).toEqual([])
  for (const id of ids) expect((await accept(id)).status).toBe(404)
})

test('[D29.2] own changes of dates outside the membership are in no trail', async () => {
  const { anna, company, setRules } = await startMonths()
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-10-01', to: '2026-11-10' }], versions: [] })
  for (const date of ['2026-09-30', '2026-11-11'] as const) await record(anna.call, work(date, '08', '09'))
  expect((await anna.call('GET', '/api/me/trail')).body.items).toEqual([])
  await record(anna.call, work('2026-10-01'))
  expect(kindsOf((await anna.call('GET', '/api/me/trail')).body.items)).toEqual(['own_change'])
})

test('[D28.6] for 62 days after the last date, HR settles somebody, and those who decided decide', async () => {
  const made = await startMonths({ managed: ['adjustments'] })
  const { service, anna, ben, hera, company, run, setRules } = made
  const request = { kind: 'request', asks: 'absence', absence: 'vacation', date: '2026-09-18', last_date: '2026-09-18' }
  const [id, updated_at] = [newId(), '2026-09-15T08:00:00.000Z']
  await push(anna.call, [{ kind: 'entries', op: 'upsert', record: { ...request, id, updated_at } }])
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, '2026-09-20'])
  const versions = [{ from: '2026-01-01' as const, ask: [], cancelAhead: [], managed: ['adjustments' as const] }]
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to: '2026-09-20' }], versions })
  await run(`INSERT INTO personnel (company_id, user_id, number, cost_centre, exit_date) VALUES ($1, $2, '', '', $3)`, [
    company.id,
    anna.user,
    '2026-09-20',
  ])
  await service.service.runDueJobs()
  const adjust = async (effective_date: LocalDate) => {
    const json = { id: newId(), effective_date, delta_ms: HOUR_MS, kind: 'correction', reason: 'mine' }
    return (await anna.call('POST', '/api/balance/adjustments', { json })).status
  }
  const member = `/api/team/members/${anna.user}`
  const statuses = async () => [
    await adjust('2026-09-20'),
    (await hera.call('GET', `${member}/settlement`)).status,
    (await hera.call('GET', `${member}/months/2026-09/records`)).status,
  ]
  expect(await adjust('2026-09-21')).toBe(201)
  expect(await statuses()).toEqual([409, 200, 200])
  const path = `/api/team/requests/${anna.user}/${id}`
  expect((await ben.call('GET', '/api/team/inbox')).body.items).toMatchObject([{ request_id: id }])
  const { digest } = (await ben.call('GET', path)).body
  const json = { digest, outcome: 'approved' }
  expect((await ben.call('POST', `${path}/decision`, { json })).body.state).toBe('approved')
  service.clock.set('2026-11-22T12:00:00.000Z')
  expect(await statuses()).toEqual([201, 404, 404])
})

test('[D29.2] once a membership has ended, each own change of its dates is in the trail', async () => {
  const { anna, company, setRules } = await startMonths()
  const until = (to: LocalDate) =>
    setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to }], versions: [] })
  const rows = async () => (await anna.call('GET', '/api/me/trail')).body.items.length
  await until('2026-11-21')
  await record(anna.call, work('2026-11-20', '08', '09'))
  expect(await rows()).toBe(0)
  await until('2026-11-20')
  await record(anna.call, work('2026-11-20', '09', '10'))
  expect(await rows()).toBe(1)
  await record(anna.call, work('2026-11-21', '08', '09'))
  expect(await rows()).toBe(1)
})

test('[D24.3] [D29.8] an entry that moves into the membership shows HR nothing of its date before', async () => {
  const { anna, hera } = await startMonths()
  const id = await record(anna.call, work('2025-12-30'))
  expect((await anna.call('PUT', `/api/entries/${id}`, { json: work('2026-10-05') })).status).toBe(200)
  const ofEntry = (rows: { data: { id?: string } }[]) => rows.find(({ data }) => data.id === id)
  const [seen, own] = [
    ofEntry(await trailOf(hera, anna)),
    ofEntry((await anna.call('GET', '/api/me/trail')).body.items),
  ]
  const [was, is] = [{ started_at: '2025-12-30T08:00:00.000Z' }, { started_at: '2026-10-05T08:00:00.000Z' }]
  expect(own).toMatchObject({ kind: 'own_change', data: { before: was, after: is } })
  expect(seen).toMatchObject({ kind: 'own_change', data: { before: null, after: is } })
})
