import { absenceKinds, addDays, defaultPolicy, type MailLanguage, type UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { TeamWriter } from '../../src/store/team/team-writer.ts'
import type { TestService } from '../harness.ts'
import { PASSWORD } from '../http/browser.ts'
import { newId } from '../http/resources.ts'
import { openMailBox } from '../mail/smtp-server.ts'
import { addGroup, give, join, person, sql, startCompany, TODAY } from './founded-company.ts'
import { schedule } from './month-company.ts'

/** A company whose service sends mails, with two members in two groups. */
async function start(more: { mailLanguage?: MailLanguage } = {}) {
  const box = await openMailBox()
  const config = { smtpUrl: box.url, mailFrom: 'Saldo <saldo@example.com>', publicUrl: 'https://saldo.example' }
  const company = await startCompany({ config: { ...config, ...more } })
  const { service, hr } = company
  const [grace, edsger] = [await person(service, 'Grace'), await person(service, 'Edsger')]
  const [sales, plant] = [await addGroup(hr, 'Sales', company.company), await addGroup(hr, 'Plant', company.company)]
  const from = TODAY
  await join(hr, grace, sales, from)
  await join(hr, edsger, plant, from)
  const textsTo = ({ email }: { email: string }) =>
    box
      .to(email)
      .filter(({ subject }) => subject?.includes('Acme'))
      .map(({ text }) => text)
  return { ...company, box, grace, edsger, sales, plant, from, textsTo }
}

test('[D24.21] mails of a company are in the language of their reader, or else of the service', async () => {
  const { service, admin, hr, grace, edsger, sales, company, from, box, textsTo } = await start({ mailLanguage: 'de' })
  for (const one of [hr, grace]) await one.call('PATCH', '/api/me', { json: { preferences: { language: 'en' } } })
  await give(hr, { user_id: edsger.user, role: 'lead', group_id: sales, from })
  const invited = { email: 'konrad@example.com', name: 'Konrad', group_id: company }
  await hr.call('PUT', '/api/team/people', { json: { items: [{ ...invited, from }], password: PASSWORD } })
  // Stopping sends what is on its way.
  await service.restart()
  for (const one of [hr, grace]) expect(textsTo(one).join()).toContain('Edsger (lead, Sales): the role was given.')
  expect(textsTo(edsger).join()).toContain('Edsger (Leitung, Sales): Die Rolle wurde vergeben.')
  expect(textsTo(admin).join()).not.toContain('the role')
  expect(
    box
      .to(invited.email)
      .map(({ text }) => text)
      .join(),
  ).toContain('Hallo Konrad')
})

test('[D24.5] a role is announced to HR, to whom it is given, and to the members below it', async () => {
  const { service, admin, hr, grace, edsger, sales, company, from, textsTo } = await start()
  const lead = { user_id: edsger.user, role: 'lead', group_id: sales, from }
  expect((await give(hr, lead)).outcome).toBe('added')
  expect((await give(hr, { ...lead, until: from })).outcome).toBe('changed')
  expect((await give(admin, { ...lead, role: 'payroll', group_id: company })).outcome).toBe('added')
  // Stopping sends what is on its way.
  await service.restart()
  const given = 'Edsger (lead, Sales): the role was given.'
  const ended = 'Edsger (lead, Sales): the role ends.'
  for (const one of [hr, grace, edsger]) {
    const all = textsTo(one).join()
    expect(all).toContain(given)
    expect(all).toContain(ended)
  }
  expect(textsTo(grace).join()).not.toContain('payroll')
})

/** Puts many roles of a lead of a group into its table. */
const addLeads = (service: TestService, user: UserNumber, group: number, count: number) =>
  service.beside(({ driver }) =>
    driver.write(async (sql) => {
      for (let index = 0; index < count; index += 1) {
        const role = { user, role: 'lead', groupId: group, from: addDays(TODAY, -index), until: null } as const
        const added = { ...role, standsInFor: null, givenBy: null, isConfirmed: true }
        await new TeamWriter(sql, `${TODAY}T12:00:00.000Z`).addRole(added)
      }
    }),
  )

test('[D24.5] a mail about roles lists a hundred changes, and how many more there are', async () => {
  const { service, hr, grace, edsger, sales, plant, from, textsTo } = await start()
  await addLeads(service, edsger.user, sales, 102)
  const items = [{ email: edsger.email, group_id: plant, from, until: from }]
  expect((await hr.call('PUT', '/api/team/people', { json: { items } })).body.items).toMatchObject([
    { outcome: 'changed' },
  ])
  await service.restart()
  for (const one of [hr, grace]) {
    const [text = ''] = textsTo(one).filter((each) => each?.includes('the role ends'))
    expect(text.split('Edsger (lead, Sales): the role ends.')).toHaveLength(101)
    expect(text).toContain('There are 2 more changes.')
  }
})

test('[D24.22] each role that leads get by moving a group counts as a mail to many', async () => {
  const { service, hr, edsger, sales, plant, company } = await start()
  await addLeads(service, edsger.user, plant, 70)
  const move = async (parent_id: number) => {
    const json = { items: [{ id: sales, name: 'Sales', parent_id }] }
    return (await hr.call('PUT', '/api/team/groups', { json })).body.items[0]
  }
  for (const parent of [plant, company]) expect((await move(parent)).outcome).toBe('changed')
  expect(await move(plant)).toMatchObject({ outcome: 'rejected', refusal: 'mailed_often' })
  // Whoever gives nobody a role goes on.
  expect((await move(await addGroup(hr, 'North', company))).outcome).toBe('changed')
})

test('[D24.22] HR alone lets leads or colleagues see more of a group, and its members hear of it', async () => {
  const { service, admin, hr, grace, edsger, sales, plant, company, textsTo } = await start()
  await give(hr, { user_id: edsger.user, role: 'lead', group_id: plant })
  const put = async (by: typeof hr, more: object) => {
    const json = { items: [{ id: sales, name: 'Sales', parent_id: company, ...more }] }
    return (await by.call('PUT', '/api/team/groups', { json })).body.items[0]
  }
  const refused = { outcome: 'rejected', refusal: 'hr_only' }
  expect(await put(admin, { parent_id: plant })).toMatchObject(refused)
  expect((await put(admin, { sees_members: false })).outcome).toBe('changed')
  expect(await put(admin, { sees_members: true })).toMatchObject(refused)
  expect((await edsger.call('GET', '/api/team/board')).body.items.length).toBe(1)
  // A group without members, or below nobody else, can be moved.
  expect((await put(admin, { parent_id: await addGroup(admin, 'North', company), sees_members: false })).outcome).toBe(
    'changed',
  )
  expect((await put(hr, { parent_id: plant })).outcome).toBe('changed')
  expect((await put(hr, { parent_id: plant })).outcome).toBe('unchanged')
  const { items } = (await hr.call('GET', '/api/team/trail')).body
  expect(items).toContainEqual(expect.objectContaining({ kind: 'role_given', role: 'lead', group: 'Sales' }))
  await service.restart()
  const led = 'Edsger (lead, Sales): the role was given.'
  const opened = 'The members of the group Sales now see when the others are away.'
  for (const one of [hr, grace]) for (const text of [led, opened]) expect(textsTo(one).join()).toContain(text)
  expect(textsTo(edsger).join()).toContain(led)
  expect(textsTo(edsger).join()).not.toContain(opened)
})

test('[D24.23] whoever signed up with the address of another reads nothing of a company and joins none', async () => {
  const { service, admin, hr, plant, company, textsTo } = await start()
  const stranger = await person(service, 'Boss')
  const setConfirmed = (at: string | null) =>
    sql(service, 'UPDATE users SET email_confirmed_at = $2 WHERE id = $1', [stranger.user, at])
  await setConfirmed(null)
  const json = { name: 'Other', hr: stranger.email, password: PASSWORD }
  const founded = await admin.call('POST', '/api/admin/companies', { json })
  expect(founded).toMatchObject({ status: 400, body: { errors: [{ pointer: '/hr' }] } })
  const items = [{ email: stranger.email, group_id: plant, from: TODAY }]
  const [added] = (await hr.call('PUT', '/api/team/people', { json: { items } })).body.items
  const own = `/api/me/memberships/${added.id}`
  const role = { user_id: stranger.user, role: 'payroll', group_id: company }
  expect((await stranger.call('POST', `${own}/acceptance`)).status).toBe(404)
  expect((await stranger.call('DELETE', own)).status).toBe(404)
  for (const path of ['/api/team', '/api/team/away?from=2026-11-21&to=2026-11-22', '/api/me/personnel']) {
    expect((await stranger.call('GET', path)).status).toBe(404)
  }
  expect((await stranger.call('GET', '/api/me')).body.has_company).toBe(false)
  expect((await stranger.call('GET', '/api/me/memberships')).body.items).toEqual([])
  expect((await stranger.call('GET', '/api/me/visibility')).body).toEqual({ policy: null, people: [], groups: [] })
  expect(await give(hr, role)).toMatchObject({ outcome: 'rejected', refusal: 'address_unconfirmed' })
  await setConfirmed('2026-11-21T12:00:00.000Z')
  expect((await stranger.call('GET', '/api/team')).status).toBe(200)
  expect((await stranger.call('POST', `${own}/acceptance`)).status).toBe(200)
  expect((await give(hr, role)).outcome).toBe('added')
  await service.restart()
  expect(textsTo(stranger).join()).toContain('Confirm this e-mail address first')
})

test.for(['the user', 'an admin'])(
  '[D24.23] what HR gave to an unconfirmed address ends when %s replaces it by another',
  async (who) => {
    const { service, admin, hr, plant, box } = await start()
    const stranger = await person(service, 'Boss')
    await sql(service, 'UPDATE users SET email_confirmed_at = NULL WHERE id = $1', [stranger.user])
    const items = [{ email: stranger.email, group_id: plant, from: TODAY }]
    const [added] = (await hr.call('PUT', '/api/team/people', { json: { items } })).body.items
    const personnel = {
      user_id: stranger.user,
      number: '4711',
      cost_centre: 'Board',
      entry_date: null,
      exit_date: null,
    }
    const put = await hr.call('PUT', '/api/team/personnel', { json: { items: [personnel] } })
    expect(put.body.items).toMatchObject([{ outcome: 'changed' }])
    const email = 'other@example.com'
    if (who === 'an admin') {
      const changed = await admin.call('PATCH', `/api/admin/users/${stranger.user}`, {
        json: { email, password: PASSWORD },
      })
      expect(changed.status).toBe(200)
    } else {
      await stranger.call('POST', '/api/me/email', { json: { email, password: PASSWORD } })
      await expect.poll(() => box.to(email).length).toBe(1)
      const secret = /confirm-email#([\w-]+)/.exec(box.to(email)[0]?.text ?? '')?.[1]
      expect((await stranger.call('POST', '/api/auth/email', { json: { secret } })).status).toBe(200)
    }
    expect((await stranger.call('POST', `/api/me/memberships/${added.id}/acceptance`)).status).toBe(404)
    expect((await stranger.call('GET', '/api/me')).body).toMatchObject({ email, has_company: false })
    const emails = (await hr.call('GET', '/api/team/people')).body.items.map((each: { email: string }) => each.email)
    expect(emails).not.toContain(email)
    // HR invites the other address anew, and it begins without anything of the first one.
    const again = (await hr.call('PUT', '/api/team/people', { json: { items: [{ ...items[0], email }] } })).body.items
    expect(again).toMatchObject([{ outcome: 'added' }])
    expect((await stranger.call('POST', `/api/me/memberships/${again[0].id}/acceptance`)).status).toBe(200)
    expect((await stranger.call('GET', '/api/me/personnel')).body).toMatchObject({ number: '', cost_centre: '' })
    const kinds = (await hr.call('GET', '/api/team/trail')).body.items.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toContain('member_declined')
  },
)

test('[D24.5] [D24.9] the first HR gets a mail, and only HR and the person read what a role lacks', async () => {
  const { service, hr, grace, edsger, sales, from, textsTo } = await start()
  const barbara = await person(service, 'Barbara', { isStrong: false })
  await join(hr, barbara, sales)
  await give(hr, { user_id: barbara.user, role: 'lead', group_id: sales, from })
  await give(hr, { user_id: edsger.user, role: 'lead', group_id: sales, from })
  expect((await barbara.call('GET', '/api/team')).body).toMatchObject({ roles: [], roles_without_key: ['lead'] })
  expect((await hr.call('GET', '/api/team')).body.roles_without_key).toEqual([])
  await service.restart()
  expect(textsTo(hr).join()).toContain('Hedy (HR, Acme): the role was given. It is in force.')
  const given = 'Barbara (lead, Sales): the role was given.'
  for (const one of [hr, barbara]) {
    expect(textsTo(one).join()).toContain(`${given} It takes effect once this person sets up a second factor`)
  }
  expect(textsTo(grace).join()).toContain(given)
  expect(textsTo(grace).join()).not.toContain('second factor')
  // A word more about those who have a key would say who has none.
  expect(textsTo(edsger).join()).toContain('Edsger (lead, Sales): the role was given. It is in force.')
  expect(textsTo(grace).join()).not.toContain('in force')
})

test('[D28.4] a person gets a mail of each change of HR, proposed or made, and of company leave', async () => {
  const { service, hr, grace, company, textsTo } = await start()
  const policy = JSON.stringify({ ...defaultPolicy, hr_changes: 'apply' })
  await sql(service, 'UPDATE team_policies SET policy = $2 WHERE company_id = $1', [company, policy])
  for (const apply of [false, true]) {
    const changes = [{ kind: 'entries', op: 'delete', id: newId(), updated_at: '2026-11-21T08:00:00Z' }]
    const json = { id: newId(), reason: 'It was wrong before', changes, apply }
    expect((await hr.call('POST', `/api/team/members/${grace.user}/changes`, { json })).status).toBe(200)
  }
  await grace.call('POST', '/api/settings', { json: schedule })
  const leave = { id: newId(), kind: 'unpaid', from: '2026-12-28', to: '2026-12-28', users: [grace.user] }
  for (const act of ['', '', '/preview', '/removal']) {
    expect((await hr.call('POST', `/api/team/leave${act}`, { json: leave })).body.items[0].dates).toHaveLength(1)
  }
  await service.restart()
  const mailsThat = (what: string) => textsTo(grace).filter((text) => text?.includes(`Hedy ${what} your account`))
  expect(mailsThat('proposes a change to')).toHaveLength(1)
  // A repeat and a preview change nothing.
  expect(mailsThat('has changed')).toHaveLength(3)
})

test('[D19.35] nobody floods others with mails by what they do in a company', async () => {
  const { service, hr, grace, plant, company, box } = await start()
  const statusesOf = async (times: number, act: (n: number) => Promise<{ status: number }>) => {
    const statuses: number[] = []
    for (let n = 0; n < times; n += 1) statuses.push((await act(n)).status)
    return statuses
  }
  const policyOf = (n: number) => ({ ...defaultPolicy, months_kept: 24 + n })
  const policies = await statusesOf(12, (n) => hr.call('PUT', '/api/team/policy', { json: policyOf(n) }))
  expect(policies).toEqual([...Array(10).fill(200), 429, 429])
  // The same one mails nobody.
  expect((await hr.call('PUT', '/api/team/policy', { json: policyOf(9) })).status).toBe(200)
  const reason = 'It was wrong before'
  const change = { kind: 'entries', op: 'delete', updated_at: '2026-11-21T08:00:00Z' }
  const propose = (by: typeof hr, of: typeof hr, id = newId()) =>
    by.call('POST', `/api/team/members/${of.user}/changes`, {
      json: { id, reason, changes: [{ ...change, id: newId() }] },
    })
  // Whoever may not, and a repeat, mails nobody.
  expect(new Set(await statusesOf(32, () => propose(grace, hr)))).toEqual(new Set([404]))
  const first = newId()
  expect(new Set(await statusesOf(32, () => propose(hr, grace, first)))).toEqual(new Set([200]))
  const changes = [200, ...(await statusesOf(31, () => propose(hr, grace)))]
  // The offer to join was one of her thirty.
  expect(changes).toEqual([...Array(29).fill(200), 429, 429, 429])

  const barbara = await person(service, 'Barbara')
  const dates = Array.from({ length: 40 }, (_, n) => addDays(TODAY, n))
  const outcomes: string[] = []
  for (const date of dates) {
    const item = { email: barbara.email, group_id: plant, from: date, until: date }
    // A line twice is refused once, and is no way around the limit.
    const { body } = await hr.call('PUT', '/api/team/people', { json: { items: [item, item] } })
    outcomes.push(...body.items.map(({ outcome }: { outcome: string }) => outcome))
  }
  expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(30)
  const role = { user_id: grace.user, role: 'lead', group_id: company, from: TODAY }
  const given = await statusesOf(62, (n) => {
    const json = { items: [{ ...role, until: addDays(TODAY, n) }], password: PASSWORD }
    return hr.call('PUT', '/api/team/roles', { json })
  })
  // A policy needs no proof, and so uses up none of them; a role that is given anew as it was mails nobody.
  expect(given).toEqual([...Array(60).fill(200), 429, 429])
  const same = { items: [{ ...role, until: addDays(TODAY, 59) }], password: PASSWORD }
  expect((await hr.call('PUT', '/api/team/roles', { json: same })).body.items[0].outcome).toBe('unchanged')
  await service.restart()
  expect(box.to(barbara.email).filter(({ subject }) => subject?.includes('Acme'))).toHaveLength(30)
})

test('[D19.35] an admin who ends the sessions of somebody again and again sends one mail', async () => {
  const { service, admin, grace, box } = await start()
  for (let n = 0; n < 3; n += 1) {
    expect((await admin.call('DELETE', `/api/admin/users/${grace.user}/sessions`)).status).toBe(204)
  }
  await service.restart()
  expect(box.to(grace.email).filter(({ subject }) => subject === 'You were signed out of Saldo')).toHaveLength(1)
})

test('[D19.10] [D19.35] an admin who deactivates and erases in turn sends one mail of each', async () => {
  const { service, admin, grace, box } = await start()
  const path = `/api/admin/users/${grace.user}`
  const erasing = (await admin.call('DELETE', path)).body
  service.clock.advance(60_000)
  for (let n = 0; n < 3; n += 1) {
    expect((await admin.call('PATCH', path, { json: { active: false } })).body).toEqual(erasing)
    expect((await admin.call('DELETE', path)).body).toEqual(erasing)
  }
  // Each has counted, so of thirty acts an hour the last ones need no end of access.
  const statuses: number[] = []
  for (let n = 0; n < 16; n += 1) {
    statuses.push((await admin.call('PATCH', path, { json: { active: true, password: PASSWORD } })).status)
    statuses.push((await admin.call('PATCH', path, { json: { active: false } })).status)
  }
  expect(statuses.slice(0, 28)).toEqual(Array(28).fill(200))
  expect(statuses.slice(-2)).toEqual([429, 200])
  await service.restart()
  expect(box.to(grace.email).filter(({ subject }) => subject?.includes('deleted in 14 days'))).toHaveLength(1)
  expect(box.to(grace.email).length).toBeLessThan(35)
})

test('[D19.35] an admin who invites an address and withdraws it again and again is refused', async () => {
  const { admin, box } = await start()
  const email = 'stranger@victim.example'
  const statuses: number[] = []
  for (let n = 0; n < 32; n += 1) {
    const { status, body } = await admin.call('POST', '/api/admin/users', {
      json: { email, name: 'X', password: PASSWORD },
    })
    statuses.push(status)
    if (status === 201) await admin.call('DELETE', `/api/admin/users/${body.account.user_id}/invitation`)
  }
  expect(statuses).toEqual([...Array(30).fill(201), 429, 429])
  expect(box.to(email)).toHaveLength(30)
})

test('[D25.9] a change of the policy is announced to all members, without kinds of absence', async () => {
  const { service, hr, grace, edsger, textsTo } = await start()
  const json = { ...defaultPolicy, lead_days: 'times' }
  expect((await hr.call('PUT', '/api/team/policy', { json })).status).toBe(200)
  await service.restart()
  for (const one of [grace, edsger, hr]) {
    const text = textsTo(one).join()
    expect(text).toContain('New rules about who sees what')
    for (const kind of absenceKinds) expect(text).not.toContain(kind)
    expect(text.match(/https:\S+/g)?.every((url) => url === 'https://saldo.example')).toBe(true)
  }
})

test('[D24.12] [D24.18] whoever has an account is asked to join by mail, and whoever has none is invited', async () => {
  const { service, hr, box, company, from, textsTo } = await start()
  const barbara = await person(service, 'Barbara')
  const item = { group_id: company, from }
  const items = [
    { ...item, email: barbara.email },
    { ...item, email: 'new@example.com', name: 'New' },
  ]
  const { body } = await hr.call('PUT', '/api/team/people', { json: { items, password: PASSWORD } })
  expect(body.items).toMatchObject([{ outcome: 'added' }, { outcome: 'invited' }])
  expect(body.items[1]).not.toHaveProperty('link')
  const people = (await hr.call('POST', '/api/team/people-search', { json: { state: 'invited' } })).body.items
  const again = { items: [people[0].user_id, barbara.user] }
  expect((await hr.call('PUT', '/api/team/people/invitations', { json: again })).body.items).toMatchObject([
    { outcome: 'invited' },
    { outcome: 'rejected' },
  ])
  // Whoever presses it again and again floods nobody.
  const more: string[] = []
  for (let times = 0; times < 3; times += 1) {
    const { items } = (await hr.call('PUT', '/api/team/people/invitations', { json: { items: [again.items[0]] } })).body
    more.push(items[0].outcome)
  }
  expect(more).toEqual(['invited', 'invited', 'rejected'])
  await service.restart()
  expect(textsTo(barbara).join()).toContain('You are asked to join the group Acme')
  expect(textsTo(barbara).join()).toContain('because Acme has invited you')
  expect(box.to('new@example.com').map(({ subject }) => subject)).toEqual(Array(4).fill('Your invitation to Saldo'))
})
