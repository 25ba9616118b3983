import { defaultPolicy, type LocalDate } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import type { TestService } from '../harness.ts'
import { PASSWORD } from '../http/browser.ts'
import { newId, timeOf } from '../http/resources.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { found, join, type Person, person, signInAgain, sql, startCompany, TODAY } from './founded-company.ts'
import { HOUR_MS, record, schedule, work } from './month-company.ts'

const kindsOf = async (viewer: Person, path: string) =>
  (await viewer.call('GET', path)).body.items.map(({ kind }: { kind: string }) => kind)

async function endMembership(by: Person, { email }: Person, group: number, from: LocalDate, until: LocalDate) {
  const items = [{ email, group_id: group, from, until }]
  const { outcome } = (await by.call('PUT', '/api/team/people', { json: { items } })).body.items[0]
  if (outcome !== 'changed') throw new Error(outcome)
}

const proposeTo = (by: Person, { user }: Person, service: TestService, reason: string) => {
  const changes = [{ kind: 'entries', op: 'delete', id: newId(), updated_at: timeOf(service) }]
  return by.call('POST', `/api/team/members/${user}/changes`, { json: { id: newId(), reason, changes } })
}

/** Her planned times and vacation in the whole year. */
const yearSchedule = {
  ...schedule,
  effective_from: '2026-01-01',
  time_zone: 'UTC',
  vacation: { days_per_year: 30, carry_over_until: null },
}

/** Anna is a member of Acme since 2026-10-01, whose HR is Hedy; Barbara is HR of Bell, where she goes later. */
async function startTwo() {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const config = { privateWebhookHosts: [receiver.host] }
  const { service, admin, hr: hedy, company: acme } = await startCompany({ now: '2026-10-01T08:00:00.000Z', config })
  const [barbara, anna] = [await person(service, 'Barbara'), await person(service, 'Anna')]
  const bell = await found(admin, 'Bell', barbara)
  await join(hedy, anna, acme, '2026-10-01')
  await anna.call('POST', '/api/settings', { json: yearSchedule })
  const makeFacts = async () => {
    await sql(service, 'UPDATE jobs SET due_ms = 0', [])
    await service.service.runDueJobs()
  }
  /** Ends Anna's membership at Acme on a day, on which it is yet that date, and lets her join Bell on another one. */
  const move = async (left: LocalDate, joined: LocalDate) => {
    await endMembership(hedy, anna, acme, '2026-10-01', left)
    service.clock.set(`${joined}T08:00:00.000Z`)
    await join(barbara, anna, bell, joined)
    await makeFacts()
  }
  return { service, receiver, hedy, barbara, anna, acme, bell, makeFacts, move }
}

/** Lets somebody ask for an absence. */
async function ask({ call }: Person, absence: string, date: string, more: object = {}): Promise<string> {
  const json = { kind: 'request', asks: 'absence', absence, date, last_date: date, ...more }
  const { status, body, text } = await call('POST', '/api/entries', { json })
  if (status !== 201) throw new Error(text)
  return body.id
}

const mine = async ({ call }: Person) =>
  (await call('GET', '/api/team/requests/mine')).body.items.map(
    ({ id, state, decisions, deciders }: { id: string; state: string; decisions: object[]; deciders: object[] }) => {
      return [id, state, decisions.length, deciders.length]
    },
  )

test('[D29.8] on the day of a change of companies, each reads what was written for it', async () => {
  const { service, admin, hr, company } = await startCompany({ now: '2026-11-01T08:00:00.000Z' })
  const barbara = await person(service, 'Barbara')
  const other = await found(admin, 'Bell', barbara)
  const anna = await person(service, 'Anna')
  await join(hr, anna, company, '2026-11-01')
  service.clock.set('2026-11-21T08:00:00.000Z')
  await record(anna.call, work('2026-11-03'))
  await hr.call('GET', `/api/team/members/${anna.user}/months/2026-11`)
  expect((await proposeTo(hr, anna, service, 'A reason of Acme')).status).toBe(200)
  await endMembership(hr, anna, company, '2026-11-01', '2026-11-20')
  service.clock.set('2026-11-21T15:00:00.000Z')
  await join(barbara, anna, other, '2026-11-21')
  const trail = `/api/team/members/${anna.user}/trail`
  await hr.call('GET', trail)
  expect((await proposeTo(barbara, anna, service, 'A reason of Bell')).status).toBe(200)
  expect(await kindsOf(barbara, trail)).toEqual(['change_proposed', 'trail_read'])
  // Written on that day about the month that both have.
  expect(await kindsOf(hr, trail)).toEqual(['sheet_read'])
  expect(await kindsOf(anna, '/api/me/trail')).toEqual([
    ...['own_change', 'sheet_read', 'change_proposed'],
    ...['trail_read', 'change_proposed', 'trail_read'],
  ])
})

test('[D24.3] [D29.8] a membership that ended before its first date shows no trail and fails nothing', async () => {
  const { service, hr, company } = await startCompany()
  const anna = await person(service, 'Anna')
  await join(hr, anna, company)
  const remark = { id: newId(), month: '2026-11', text: 'A remark' }
  expect((await anna.call('POST', '/api/me/remarks', { json: remark })).status).toBe(201)
  await endMembership(hr, anna, company, TODAY, '2026-11-20')
  for (const path of ['trail', 'changes', 'months/2026-11', 'months/2026-11/records']) {
    expect((await hr.call('GET', `/api/team/members/${anna.user}/${path}`)).status, path).toBe(404)
  }
  expect((await anna.call('DELETE', `/api/me/remarks/${remark.id}`)).status).toBe(204)
  expect(await kindsOf(anna, '/api/me/trail')).toEqual(['remark_added', 'remark_removed'])
})

test('[D24.3] [D27.16] [D29.2] dates between two memberships of a company are not its', async () => {
  const { service, hr, company } = await startCompany({ now: '2026-10-01T12:00:00.000Z' })
  const anna = await person(service, 'Anna')
  await join(hr, anna, company, '2026-10-01')
  await anna.call('POST', '/api/settings', { json: { ...schedule, effective_from: '2026-01-01', time_zone: 'UTC' } })
  service.clock.set('2026-10-08T12:00:00.000Z')
  await endMembership(hr, anna, company, '2026-10-01', '2026-10-09')
  service.clock.set('2026-10-15T18:00:00.000Z')
  const between = await record(anna.call, work('2026-10-14'))
  await record(anna.call, { kind: 'sick', date: '2026-10-15' })
  const adjustment = { effective_date: '2026-10-15', delta_ms: HOUR_MS, kind: 'correction', reason: 'Her own' }
  expect((await anna.call('POST', '/api/balance/adjustments', { json: adjustment })).status).toBe(201)
  service.clock.set('2026-10-19T12:00:00.000Z')
  await join(hr, anna, company, '2026-10-19')
  await record(anna.call, work('2026-10-20'))
  service.clock.set('2026-11-03T12:00:00.000Z')
  await anna.call('PUT', `/api/entries/${between}`, { json: work('2026-10-14', '09', '22') })
  expect(await kindsOf(anna, '/api/me/trail')).toEqual([])

  await anna.call('POST', '/api/me/months/2026-10/submission')
  const [locked] = (await hr.call('POST', '/api/team/months/2026-10/lock', { json: { users: [anna.user] } })).body.items
  expect(locked.outcome).toBe('changed')
  const { sheet } = (await anna.call('GET', '/api/me/months/2026-10')).body
  const dates = sheet.days.map(({ date }: { date: string }) => date)
  expect(dates).toHaveLength(9 + 13)
  expect([dates[8], dates[9]]).toEqual(['2026-10-09', '2026-10-19'])
  expect(sheet).toMatchObject({ totals: { worked_ms: 9 * HOUR_MS, adjustments_ms: 0 }, absences: [], adjustments: [] })
  expect(sheet.balance_out_ms - sheet.balance_in_ms).toBe(sheet.totals.delta_ms)

  // The balance that November begins with has what was between, and no sheet is marked for that.
  await record(anna.call, work('2026-11-02'))
  service.clock.set('2026-12-01T12:00:00.000Z')
  await anna.call('POST', '/api/me/months/2026-11/submission')
  await hr.call('POST', '/api/team/months/2026-11/lock', { json: { users: [anna.user] } })
  const months = (await anna.call('GET', '/api/me/months')).body.items.slice(1)
  expect(months.map((row: { month: string; carried_differs: boolean }) => [row.month, row.carried_differs])).toEqual([
    ['2026-11', false],
    ['2026-10', false],
  ])
})

test('[D22.17] [D24.3] no webhook of a company learns of a date between two memberships', async () => {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const { service, hr, company } = await startCompany({ config: { privateWebhookHosts: [receiver.host] } })
  const anna = await person(service, 'Anna')
  await join(hr, anna, company)
  await anna.call('POST', '/api/settings', { json: { ...schedule, time_zone: 'UTC' } })
  await endMembership(hr, anna, company, TODAY, '2026-12-04')
  await join(hr, anna, company, '2027-01-11')
  const settle = async () => {
    await service.service.runDueJobs()
    await service.service.sendToWebhooks()
  }
  await settle()
  const json = { url: `http://${receiver.host}/hr`, events: ['away.changed'], password: PASSWORD }
  expect((await hr.call('POST', '/api/webhooks', { json })).status).toBe(201)
  for (const [date, events] of [
    ['2026-12-16', 0],
    ['2026-12-03', 1],
    ['2027-01-12', 2],
  ] as const) {
    await record(anna.call, { kind: 'sick', date })
    await settle()
    expect(receiver.at('/hr'), date).toHaveLength(events)
  }
})

test('[D24.3] [D28.6] rules of a company do not hold before its membership begins', async () => {
  const { service, hr, company } = await startCompany()
  const { policy } = (await hr.call('GET', '/api/team')).body.policy
  const absences = { ...policy.absences, unpaid: 'ask' }
  await hr.call('PUT', '/api/team/policy', { json: { ...policy, absences, managed: ['settings'] } })
  service.clock.set('2026-11-23T12:00:00.000Z')
  const anna = await person(service, 'Anna')
  await join(hr, anna, company, '2026-12-01')
  await service.service.runDueJobs()
  const statuses = async () => {
    const settings = { ...schedule, effective_from: '2026-01-01', target_ms: [0, 0, 0, 0, 0, 0, 0] }
    const made = [
      await anna.call('POST', '/api/settings', { json: settings }),
      await anna.call('POST', '/api/entries', { json: { kind: 'unpaid', date: '2026-12-02' } }),
    ]
    return made.map(({ status }) => status)
  }
  expect(await statuses()).toEqual([201, 201])
})

test('[D26.17] the next company neither reads nor decides requests to the former one', async () => {
  const { service, receiver, hedy, barbara, anna, makeFacts, move } = await startTwo()
  const webhook = { url: `http://${receiver.host}/bell`, events: ['request.waiting'], password: PASSWORD }
  await barbara.call('POST', '/api/webhooks', { json: webhook })
  const past = await ask(anna, 'unpaid', '2026-10-14', { note: 'court hearing' })
  const approved = await ask(anna, 'paid_other', '2026-10-15')
  const ahead = await ask(anna, 'paid_other', '2026-12-03', { note: 'funeral', substitute: barbara.user })
  const vacation = await ask(anna, 'vacation', '2026-12-10')
  await makeFacts()
  const pathOf = (id: string) => `/api/team/requests/${anna.user}/${id}`
  const decide = async ({ call }: Person, id: string) => {
    const { digest } = (await call('GET', pathOf(id))).body
    return call('POST', `${pathOf(id)}/decision`, { json: { digest, outcome: 'approved' } })
  }
  for (const id of [approved, ahead]) expect((await decide(hedy, id)).body.state).toBe('approved')
  expect((await hedy.call('GET', '/api/team/inbox')).body.items).toHaveLength(2)
  await move('2026-10-20', '2026-11-10')

  await service.service.sendToWebhooks()
  expect(receiver.at('/bell')).toEqual([])
  expect((await barbara.call('GET', '/api/team/inbox')).body.items).toEqual([])
  expect((await barbara.call('GET', '/api/team/board?month=2026-11')).body.items).toMatchObject([{ waiting: 0 }])
  for (const id of [past, approved, ahead, vacation]) {
    expect((await barbara.call('GET', pathOf(id))).status).toBe(404)
    const json = { digest: 'a'.repeat(64), outcome: 'declined', reason: 'No' }
    expect((await barbara.call('POST', `${pathOf(id)}/decision`, { json })).status).toBe(404)
  }
  // Anna reads what became of them, and that nobody decides those that were open.
  expect(await mine(anna)).toEqual([
    [vacation, 'waiting', 0, 0],
    [ahead, 'approved', 1, 0],
    [approved, 'approved', 1, 0],
    [past, 'waiting', 0, 0],
  ])
  const account = async () => (await anna.call('GET', '/api/account/vacation?year=2026')).body.asked
  expect(await account()).toBe(null)

  // She asks Bell by writing it anew, and Bell decides for itself.
  const asked = { kind: 'request', asks: 'absence', date: '2026-12-03', last_date: '2026-12-03' }
  await anna.call('PUT', `/api/entries/${ahead}`, { json: { ...asked, absence: 'paid_other', note: 'A day off' } })
  await makeFacts()
  expect((await barbara.call('GET', '/api/team/inbox')).body.items).toMatchObject([{ request_id: ahead, stage: 1 }])
  const opened = (await barbara.call('GET', pathOf(ahead))).body
  expect(opened).toMatchObject({ decisions: [], request: { note: 'A day off' } })
  expect((await decide(barbara, ahead)).body).toMatchObject({
    state: 'approved',
    decisions: [{ by: { name: 'Barbara' } }],
  })
})

test('[D26.17] the former company sees nothing of a request to the next one, on dates of its own either', async () => {
  const { hedy, barbara, anna, makeFacts, move } = await startTwo()
  await move('2026-10-20', '2026-10-21')
  const awayFor = async ({ call }: Person) => {
    const { items } = (await call('GET', '/api/team/away?from=2026-10-01&to=2026-10-31')).body
    return items.find(({ user_id }: { user_id: number }) => user_id === anna.user)?.dates
  }
  await ask(anna, 'vacation', '2026-10-19', { last_date: '2026-10-22', planned: true })
  await makeFacts()
  const { body } = await barbara.call('GET', '/api/team/inbox')
  expect(body.items).toMatchObject([{ from: '2026-10-19', to: '2026-10-22' }])
  expect(await awayFor(barbara)).toEqual([{ from: '2026-10-21', to: '2026-10-22', sight: 'asked' }])
  expect(await awayFor(hedy)).toEqual([])
})

test('[D27.18] [D28.4] of a month in which somebody changed, each company reads what was said for it', async () => {
  const { service, hedy, barbara, anna, move } = await startTwo()
  service.clock.set('2026-10-12T08:00:00.000Z')
  const remark = (month: string, text: string) => {
    return anna.call('POST', '/api/me/remarks', { json: { id: newId(), month, text } })
  }
  const giveBack = async ({ call }: Person, reason: string) => {
    await anna.call('POST', '/api/me/months/2026-10/submission')
    const done = await call('POST', '/api/team/months/2026-10/return', { json: { users: [anna.user], reason } })
    expect(done.body.items).toMatchObject([{ outcome: 'changed' }])
  }
  const october = async ({ call }: Person) => {
    const { body } = await call('GET', `/api/team/members/${anna.user}/months/2026-10`)
    return [body.state, body.changed_by?.name, body.reason, ...body.remarks.map(({ text }: { text: string }) => text)]
  }
  await giveBack(hedy, 'You were ill on Monday')
  await remark('2026-10', 'My mother had died')
  expect(await october(hedy)).toEqual(['open', 'Hedy', 'You were ill on Monday', 'My mother had died'])
  await move('2026-10-12', '2026-10-20')

  expect(await october(barbara)).toEqual(['open', undefined, null])
  await remark('2026-10', 'For Bell')
  await giveBack(barbara, 'Two days are missing')
  expect(await october(barbara)).toEqual(['open', 'Barbara', 'Two days are missing', 'For Bell'])
  expect(await october(hedy)).toEqual(['open', undefined, null])
  const own = (await anna.call('GET', '/api/me/months/2026-10')).body
  expect(own.remarks).toHaveLength(2)
})

test('[D28.1] a proposal that has ended does not wait again when its person comes back', async () => {
  const { service, hedy, barbara, anna, acme, bell, makeFacts, move } = await startTwo()
  const propose = async (): Promise<string> => (await proposeTo(hedy, anna, service, 'Delete it, please')).body.id
  const answer = async (id: string) =>
    (await anna.call('POST', `/api/me/proposals/${id}/answer`, { json: { answer: 'accept' } })).status
  const listed = async () => {
    const ofHr = (await hedy.call('GET', `/api/team/members/${anna.user}/changes`)).body.items
    const own = (await anna.call('GET', '/api/me/proposals')).body.items
    return [ofHr, own].map((items: { id: string }[]) => items.map(({ id }) => id))
  }
  const ended = await propose()
  expect(await listed()).toEqual([[ended], [ended]])
  await move('2026-10-01', '2026-10-20')
  await endMembership(barbara, anna, bell, '2026-10-20', '2026-10-31')
  service.clock.set('2026-11-10T08:00:00.000Z')
  await join(hedy, anna, acme, '2026-11-10')
  await makeFacts()
  expect(await listed()).toEqual([[], []])
  expect(await answer(ended)).toBe(404)
  const waiting = await propose()
  expect(await listed()).toEqual([[waiting], [waiting]])
})

test('[D29.7] [D31.6] each company keeps its rows of a trail for as long as its own rules say', async () => {
  const { service, hedy, barbara, anna, makeFacts, move } = await startTwo()
  const keep = async ({ call }: Person, months_kept: number) => {
    const { status } = await call('PUT', '/api/team/policy', { json: { ...defaultPolicy, months_kept } })
    expect(status).toBe(200)
  }
  await keep(hedy, 120)
  await keep(barbara, 24)
  const look = ({ call }: Person, month: string) => call('GET', `/api/team/members/${anna.user}/months/${month}`)
  const trail = `/api/team/members/${anna.user}/trail`
  await look(hedy, '2026-10')
  await move('2026-10-20', '2026-11-10')
  await look(barbara, '2026-11')
  service.clock.set('2030-01-05T08:00:00.000Z')
  await makeFacts()
  for (const somebody of [hedy, barbara, anna]) await signInAgain(service, somebody)
  expect(await kindsOf(hedy, trail)).toEqual(['sheet_read'])
  // The chain stays whole: rows go from its beginning.
  expect((await anna.call('GET', '/api/me/trail')).body.items).toHaveLength(3)
  service.clock.set('2036-11-05T08:00:00.000Z')
  await makeFacts()
  for (const somebody of [hedy, anna]) await signInAgain(service, somebody)
  expect(await kindsOf(hedy, trail)).toEqual([])
})
