import { defaultPolicy, digestOf, isSheetIntact, LAST_DATE, noMapping } from '@saldo/core'
import { expect, test } from 'vitest'
import { newId, timeOf } from '../http/resources.ts'
import { type Member, startCompany } from './company.ts'
import { act, HOUR_MS, record, schedule, startMonths, work } from './month-company.ts'

const trailKinds = async (call: Awaited<ReturnType<typeof startMonths>>['anna']['call']) =>
  (await call('GET', '/api/me/trail')).body.items.map(({ kind }: { kind: string }) => kind)

test('[D25.13] a lead who sees times sees the kinds of the policy, no reasons and no check code', async () => {
  const { anna, ben, hera } = await startMonths({
    ...{ lead_days: 'times', lead_balance: 'none', lead_kinds: ['vacation'], lock_unsubmitted: true },
  })
  await record(anna.call, work('2026-10-05'))
  await record(anna.call, { kind: 'sick', date: '2026-10-06', day_share: 1, amount_ms: null })
  await record(anna.call, { kind: 'vacation', date: '2026-10-07', day_share: 1, amount_ms: null })
  // Half a day of each would name the one by what the other leaves.
  await record(anna.call, { kind: 'vacation', date: '2026-10-08', day_share: 0.5, amount_ms: null })
  await record(anna.call, { kind: 'sick', date: '2026-10-08', day_share: 0.5, amount_ms: null })
  await anna.call('POST', '/api/balance/adjustments', {
    json: { effective_date: '2026-10-31', delta_ms: -HOUR_MS, kind: 'payout', reason: 'For the dentist' },
  })
  await act(hera.call, 'lock', anna.user)
  const path = `/api/team/members/${anna.user}/months/2026-10`
  const seen = (await ben.call('GET', path)).body
  const kindsOn = (day: number) => seen.sheet.days[day - 1].absences.map(({ kind }: { kind: string }) => kind)
  expect([6, 7, 8].map(kindsOn)).toEqual([[], ['vacation'], []])
  expect(seen.sheet.absences).toEqual([{ kind: 'vacation', days: 1, ms: 8 * HOUR_MS }])
  expect(seen.sheet.days[4].blocks).toHaveLength(1)
  expect(seen.sheet.adjustments).toEqual([{ date: '2026-10-31', kind: 'payout', reason: '', delta_ms: -HOUR_MS }])
  expect([seen.check_code, seen.sheet.check_code, seen.shows_balance]).toEqual([null, '', false])
  const whole = (await hera.call('GET', path)).body
  expect(isSheetIntact(whole.sheet)).toBe(true)
})

test('[D25.7] [D25.13] no field of a sheet in part proves a guess of the rest', async () => {
  const { anna, ben, hera } = await startMonths({
    ...{ lead_days: 'figures', lead_balance: 'none', lead_kinds: [], lock_unsubmitted: true },
  })
  await record(anna.call, { kind: 'sick', date: '2026-10-06', day_share: 1, amount_ms: null })
  await record(anna.call, { kind: 'vacation', date: '2026-10-07', day_share: 1, amount_ms: null })
  await act(hera.call, 'lock', anna.user)
  const path = `/api/team/members/${anna.user}/months/2026-10`
  const { check_code, ...sheet } = (await hera.call('GET', path)).body.sheet
  const seen = await ben.call('GET', path)
  expect(digestOf(sheet)).toBe(check_code)
  expect(seen.text).not.toContain(check_code)
  expect(seen.text).not.toContain('sick')
  // A sickness credits time and a vacation lowers the target: both look alike.
  const { days, totals } = seen.body.sheet
  expect({ ...days[5], date: '' }).toEqual({ ...days[6], date: '' })
  expect(totals).toMatchObject({ target_ms: 20 * 8 * HOUR_MS, credited_ms: 0, delta_ms: -20 * 8 * HOUR_MS })
})

test('[D25.13] to others, a sheet that is not stored says nothing of other dates', async () => {
  const { anna, ben, hera } = await startMonths({ lead_days: 'times' })
  const path = `/api/team/members/${anna.user}/months/2026-10`
  const seen = async () => [(await ben.call('GET', path)).text, (await hera.call('GET', path)).text]
  const before = await seen()
  await record(anna.call, work('2026-08-05'))
  await record(anna.call, work('2026-11-19'))
  expect(await seen()).toEqual(before)
  expect((await anna.call('GET', '/api/me/months/2026-10')).body.sheet).toMatchObject({ version: 3 })
})

test('[D26.13] a request names no substitute who is not of the company', async () => {
  const { service, anna, ben } = await startMonths()
  const stranger = await service.user('stranger@elsewhere.example')
  const ask = (substitute: number, date: string) =>
    record(anna.call, {
      ...{ kind: 'request', asks: 'absence', absence: 'vacation', date, last_date: date, substitute },
    })
  await ask(stranger.user, '2026-12-02')
  await ask(ben.user, '2026-12-01')
  const { items } = (await anna.call('GET', '/api/team/requests/mine')).body
  expect(items.map(({ substitute }: { substitute: { name: string } }) => substitute.name)).toEqual(['', 'Ben'])
})

test('[D29.5] every page of a trail is a look, and so is the draft of a payroll file', async () => {
  const { anna, ben, hera, role, company } = await startMonths()
  await record(anna.call, work('2026-10-05'))
  await hera.call('GET', `/api/team/members/${anna.user}/trail?after=1`)
  expect(await trailKinds(anna.call)).toEqual(['own_change', 'trail_read'])

  await role(ben.user, 'payroll', company.id)
  const mapping = { ...noMapping, rules: [{ sum: 'worked', wage_type: '100', unit: 'hours' }] }
  expect((await ben.call('PUT', '/api/team/mapping', { json: mapping })).status).toBe(204)
  const draft = { month: '2026-10', draft: true, leave_out: [hera.user, ben.user] }
  const stopped = (await ben.call('POST', '/api/team/exports', { json: draft })).body
  expect(stopped.obstacles).toMatchObject([{ fault: 'no_number', user_id: anna.user }])
  expect(await trailKinds(anna.call)).toEqual(['own_change', 'trail_read'])
  const items = [{ user_id: anna.user, number: '1' }]
  await hera.call('PUT', '/api/team/personnel', { json: { items } })
  expect((await ben.call('POST', '/api/team/exports', { json: draft })).body.draft).toContain('1;Anna;2026-10;100;9,00')
  expect(await trailKinds(anna.call)).toEqual(['own_change', 'trail_read', 'sheet_read'])
})

test('[D31.1] a change of personnel data is in the trail of the company, once, and no preview', async () => {
  const { anna, hera } = await startMonths()
  const put = (number: string, dry_run: boolean) =>
    hera.call('PUT', '/api/team/personnel', { json: { items: [{ user_id: anna.user, number }], dry_run } })
  await put('6', true)
  for (const _ of [1, 2]) await put('7', false)
  const { items } = (await hera.call('GET', '/api/team/trail')).body
  expect(items).toMatchObject([{ kind: 'personnel_changed', user: { user_id: anna.user }, actor: { name: 'Hera' } }])
})

test('[D24.18] an admin who is not HR adds themself to no group', async () => {
  const { anna, hera, team, run } = await startMonths()
  await run(`UPDATE users SET role = 'admin' WHERE id = $1`, [anna.user])
  await run('DELETE FROM memberships WHERE user_id = $1', [anna.user])
  const put = async (call: typeof anna.call, email: string) =>
    (
      await call('PUT', '/api/team/people', {
        json: { items: [{ email, group_id: team.id, from: '2026-11-21' }] },
      })
    ).body.items[0].outcome
  expect(await put(anna.call, 'anna@example.com')).toBe('rejected')
  expect(await put(hera.call, 'hera@example.com')).toBe('added')
  expect(await put(hera.call, 'anna@example.com')).toBe('added')
})

test('[D1.40] texts that a database cannot hold are refused in every field of the team', async () => {
  const { anna, ben, hera, team } = await startMonths()
  for (const text of ['a\u0000b', 'a\ud800b']) {
    const cursor = Buffer.from(JSON.stringify([text, 1])).toString('base64url')
    const away = `/api/team/away?from=2026-12-01&to=2026-12-02&cursor=${cursor}`
    if (text.isWellFormed()) {
      expect((await anna.call('GET', away)).body.code).toBe('invalid_cursor')
      expect((await ben.call('GET', `/api/team/board?cursor=${cursor}`)).body.code).toBe('invalid_cursor')
    }
    const groups = await hera.call('PUT', '/api/team/groups', { json: { items: [{ name: text }, { name: 'a\nb' }] } })
    expect(groups.body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['rejected', 'rejected'])
    const reason = `${text} and ten characters`
    const requests = [
      ['PUT', '/api/team/blocks', { items: [{ group_id: team.id, from: '2026-12-01', to: '2026-12-02', reason }] }],
      ['POST', '/api/me/remarks', { month: '2026-10', text }],
      ['POST', '/api/team/months/2026-10/return', { users: [anna.user], reason }],
      ['POST', `/api/team/members/${anna.user}/changes`, { id: newId(), reason, changes: [1] }],
    ] as const
    for (const [method, path, json] of requests) {
      const { status } = await hera.call(method, path, { json, skipContractCheck: true })
      expect([method, path, status]).toEqual([method, path, 400])
    }
  }
})

const namesAway = async ({ call }: Member, dates = 'from=2026-11-21&to=2026-12-31') => {
  const { status, body } = await call('GET', `/api/team/away?${dates}`)
  return status === 200 ? body.items.map(({ name }: { name: string }) => name) : body.code
}

test('[D24.3] [D25.4] whoever joins later reads nothing yet, and no colleague reads that they will', async () => {
  const { service, group, member, role, run } = await startCompany()
  const company = await group('Firma')
  await run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, 1, '2026-01-01', $2, $3)`,
    [company.id, JSON.stringify(defaultPolicy), timeOf(service)],
  )
  const [sales, plant] = [await group('Sales', company), await group('Plant', company)]
  const later = { from: '2026-12-10', acceptedOn: '2026-11-01' } as const
  const [grace, paul] = [await member('Grace', sales), await member('Paul', sales, later)]
  const [lee, nina] = [await member('Lee', plant), await member('Nina', plant, later)]
  await role(lee.user, 'lead', plant.id)
  for (const { call } of [grace, paul, nina]) await call('POST', '/api/settings', { json: schedule })
  await record(paul.call, { kind: 'sick', date: '2026-12-14' })
  await service.service.runDueJobs()
  expect(await namesAway(grace)).toEqual(['Grace'])
  const asked = { date: '2026-12-14', last_date: '2026-12-14', kind: 'request', asks: 'absence', absence: 'unpaid' }
  const preview = (await grace.call('POST', '/api/team/requests/preview', { json: { id: newId(), ...asked } })).body
  expect(preview.away).toEqual([])
  for (const path of ['away?from=2026-11-21&to=2026-12-31', 'policy', 'blocks', 'requests/mine', 'inbox']) {
    expect((await paul.call('GET', `/api/team/${path}`)).body.code, path).toBe('not_found')
  }
  // The page of the invitation has what it needs.
  expect((await paul.call('GET', '/api/team')).body).toMatchObject({ is_member: false, company: { name: 'Firma' } })
  // A lead sees who will be there on the dates.
  expect(await namesAway(lee)).toEqual(['Lee', 'Nina'])
  expect(await namesAway(lee, 'from=2026-11-21&to=2026-12-09')).toEqual(['Lee'])
})

test('[D25.4] whoever leads a group lists nobody who has left another one', async () => {
  const { group, member, role } = await startCompany()
  const company = await group('Firma')
  const [sales, plant] = [await group('Sales', company), await group('Plant', company)]
  const lee = await member('Lee', sales)
  await member('Anna', sales, { until: '2026-10-20' })
  await member('Ben', plant, { until: '2026-10-20' })
  await role(lee.user, 'lead', plant.id)
  expect(await namesAway(lee, 'from=2026-10-20&to=2026-11-30')).toEqual(['Ben', 'Lee'])
  expect(await namesAway(lee, 'from=2026-10-21&to=2026-11-30')).toEqual(['Lee'])
})

test('[D25.10] a user learns who leads a group that they have left', async () => {
  const { anna, ben, run, group, company, setRules, service } = await startMonths({ lead_days: 'times' })
  await run(`UPDATE memberships SET until_date = '2026-11-20' WHERE user_id = $1`, [anna.user])
  const elsewhere = await group('Elsewhere', company)
  await run(
    `INSERT INTO memberships (user_id, group_id, from_date, accepted_on, created_at) VALUES ($1, $2, $3, $3, $4)`,
    [anna.user, elsewhere.id, '2026-11-21', timeOf(service)],
  )
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to: LAST_DATE }], versions: [] })
  expect((await ben.call('GET', `/api/team/members/${anna.user}/months/2026-10`)).status).toBe(200)
  const { people } = (await anna.call('GET', '/api/me/visibility')).body
  expect(people.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
    ['Hera', 'hr'],
    ['Ben', 'lead'],
  ])
})

test('[D25.7] [D25.11] [D28.2] HR and leads read no texts, unknown fields and versions of records', async () => {
  const { anna, ben, hera } = await startMonths()
  const secrets = { note: 'secret', x_why: 'secret', holidays: { country: 'DE', x_why: 'secret' } }
  await anna.call('POST', '/api/settings', { json: { ...schedule, effective_from: '2026-10-01', ...secrets } })
  const { text, body } = await hera.call('GET', `/api/team/members/${anna.user}/months/2026-11/records`)
  expect(text).not.toContain('secret')
  expect(body.settings[1]).toMatchObject({ effective_from: '2026-10-01', holidays: { country: 'DE', partial: {} } })
  for (const name of ['version', 'created_at', 'id', 'note']) expect(body.settings[1]).not.toHaveProperty(name)

  const texts = { note: 'secret', tags: ['secret'], project: 'secret', x_why: 'secret' }
  const entry = await record(anna.call, { ...work('2026-11-19'), ...texts })
  const open = async (more: object) => {
    const change = {
      ...work('2026-11-19', '09', '17'),
      ...texts,
      ...more,
      id: entry,
      updated_at: '2026-11-21T12:00:00Z',
    }
    const changes = [{ kind: 'entries', op: 'upsert', id: entry, record: change, x_why: 'secret' }]
    const dates = { date: '2026-11-19', last_date: '2026-11-19' }
    const asked = { kind: 'request', asks: 'change', ...dates, changes, note: 'Please', tags: ['secret'] }
    return ben.call('GET', `/api/team/requests/${anna.user}/${await record(anna.call, asked)}`)
  }
  const seen = await open({})
  expect(seen.text).not.toContain('secret')
  const { kind, started_at, ended_at } = work('2026-11-19')
  expect(seen.body.present).toEqual([
    { kind, started_at, ended_at, time_zone: null, counts: true, note: '', tags: [], project: null },
  ])
  expect(seen.body).toMatchObject({ other_notes: [false], request: { note: 'Please', version: 0 } })
  for (const more of [{ note: '' }, { tags: [] }, { project: null }]) {
    expect((await open(more)).body.other_notes).toEqual([true])
  }
})

test('[D25.11] [D29.3] nobody is shown a field of programs, whatever its name, and no trail keeps one', async () => {
  const { anna, ben, hera, all } = await startMonths()
  const [row] = (await anna.call('GET', '/api/settings')).body.items
  const break_policy = { rules: [], min_piece_ms: 1, x: 'mine'.repeat(10_000) }
  const hours = { ...schedule, break_policy }
  expect((await anna.call('PUT', `/api/settings/${row.id}`, { json: hours })).status).toBe(200)
  const odd = { ...work('2026-10-05'), days: 'mine', date: { x: 'mine' }, absence: 'mine' }
  await record(anna.call, odd)
  const change = { kind: 'entries', op: 'upsert', record: { id: newId(), updated_at: '2026-11-21T12:00:00Z', ...odd } }
  const asked = { kind: 'request', asks: 'change', date: '2026-10-05', last_date: '2026-10-05', changes: [change] }
  const id = await record(anna.call, asked)
  const paths = [
    ...['trail', 'months/2026-10/records'].map((part) => `/api/team/members/${anna.user}/${part}`),
    `/api/team/requests/${anna.user}/${id}`,
  ]
  for (const path of paths) {
    const { status, text } = await (path.includes('requests') ? ben : hera).call('GET', path)
    expect([status, text.includes('mine')], path).toEqual([200, false])
  }
  const rows = (await all('SELECT data FROM account_trail')) as { data: string }[]
  expect(Math.max(...rows.map(({ data }) => data.length))).toBeLessThan(1_000)
})
