import { expect, test } from 'vitest'
import { TeamStore } from '../../src/store/team/team-store.ts'
import { readAway } from '../../src/team/away.ts'
import { readBoard } from '../../src/team/board.ts'
import type { TestService } from '../harness.ts'
import { PASSWORD, signUp } from '../http/browser.ts'
import { askForEvents } from '../http/event-client.ts'
import { timeOf } from '../http/resources.ts'
import { notingStatements } from '../store/statements.ts'
import { startCompany } from './company.ts'

type Call = TestService['call']

const FROM_TO = 'from=2026-11-20&to=2026-12-31'
const hours = (count: number) => count * 3_600_000
const schedule = {
  effective_from: '2026-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map(hours),
}

const absent = (call: Call, kind: string, date: string, day_share = 1) =>
  call('POST', '/api/entries', { json: { kind, date, day_share } })
const awayOf = async (call: Call, query = FROM_TO) => {
  const { body } = await call('GET', `/api/team/away?${query}`)
  return Object.fromEntries(body.items.map((item: { name: string; dates: unknown }) => [item.name, item.dates]))
}

test('[D24.1] without a company, who is away is not found, and no facts are made', async () => {
  const { service } = await startCompany()
  const { call } = await signUp(service)
  await absent(call, 'vacation', '2026-12-01')
  expect((await call('GET', `/api/team/away?${FROM_TO}`)).body.code).toBe('not_found')
})

test('[D25.2] [D25.3] [D30.1] colleagues see that somebody is away, and no kind', async () => {
  const { service, group, member } = await startCompany()
  const company = await group('Firma')
  const [anna, ben] = [await member('Anna', company), await member('Ben', company)]
  await anna.call('POST', '/api/settings', { json: schedule })
  for (const date of ['2026-12-03', '2026-12-04', '2026-12-05', '2026-12-07']) await absent(anna.call, 'sick', date)
  await absent(anna.call, 'vacation', '2026-12-08')
  await absent(anna.call, 'vacation', '2026-12-09', 0.5)
  await service.service.runDueJobs()
  expect(await awayOf(ben.call)).toEqual({
    Anna: [
      { from: '2026-12-03', to: '2026-12-04', sight: 'away' },
      { from: '2026-12-07', to: '2026-12-08', sight: 'away' },
      { from: '2026-12-09', to: '2026-12-09', sight: 'part' },
    ],
    Ben: [],
  })
  // Anna herself sees what she entered.
  expect((await awayOf(anna.call)).Anna).toContainEqual({
    from: '2026-12-08',
    to: '2026-12-08',
    sight: 'away',
    kind: 'vacation',
  })
})

test('[D25.4] members of other groups, of groups that do not see each other, and strangers see nobody', async () => {
  const { service, group, member } = await startCompany()
  const company = await group('Firma')
  const [north, south, quiet] = [
    await group('Nord', company),
    await group('Süd', company),
    await group('Still', company, false),
  ]
  const other = await group('Andere')
  const anna = await member('Anna', north)
  await anna.call('POST', '/api/settings', { json: schedule })
  await absent(anna.call, 'vacation', '2026-12-01')
  await service.service.runDueJobs()
  const ben = await member('Ben', south)
  const [carl, dora] = [await member('Carl', quiet), await member('Dora', quiet)]
  const eve = await member('Eve', other)
  const invited = await member('Frank', north, { acceptedOn: null })
  const left = await member('Gerd', north, { until: '2026-11-01' })
  expect(await awayOf(ben.call)).toEqual({ Ben: [] })
  for (const { call } of [carl, dora]) expect(await awayOf(call)).toEqual({})
  expect(await awayOf(eve.call)).toEqual({ Eve: [] })
  expect((await invited.call('GET', `/api/team/away?${FROM_TO}`)).status).toBe(404)
  expect((await left.call('GET', `/api/team/away?${FROM_TO}`)).status).toBe(404)
  expect((await ben.call('GET', `/api/team/away?${FROM_TO}&group=${north.id}`)).status).toBe(404)
  // Gerd has left, and nothing of Frank shows before he accepts.
  expect(Object.keys(await awayOf(anna.call))).toEqual(['Anna'])
})

test('[D24.7] whoever has left a group sees nobody of it, though they are still in another', async () => {
  const { group, member, run } = await startCompany()
  const company = await group('Firma')
  const [north, south] = [await group('Nord', company), await group('Süd', company)]
  await member('Anna', north)
  const ben = await member('Ben', south)
  const add = 'INSERT INTO memberships (user_id, group_id, from_date, until_date, accepted_on, created_at)'
  await run(`${add} VALUES ($1, $2, $3, $4, $3, $5)`, [
    ...[ben.user, north.id, '2026-01-01', '2026-12-31', '2026-01-01T00:00:00.000Z'],
  ])
  expect(Object.keys(await awayOf(ben.call))).toEqual(['Anna', 'Ben'])
  await run('UPDATE memberships SET until_date = $2 WHERE group_id = $1', [north.id, '2026-11-20'])
  expect(Object.keys(await awayOf(ben.call, 'from=2026-11-01&to=2026-12-31'))).toEqual(['Ben'])
})

test('[D25.7] [D26.16] [D24.6] a lead sees kinds of the policy, and a deputy while the lead is away', async () => {
  const { service, group, member, role } = await startCompany()
  const company = await group('Firma')
  const team = await group('Team', company, false)
  const [anna, lead, deputy] = [await member('Anna', team), await member('Lea', company), await member('Dirk', company)]
  await role(lead.user, 'lead', team.id)
  await role(deputy.user, 'deputy', team.id, lead.user)
  for (const { call } of [anna, lead]) await call('POST', '/api/settings', { json: schedule })
  await absent(anna.call, 'vacation', '2026-12-01')
  await absent(anna.call, 'sick', '2026-12-02')
  // Under `tell`, it is recorded freely.
  expect((await absent(anna.call, 'time_off_in_lieu', '2026-12-03')).status).toBe(201)
  await service.service.runDueJobs()
  const seen = [
    { from: '2026-12-01', to: '2026-12-01', sight: 'away', kind: 'vacation' },
    { from: '2026-12-02', to: '2026-12-02', sight: 'away' },
    { from: '2026-12-03', to: '2026-12-03', sight: 'away', kind: 'time_off_in_lieu' },
  ]
  expect((await awayOf(lead.call)).Anna).toEqual(seen)
  expect((await awayOf(deputy.call)).Anna).toBeUndefined()
  // A Monday, since the lead has no planned time at the weekend.
  service.clock.set('2026-11-23T10:00:00.000Z')
  await absent(lead.call, 'vacation', '2026-11-23')
  await service.service.runDueJobs()
  expect((await awayOf(deputy.call)).Anna).toEqual(seen)
})

test('[D25.6] companies that differ only in what is hidden answer with the same bytes and tags', async () => {
  const answers = []
  for (const kind of ['sick', 'vacation']) {
    const { service, group, member } = await startCompany()
    const company = await group('Firma')
    const [anna, ben] = [await member('Anna', company), await member('Ben', company)]
    await anna.call('POST', '/api/settings', { json: schedule })
    await absent(anna.call, kind, '2026-12-03')
    if (kind === 'sick') {
      await anna.call('POST', '/api/entries', {
        json: { kind: 'request', asks: 'absence', absence: 'vacation', date: '2026-12-10', last_date: '2026-12-11' },
      })
    }
    await service.service.runDueJobs()
    const { text, headers } = await ben.call('GET', `/api/team/away?${FROM_TO}`)
    const withoutNumbers = text.replaceAll(/"(user_id|group_id|id)":\d+/g, '')
    expect(
      (await ben.call('GET', `/api/team/away?${FROM_TO}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } }))
        .status,
    ).toBe(304)
    answers.push(withoutNumbers)
  }
  expect(answers[0]).toBe(answers[1])
})

test('[D25.8] lists have the order of names and times, and no answer sums figures of people up', async () => {
  const { service, group, member, role } = await startCompany()
  const company = await group('Firma')
  const [anna, ben, cleo] = [await member('Anna', company), await member('Ben', company), await member('Cleo', company)]
  const hera = await member('Hera', company)
  await role(hera.user, 'hr', company.id)
  const december = Array.from({ length: 9 }, (_, index) => `2026-12-0${index + 1}`)
  for (const [one, days] of [
    [anna, 4],
    [ben, 9],
    [cleo, 1],
  ] as const) {
    await one.call('POST', '/api/settings', { json: schedule })
    for (const date of december.slice(0, days)) await absent(one.call, 'sick', date)
  }
  for (const [one, days] of [
    [cleo, 3],
    [anna, 8],
    [ben, 1],
  ] as const) {
    const dates = { date: '2026-12-01', last_date: december[days] }
    await one.call('POST', '/api/entries', { json: { kind: 'request', asks: 'absence', absence: 'unpaid', ...dates } })
    service.clock.advance(1_000)
  }
  await service.service.runDueJobs()
  const numbers = new Set<string>()
  const read = async (path: string) => {
    const { body } = await hera.call('GET', path)
    JSON.stringify(body, (name, value) => {
      if (typeof value === 'number') numbers.add(name)
      return value
    })
    return body.items.map(({ name, user }: { name?: string; user?: { name: string } }) => name ?? user?.name)
  }
  expect(await read(`/api/team/away?${FROM_TO}`)).toEqual(['Anna', 'Ben', 'Cleo', 'Hera'])
  expect(await read('/api/team/people')).toEqual(['Anna', 'Ben', 'Cleo', 'Hera'])
  expect(await read('/api/team/inbox')).toEqual(['Cleo', 'Anna', 'Ben'])
  expect(await read('/api/team/groups')).toEqual(['Firma'])
  // Numbers of people, groups and stages, and how many belong to a group.
  expect([...numbers].sort()).toEqual(['group_id', 'id', 'members', 'stage', 'user_id'])
})

test('[D25.5] a planned request shows as asked', async () => {
  const { service, group, member } = await startCompany()
  const company = await group('Firma')
  const [anna, ben] = [await member('Anna', company), await member('Ben', company)]
  await anna.call('POST', '/api/settings', { json: schedule })
  await anna.call('POST', '/api/entries', {
    json: {
      kind: 'request',
      asks: 'absence',
      absence: 'vacation',
      date: '2026-12-11',
      last_date: '2026-12-14',
      planned: true,
    },
  })
  await service.service.runDueJobs()
  expect((await awayOf(ben.call)).Anna).toEqual([
    { from: '2026-12-11', to: '2026-12-11', sight: 'asked' },
    { from: '2026-12-14', to: '2026-12-14', sight: 'asked' },
  ])
})

test('[D30.2] pages have a hundred people, by the statements of a small company, and name a wrong cursor', async () => {
  const { service, group, member, role, run } = await startCompany()
  const company = await group('Firma')
  const { call, user } = await member('Anna', company)
  await role(user, 'hr', company.id)
  const nowMs = service.clock.now()
  /** The statements of who is away and of the board. */
  const statements = () =>
    service.beside(async ({ driver }) => {
      const noting = notingStatements(driver)
      const store = new TeamStore(noting.driver)
      await readAway(store, user, { from: '2026-11-20', to: '2026-12-31' }, nowMs)
      await readBoard(store, user, { month: '2026-11' }, nowMs)
      return noting.statements
    })
  let ofFew: string[] = []
  for (let number = 1; number <= 120; number += 1) {
    if (number === 4) ofFew = await statements()
    await run(
      `INSERT INTO users (id, email, role, created_at, name) VALUES ($1, $2, 'user', '2026-01-01T00:00:00.000Z', $3)`,
      [number, `${number}@example.org`, `Person ${String(number).padStart(3, '0')}`],
    )
    await run(
      `INSERT INTO memberships (user_id, group_id, from_date, accepted_on, created_at)
       VALUES ($1, $2, '2026-01-01', '2026-01-01', '2026-01-01T00:00:00.000Z')`,
      [number, company.id],
    )
  }
  expect(await statements()).toEqual(ofFew)
  expect(ofFew.filter((text) => /\b(records|counters)\b/.test(text))).toEqual([])
  const first = (await call('GET', `/api/team/away?${FROM_TO}`)).body
  const second = (await call('GET', `/api/team/away?${FROM_TO}&cursor=${first.cursor}`)).body
  expect([first.items.length, second.items.length, second.cursor]).toEqual([100, 21, null])
  const names = [...first.items, ...second.items].map(({ name }) => name)
  expect(new Set(names).size).toBe(121)
  expect((await call('GET', `/api/team/away?${FROM_TO}&cursor=x`)).body.code).toBe('invalid_cursor')
  expect((await call('GET', '/api/team/away?from=2026-01-02&to=2026-01-01')).status).toBe(400)
})

test('[D30.9] too long ago or too far ahead, who is away and days without entries are not known', async () => {
  const { service, group, member, role } = await startCompany()
  const company = await group('Firma')
  const [anna, lea] = [await member('Anna', company, { from: '2025-01-01' }), await member('Lea', company)]
  await role(lea.user, 'lead', company.id)
  await anna.call('POST', '/api/settings', { json: { ...schedule, effective_from: '2025-01-01' } })
  await absent(anna.call, 'vacation', '2025-10-21')
  await service.service.runDueJobs()
  const read = (from: string, to: string) => lea.call('GET', `/api/team/away?from=${from}&to=${to}`)
  const [row] = (await read('2025-10-21', '2025-10-21')).body.items
  expect(row.dates).toMatchObject([{ from: '2025-10-21', sight: 'away', kind: 'vacation' }])
  expect((await read('2028-01-20', '2028-01-21')).status).toBe(200)
  for (const [from, to] of [
    ['2025-10-20', '2025-10-21'],
    ['2028-01-20', '2028-01-22'],
  ] as const)
    expect((await read(from, to)).body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/from' }] })
  const missing = async (month: string) => (await lea.call('GET', `/api/team/board?month=${month}`)).body.items[0]
  expect((await missing('2025-11')).without_entries).toContain('2025-11-03')
  expect((await missing('2025-10')).without_entries).toBeNull()
})

test('[D24.8] a token reads who is away with its own scope only, which reads nothing else', async () => {
  const { service, group, member } = await startCompany()
  const company = await group('Firma')
  const { call } = await member('Anna', company)
  const withScope = async (scope: string) => {
    const json = { name: scope, scope, password: PASSWORD }
    const { token } = (await call('POST', '/api/me/tokens', { json })).body
    const statusOf = async (path: string) => (await service.call('GET', path, { token })).status
    return [await statusOf(`/api/team/away?${FROM_TO}`), await statusOf('/api/entries?from=2026-12-01&to=2026-12-02')]
  }
  expect(await withScope('away')).toEqual([200, 403])
  for (const scope of ['read', 'record', 'full']) expect(await withScope(scope)).toEqual([403, 200])
})

/** The events of a calendar, as the texts of their lines. */
const eventsOf = (text: string) =>
  text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => event.split('\r\n').filter((line) => /^(UID|DTSTART|DTEND|SUMMARY|TRANSP)/.test(line)))

test('[D30.6] [D30.7] [D24.7] a feed of a group has names and no kinds, and ends with the membership', async () => {
  const { service, group, member, run } = await startCompany()
  const company = await group('Firma')
  const elsewhere = await group('Anderswo', company)
  const [anna, ben] = [await member('Anna', company), await member('Ben', company)]
  await anna.call('POST', '/api/settings', { json: schedule })
  await absent(anna.call, 'sick', '2026-12-03')
  await absent(anna.call, 'vacation', '2026-12-04')
  await absent(anna.call, 'vacation', '2026-12-07', 0.5)
  await service.service.runDueJobs()
  const json = { name: 'Team', absences: false, work: false, language: 'de', password: PASSWORD }
  const refused = await ben.call('POST', '/api/me/feeds', { json: { ...json, group_id: elsewhere.id } })
  expect(refused.body.code).toBe('not_found')
  const mixed = await ben.call('POST', '/api/me/feeds', { json: { ...json, group_id: company.id, absences: true } })
  expect(mixed.status).toBe(400)
  const { path, id } = (await ben.call('POST', '/api/me/feeds', { json: { ...json, group_id: company.id } })).body
  const calendar = await service.call('GET', path)
  const [whole, part] = eventsOf(calendar.text)
  expect(whole).toEqual([
    expect.stringContaining('UID:'),
    'DTSTART;VALUE=DATE:20261203',
    'DTEND;VALUE=DATE:20261205',
    'SUMMARY:Anna - abwesend',
    'TRANSP:TRANSPARENT',
  ])
  expect(part).toContain('SUMMARY:Anna - teilweise abwesend')
  // Another kind on the same dates changes no byte.
  const entries = (await anna.call('GET', '/api/entries?from=2026-12-03&to=2026-12-03')).body.items
  await anna.call('DELETE', `/api/entries/${entries[0].id}`)
  await absent(anna.call, 'paid_other', '2026-12-03')
  await service.service.runDueJobs()
  expect((await service.call('GET', path)).text).toBe(calendar.text)
  expect((await ben.call('GET', '/api/me/feeds')).body.items).toMatchObject([{ id, group_id: company.id }])
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [ben.user, '2026-11-01'])
  expect((await service.call('GET', path)).status).toBe(404)
})

test('[D30.4] [D25.6] [D24.7] an event says that an answer has changed, and none tells of what is hidden', async () => {
  const { service, group, member, role, run } = await startCompany()
  const company = await group('Firma')
  const [anna, ben, lea] = [await member('Anna', company), await member('Ben', company), await member('Lea', company)]
  await role(lea.user, 'lead', company.id)
  // HR and the works council need not be members; the latter sees no facts.
  const hera = await member('Hera', company, { acceptedOn: null })
  const otto = await member('Otto', company, { acceptedOn: null })
  await role(hera.user, 'hr', company.id)
  await role(otto.user, 'auditor', company.id)
  await anna.call('POST', '/api/settings', { json: schedule })
  const listen = async ({ cookies }: typeof ben) =>
    askForEvents(service, { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const people = [ben, lea, hera, otto]
  const streams = await Promise.all(people.map(listen))
  /** Lets a minute pass, and waits until all streams have seen its end. */
  const minute = async (work: () => Promise<unknown>) => {
    service.clock.advance(60_000)
    await work()
    await service.service.runDueJobs()
    for (let round = 0; round < 15; round += 1) await service.service.heartbeat()
    // A change of one's own is an event at once, behind which no earlier one is left to come.
    for (const [index, { call }] of people.entries()) {
      const { version } = (await call('POST', '/api/entries', { json: work8 })).body
      await streams[index]?.receivesVersion(version)
    }
    return streams.map(({ text }) => text.split('event: team').length - 1)
  }
  // The first look only notes what there is.
  expect(await minute(() => absent(anna.call, 'vacation', '2026-12-03'))).toEqual([0, 0, 0, 0])
  expect(await minute(() => absent(anna.call, 'sick', '2026-12-04'))).toEqual([1, 1, 1, 0])
  expect(await minute(async () => undefined)).toEqual([1, 1, 1, 0])
  const request = { kind: 'request', asks: 'absence', absence: 'vacation', date: '2026-12-10', last_date: '2026-12-11' }
  expect(await minute(() => anna.call('POST', '/api/entries', { json: request }))).toEqual([1, 2, 2, 0])
  // A role that ends while its stream is open changes an answer, and tells of nothing more.
  const end = () => run('UPDATE team_roles SET until_date = $2 WHERE user_id = $1', [lea.user, '2026-11-20'])
  expect(await minute(end)).toEqual([1, 3, 2, 0])
  const later = { ...request, date: '2026-12-14', last_date: '2026-12-15' }
  expect(await minute(() => anna.call('POST', '/api/entries', { json: later }))).toEqual([1, 3, 3, 0])
  // Days of somebody who left lately are in the answers, but not what they do at the next company.
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, '2026-11-20'])
  await run(
    `INSERT INTO memberships (user_id, group_id, from_date, accepted_on, created_at) VALUES ($1, $2, $3, $3, $4)`,
    [anna.user, (await group('Next')).id, '2026-11-21', timeOf(service)],
  )
  const joined = await minute(() => run('UPDATE jobs SET due_ms = 0', []))
  expect(await minute(() => absent(anna.call, 'sick', '2026-12-17'))).toEqual(joined)
})

const work8 = { kind: 'work', started_at: '2026-11-20T08:00:00.000Z', ended_at: '2026-11-20T16:00:00.000Z' }
