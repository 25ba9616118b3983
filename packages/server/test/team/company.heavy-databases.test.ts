import { addDays, defaultPolicy, LAST_DATE, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { TeamWriter } from '../../src/store/team/team-writer.ts'
import type { UserStore } from '../../src/store/users/users.ts'
import { systemRandom } from '../../src/system.ts'
import type { TeamViewer } from '../../src/team/access.ts'
import type { Companies } from '../../src/team/companies.ts'
import { putGroups } from '../../src/team/groups.ts'
import { memberRulesOf } from '../../src/team/member-rules.ts'
import { putPeople } from '../../src/team/people.ts'
import { putRoles } from '../../src/team/roles.ts'
import { userParts } from '../../src/users/user-parts.ts'
import { PASSWORD } from '../http/browser.ts'
import { openMailBox } from '../mail/smtp-server.ts'
import { notingStatements } from '../store/statements.ts'
import {
  addGroup,
  addSecondFactor,
  found,
  give,
  join,
  type Person,
  person,
  proof,
  signInAgain,
  sql,
  startCompany,
  statesOf,
  TODAY,
  useShownLink,
} from './founded-company.ts'

const search = (by: Person, json: object) => by.call('POST', '/api/team/people-search', { json })
const rejectedWith = (refusal: string) => ({ outcome: 'rejected', id: null, refusal, detail: expect.any(String) })

test('[D24.10] [D24.4] an admin founds a company, and its first HR needs nobody', async () => {
  const { admin, hr, company, service } = await startCompany()
  const { body } = await hr.call('GET', '/api/team')
  expect(body).toEqual({
    company: { id: company, name: 'Acme' },
    roles: [{ role: 'hr', group_id: company }],
    roles_without_key: [],
    is_member: false,
    left_on: null,
    is_admin: false,
    policy: { from: TODAY, number: 1, policy: defaultPolicy },
    next_policy: null,
  })
  const refused = async (json: object) =>
    (await admin.call('POST', '/api/admin/companies', { json: { name: 'Bell', hr: hr.email, ...json } })).status
  expect(await refused({})).toBe(400)
  expect(await refused({ password: 'wrong horse battery' })).toBe(403)
  expect(await refused({ password: PASSWORD })).toBe(409)
  const grace = await person(service, 'Grace')
  expect(await refused({ password: PASSWORD, hr: 'nobody@example.com' })).toBe(400)
  expect(await refused({ password: PASSWORD, hr: grace.email, name: 'Acme' })).toBe(409)
  expect((await hr.call('POST', '/api/admin/companies', { json: { name: 'Own', hr: hr.email } })).status).toBe(403)
})

test('[D24.2] [D24.12] groups are added, repeated, moved and removed, and one that fails stops no other', async () => {
  const { hr, company } = await startCompany()
  const put = async (...items: object[]) =>
    (await hr.call('PUT', '/api/team/groups', { json: { items }, skipContractCheck: true })).body.items
  const [sales, , plant] = await put({ name: 'Sales' }, { name: ' ' }, { name: 'Plant', parent_id: company })
  expect([sales.outcome, plant.outcome]).toEqual(['added', 'added'])
  expect(await put({ name: 'Sales' })).toEqual([{ outcome: 'unchanged', id: sales.id }])
  const field = await addGroup(hr, 'Field', sales.id)
  expect(
    await put(
      { id: sales.id, name: 'Sales', parent_id: field },
      { id: field, name: 'Field', parent_id: plant.id },
      { id: company, name: 'Acme', parent_id: plant.id },
      { id: 999, name: 'X' },
      { name: 'X', parent_id: 999 },
      { id: plant.id, name: 'Sales' },
    ),
  ).toEqual([
    rejectedWith('cycle'),
    { outcome: 'changed', id: field },
    rejectedWith('is_company'),
    rejectedWith('group_missing'),
    rejectedWith('parent_missing'),
    rejectedWith('group_exists'),
  ])
  const { items } = (await hr.call('GET', '/api/team/groups')).body
  expect(items.map(({ id, parent_id }: { id: number; parent_id: number }) => [id, parent_id])).toEqual([
    [company, null],
    [sales.id, company],
    [plant.id, company],
    [field, plant.id],
  ])
  expect((await hr.call('DELETE', `/api/team/groups/${plant.id}`)).status).toBe(409)
  expect((await hr.call('DELETE', `/api/team/groups/${company}`)).status).toBe(409)
  expect((await hr.call('DELETE', `/api/team/groups/${field}`)).status).toBe(204)
  expect((await hr.call('DELETE', `/api/team/groups/${field}`)).status).toBe(404)
})

test('[D24.2] groups have at most eight levels, also by moving', async () => {
  const { hr, company } = await startCompany()
  let parent = company
  for (let level = 2; level <= 8; level += 1) parent = await addGroup(hr, `Level ${level}`, parent)
  const items = [{ name: 'Level 9', parent_id: parent }, { name: 'Two' }]
  const [ninth, two] = (await hr.call('PUT', '/api/team/groups', { json: { items } })).body.items
  expect(ninth).toEqual(rejectedWith('too_deep'))
  const moved = { items: [{ id: two.id, name: 'Two', parent_id: parent }] }
  expect((await hr.call('PUT', '/api/team/groups', { json: moved })).body.items[0].outcome).toBe('rejected')
  expect((await hr.call('PUT', '/api/team/groups', { json: { items: [{ name: 'Try' }], dry_run: true } })).status).toBe(
    200,
  )
  expect((await hr.call('GET', '/api/team/groups')).body.items).toHaveLength(9)
})

test('[D24.2] [D24.12] items of a list move groups that earlier items have moved', async () => {
  const { service, hr, company } = await startCompany()
  const [sales, plant, field] = [
    await addGroup(hr, 'Sales', company),
    await addGroup(hr, 'Plant', company),
    await addGroup(hr, 'Field', company),
  ]
  const items = [
    { id: field, name: 'Field', parent_id: sales },
    { id: sales, name: 'Sales', parent_id: plant },
    { name: 'New', parent_id: field },
    { id: plant, name: 'Plant', parent_id: field },
  ]
  const answer = (await hr.call('PUT', '/api/team/groups', { json: { items } })).body.items
  expect(answer).toMatchObject([
    { outcome: 'changed' },
    { outcome: 'changed' },
    { outcome: 'added' },
    rejectedWith('cycle'),
  ])
  const paths = await service.beside(({ driver }) =>
    driver.all<{ name: string; path: string }>('SELECT name, path FROM team_groups ORDER BY path', []),
  )
  expect(Object.fromEntries(paths.map(({ name, path }) => [name, path]))).toEqual({
    Acme: `/${company}/`,
    Plant: `/${company}/${plant}/`,
    Sales: `/${company}/${plant}/${sales}/`,
    Field: `/${company}/${plant}/${sales}/${field}/`,
    New: `/${company}/${plant}/${sales}/${field}/${answer[2].id}/`,
  })
})

test('[D1.37] [D24.12] a list reads groups and roles once, however many items it has', async () => {
  const { service, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await join(hr, grace, company)
  const readsOf = (put: (companies: Companies, viewer: TeamViewer, users: UserStore) => Promise<unknown>) =>
    service.beside(async ({ driver, users }) => {
      const noting = notingStatements(driver)
      const options = { driver: noting.driver, users, clock: service.clock, random: systemRandom, publicUrl: undefined }
      const { companies } = userParts({ ...options, secret: 'signs nothing here'.repeat(2) })
      const viewer = await companies.viewer(hr.user, ['hr'])
      noting.statements.length = 0
      await put(companies, viewer, users)
      const ofCompany = (text: string) => /FROM team_(groups|roles)\b[\s\S]*path >= \$1/.test(text)
      return noting.statements.filter((text) => ofCompany(text) && !text.includes('user_id = $3')).length
    })
  const groupsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${count} ${index}` }))
  const rolesOf = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const from = addDays(TODAY, 100 * count + index)
      return { user_id: grace.user, role: 'lead', group_id: company, from }
    })
  const people = [grace, ...(await Promise.all(['Edsger', 'Barbara', 'Alan'].map((name) => person(service, name))))]
  for (const one of people.slice(1)) await join(hr, one, company)
  const peopleOf = (count: number) =>
    people.slice(0, count).map(({ email }) => ({ email, group_id: company, from: TODAY, until: '2030-12-31' }))
  const limits = { isDryRun: true, mayMailMany: async () => true }
  const reads = async (count: number) => [
    await readsOf((companies, viewer, users) =>
      putPeople(companies, users, viewer, peopleOf(count), { isDryRun: true, mayInvite: false }),
    ),
    await readsOf((companies, viewer) => putGroups(companies, viewer, groupsOf(count), limits)),
    await readsOf((companies, viewer) => putRoles(companies, viewer, rolesOf(count), async () => {})),
  ]
  const ofOne = await reads(1)
  expect(Math.min(...ofOne)).toBeGreaterThan(0)
  expect(await reads(50)).toEqual(ofOne)
})

test('[D1.37] [D26.9] the rules of members have the last version of each date that changes them', async () => {
  const { service, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await join(hr, grace, company)
  const { absences: asking } = defaultPolicy
  const versions = [
    { from: '2026-12-01', absences: { ...asking, vacation: 'free' } },
    { from: '2026-12-01', absences: asking },
    { from: '2026-12-02', absences: { ...asking, vacation: 'free' } },
    { from: '2026-12-03', absences: { ...asking, vacation: 'free' } },
  ] as const
  const rules = await service.beside(({ driver }) =>
    driver.write(async (sql) => {
      const writer = new TeamWriter(sql, `${TODAY}T12:00:00.000Z`)
      for (const [index, { from, absences }] of versions.entries()) {
        await writer.addPolicy(company, { number: 2 + index, from, policy: { ...defaultPolicy, absences } }, hr.user)
      }
      return memberRulesOf(writer.store, grace.user)
    }),
  )
  const rest = rules?.versions.slice(1).map(({ from, ask }) => ({ from, asksForVacation: ask.includes('vacation') }))
  expect(rest).toEqual([{ from: '2026-12-02', asksForVacation: false }])
})

test('[D24.5] whoever adds too many rows to the trail of a company does nothing more there that day', async () => {
  const { service, hr } = await startCompany()
  const { refused, last } = await service.beside(async ({ driver, users }) => {
    const options = { driver, users, clock: service.clock, random: systemRandom, publicUrl: undefined }
    const { companies } = userParts({ ...options, secret: 'signs nothing here'.repeat(2) })
    const viewer = await companies.viewer(hr.user, ['hr'])
    const note = (count: number) =>
      companies.write(viewer, { callers: ['hr'] }, async (writer, { companyId, user }) => {
        for (let row = 0; row < count; row += 1) await writer.note(companyId, user, 'group_changed')
        return { result: count }
      })
    expect(await note(20_000)).toBe(20_000)
    expect(await note(1)).toBe(1)
    const refused = await note(1).catch((error: unknown) => error)
    const last = await companies.store.trail(viewer.companyId, Number.MAX_SAFE_INTEGER)
    return { refused, last: last[0]?.number }
  })
  expect(refused).toMatchObject({ code: 'rate_limited' })
  // Founding and the first role, which the admin has done.
  expect(last).toBe(20_003)
})

test('[D24.2] a company has at most 5,000 groups', async () => {
  const { service, hr, company } = await startCompany()
  await sql(
    service,
    `INSERT INTO team_groups (parent_id, path, name, sees_members, created_at)
     WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 4998)
     SELECT $1, $2 || CAST(n AS TEXT) || '/', 'Group ' || CAST(n AS TEXT), 1, '2026-11-21T12:00:00.000Z' FROM numbers`,
    [company, `/${company}/90000`],
  )
  const json = { items: [{ name: 'The last' }, { name: 'One more' }] }
  const { items } = (await hr.call('PUT', '/api/team/groups', { json })).body
  expect(items).toMatchObject([{ outcome: 'added' }, rejectedWith('too_many_groups')])
})

test('[D24.2] a company has at most 5,000 roles, ended ones too', async () => {
  const { service, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await join(hr, grace, company)
  await sql(
    service,
    `INSERT INTO team_roles (user_id, role, group_id, from_date, until_date, created_at)
     WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 4998)
     SELECT $1, 'lead', $2, CAST(1000 + n AS TEXT) || '-01-01', CAST(1000 + n AS TEXT) || '-01-01',
       '2026-11-21T12:00:00.000Z' FROM numbers`,
    [hr.user, company],
  )
  const given = { user_id: grace.user, role: 'lead', group_id: company }
  const items = [
    { ...given, from: TODAY },
    { ...given, from: '2026-12-01' },
  ]
  const answer = await hr.call('PUT', '/api/team/roles', { json: { items, password: PASSWORD } })
  expect(answer.body.items).toMatchObject([{ outcome: 'added' }, rejectedWith('too_many_roles')])
})

test('[D24.2] [D24.12] [D24.16] people come from a list with a preview, and each that cannot is named', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, edsger, barbara] = [
    await person(service, 'Grace'),
    await person(service, 'Edsger'),
    await person(service, 'Barbara'),
  ]
  await found(admin, 'Bell', barbara)
  const item = { group_id: company, from: TODAY }
  const items = [
    { ...item, email: ' Grace@Example.com ' },
    { ...item, email: 'grace@example.com' },
    { ...item, email: 'new@example.com', name: 'New' },
    { ...item, email: barbara.email },
    { ...item, email: edsger.email, group_id: 999 },
    { ...item, email: 'dates@example.com', until: '2026-11-01' },
    { ...item, email: 'dates2@example.com', from: '2026-02-30' },
    { ...item, email: 'not an address' },
    { ...item, email: edsger.email, until: '2026-12-31' },
  ]
  const put = (json: object) => hr.call('PUT', '/api/team/people', { json, skipContractCheck: true })
  const outcomes = async (json: object) =>
    (await put(json)).body.items.map(({ outcome }: { outcome: string }) => outcome)
  const rejected = 'rejected'
  const expected = ['added', rejected, 'invited', ...Array(5).fill(rejected), rejected]
  expect(await outcomes({ items, dry_run: true })).toEqual(expected)
  expect((await hr.call('GET', '/api/team/people')).body.items).toHaveLength(1)
  // Whoever invites proves that it is them.
  expect((await put({ items })).status).toBe(400)
  const { body } = await put({ items, password: PASSWORD })
  expect(body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(expected)
  expect(body.items[1]).toEqual(rejectedWith('address_repeated'))
  expect(body.items[3]).toEqual(rejectedWith('not_to_add'))
  expect(body.items[4]).toEqual(rejectedWith('group_missing'))
  expect(body.items[5]).toEqual(rejectedWith('dates_reversed'))
  expect(body.items[6].detail).toContain('from must be a calendar date')
  expect(body.items[7]).toEqual(rejectedWith('address_invalid'))
  expect(body.items[2].link).toMatch(/^\/link#/)
  expect((await put({ items: items.slice(0, 1) })).body.items).toEqual([{ outcome: 'unchanged', id: body.items[0].id }])
  const { items: people } = (await hr.call('GET', '/api/team/people')).body
  expect(people.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['Grace', 'waits_for_acceptance'],
    ['Hedy', 'member'],
    ['New', 'invited'],
  ])
  expect((await search(hr, { state: 'invited' })).body.items).toHaveLength(1)
  expect((await search(hr, { search: 'gra', group: company })).body.items).toHaveLength(1)
  expect((await hr.call('GET', '/api/team/people?cursor=x')).status).toBe(400)
  await grace.call('GET', '/api/me')
})

test('[D19.9] a list of people tells a deactivated account from one of another company by nothing', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [other, gone, elsewhere] = [
    await person(service, 'Barbara'),
    await person(service, 'Grace'),
    await person(service, 'Edsger'),
  ]
  await join(other, elsewhere, await found(admin, 'Bell', other))
  await admin.call('PATCH', `/api/admin/users/${gone.user}`, { json: { active: false } })
  const items = [gone, elsewhere].map(({ email }) => ({ email, group_id: company, from: TODAY }))
  const { body } = await hr.call('PUT', '/api/team/people', { json: { items } })
  expect(body.items[0]).toEqual(rejectedWith('not_to_add'))
  expect(body.items[1]).toEqual(body.items[0])
})

test('[D24.3] [D24.13] a membership takes effect when the user accepts it, and shows its defaults', async () => {
  const { service, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await sql(service, 'UPDATE team_groups SET defaults = \'{"target_ms":1,"rotation":null}\' WHERE id = $1', [company])
  const group = await addGroup(hr, 'Sales', company)
  await sql(service, 'UPDATE team_groups SET defaults = \'{"target_ms":2}\' WHERE id = $1', [group])
  const items = [{ email: grace.email, group_id: group, from: '2026-11-01' }]
  const [{ id }] = (await hr.call('PUT', '/api/team/people', { json: { items } })).body.items
  const shown = async () =>
    (await grace.call('GET', '/api/me/memberships', { skipContractCheck: true })).body.items as Record<
      string,
      unknown
    >[]
  const own = { id, company: 'Acme', group: 'Sales', from: '2026-11-01', until: null, accepted_on: null }
  expect(await shown()).toMatchObject([{ ...own, sees_members: true, defaults: { target_ms: 2, rotation: null } }])
  expect((await grace.call('GET', '/api/team')).body.is_member).toBe(false)
  expect((await hr.call('POST', `/api/me/memberships/${id}/acceptance`)).status).toBe(404)
  for (const repeat of [1, 2]) {
    const accepted = await grace.call('POST', `/api/me/memberships/${id}/acceptance`, { skipContractCheck: true })
    expect([repeat, accepted.status, accepted.body.accepted_on]).toEqual([repeat, 200, TODAY])
  }
  expect((await grace.call('GET', '/api/team')).body.is_member).toBe(true)
  const stores = await service.openBeside()
  const rules = await stores.records.read(grace.user, (reader) => reader.memberRules())
  await stores.close()
  expect(rules).toEqual({
    company,
    dates: [{ from: TODAY, to: LAST_DATE }],
    versions: [{ from: TODAY, ask: ['vacation'], cancelAhead: defaultPolicy.cancel_ahead, managed: [] }],
  })
  expect((await grace.call('DELETE', `/api/me/memberships/${id}`)).status).toBe(409)
})

test('[D24.3] a membership that was not accepted can be declined', async () => {
  const { service, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  const items = [{ email: grace.email, group_id: company, from: TODAY }]
  const [{ id }] = (await hr.call('PUT', '/api/team/people', { json: { items } })).body.items
  expect((await hr.call('DELETE', `/api/me/memberships/${id}`)).status).toBe(404)
  expect((await grace.call('DELETE', `/api/me/memberships/${id}`)).status).toBe(204)
  expect((await grace.call('GET', '/api/team')).status).toBe(404)
})

test('[D24.2] a member of one company accepts no other', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, barbara] = [await person(service, 'Grace'), await person(service, 'Barbara')]
  const other = await found(admin, 'Bell', barbara)
  await join(hr, grace, company)
  const at = '2026-11-21T12:00:00.000Z'
  await sql(
    service,
    "INSERT INTO memberships (user_id, group_id, from_date, created_at) VALUES ($1, $2, '2026-11-01', $3)",
    [grace.user, other, at],
  )
  const { items } = (await grace.call('GET', '/api/me/memberships')).body
  const second = items.find((each: { company: string }) => each.company === 'Bell').id
  expect((await grace.call('POST', `/api/me/memberships/${second}/acceptance`)).status).toBe(409)
})

test('[D24.4] a role waits for another HR, and the only HR confirms what an admin gives', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, edsger] = [await person(service, 'Grace'), await person(service, 'Edsger')]
  await join(hr, grace, company)
  await join(hr, edsger, company)
  // The only HR of the company gives to others without anybody.
  expect((await give(hr, { user_id: grace.user, role: 'lead', group_id: company })).outcome).toBe('added')
  expect((await give(admin, { user_id: edsger.user, role: 'lead', group_id: company })).outcome).toBe('added')
  expect(await statesOf(hr)).toMatchObject({ 'Grace lead': 'in_force', 'Edsger lead': 'waits_for_hr' })
  const waiting = (await hr.call('GET', '/api/team/roles')).body.items.find(
    ({ user, state }: { user: { name: string }; state: string }) => user.name === 'Edsger' && state === 'waits_for_hr',
  )
  const confirm = (by: typeof hr, id = waiting.id, sent: object = proof) =>
    by.call('POST', `/api/team/roles/${id}/confirmation`, sent)
  expect((await confirm(admin)).status).toBe(404)
  expect((await confirm(grace)).status).toBe(403)
  expect((await confirm(hr, waiting.id, { json: {} })).status).toBe(400)
  expect((await confirm(hr, 999)).status).toBe(404)
  expect((await confirm(hr)).body.state).toBe('in_force')
  // A second HR, and then each needs the other one.
  expect((await give(hr, { user_id: edsger.user, role: 'hr', group_id: company })).outcome).toBe('added')
  const given = await give(hr, { user_id: grace.user, role: 'payroll', group_id: company })
  expect((await statesOf(hr))['Grace payroll']).toBe('waits_for_hr')
  expect((await confirm(hr, given.id)).status).toBe(403)
  expect((await confirm(edsger, given.id)).status).toBe(200)
  // Whoever ends the role of the other is not the only HR by that.
  const ending = { user_id: edsger.user, role: 'hr', group_id: company }
  const [begun, dayMs] = [{ ...ending, from: '2026-11-21' }, 24 * 3_600_000]
  service.clock.advance(3 * dayMs)
  expect(await give(hr, { ...begun, until: '2026-11-20' })).toMatchObject({ outcome: 'rejected' })
  expect(await give(hr, { ...begun, until: '2026-11-23' })).toMatchObject({ outcome: 'changed' })
  const later = await give(hr, { user_id: grace.user, role: 'auditor', group_id: company })
  expect((await statesOf(hr))['Grace auditor']).toBe('waits_for_hr')
  expect((await confirm(hr, later.id)).status).toBe(403)
  service.clock.advance(14 * dayMs)
  expect((await confirm(hr, later.id)).status).toBe(200)
})

test('[D24.24] the role of somebody who was only offered a membership waits, and ends if they decline', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [mia, ira] = [await person(service, 'Mia'), await person(service, 'Ira')]
  const items = [{ email: mia.email, group_id: company, from: TODAY }]
  const offer = async () => (await hr.call('PUT', '/api/team/people', { json: { items } })).body.items[0].id
  const confirm = async (id: number) => (await hr.call('POST', `/api/team/roles/${id}/confirmation`, proof)).status
  const reads = async ({ call }: Person) =>
    Promise.all(['trail', 'blocks'].map(async (path) => (await call('GET', `/api/team/${path}`)).status))
  const role = { user_id: mia.user, role: 'auditor', group_id: company }
  const declined = await offer()
  expect((await give(hr, role)).outcome).toBe('added')
  expect((await statesOf(hr))['Mia auditor']).toBe('waits_for_hr')
  expect((await mia.call('DELETE', `/api/me/memberships/${declined}`)).status).toBe(204)
  expect((await statesOf(hr))['Mia auditor']).toBe('ended')
  const accepted = await offer()
  const { id } = await give(hr, { ...role, until: '2027-11-21' })
  expect(await confirm(id)).toBe(409)
  expect(await reads(mia)).toEqual([404, 404])
  expect((await mia.call('POST', `/api/me/memberships/${accepted}/acceptance`, proof)).status).toBe(200)
  expect(await reads(mia)).toEqual([403, 200])
  expect(await confirm(id)).toBe(200)
  expect(await reads(mia)).toEqual([200, 200])
  const given = await give(admin, { user_id: ira.user, role: 'auditor', group_id: company })
  expect(await reads(ira)).toEqual([404, 404])
  expect(await confirm(given.id)).toBe(200)
  expect(await reads(ira)).toEqual([200, 200])
})

test('[D24.4] nobody becomes the only HR while the role of another rests, or waits after a change', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, edsger] = [await person(service, 'Grace'), await person(service, 'Edsger')]
  await join(hr, grace, company)
  await join(hr, edsger, company)
  const second = { user_id: edsger.user, role: 'hr', group_id: company }
  const { id } = await give(hr, second)
  const waitsOf = async (role: string) => {
    const given = await give(hr, { user_id: grace.user, role, group_id: company })
    const state = (await statesOf(hr))[`Grace ${role}`]
    return [state, (await hr.call('POST', `/api/team/roles/${given.id}/confirmation`, proof)).status]
  }
  await useShownLink(service, admin, edsger)
  expect((await statesOf(hr))['Edsger hr']).toBe('waits_for_hr')
  expect(await waitsOf('payroll')).toEqual(['waits_for_hr', 403])
  // Beside the one who rests nobody else could confirm it.
  expect((await hr.call('POST', `/api/team/roles/${id}/confirmation`, proof)).body.state).toBe('in_force')
  await give(admin, { ...second, until: '2027-11-20' })
  await give(admin, second)
  expect((await statesOf(hr))['Edsger hr']).toBe('waits_for_hr')
  expect(await waitsOf('auditor')).toEqual(['waits_for_hr', 403])
})

test('[D24.4] [D24.16] nobody gives a role to themself, and an admin becomes no HR alone', async () => {
  const { service, admin, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  const self = rejectedWith('own_role')
  expect(await give(admin, { user_id: admin.user, role: 'hr', group_id: company })).toEqual(self)
  expect(await give(hr, { user_id: hr.user, role: 'lead', group_id: company })).toEqual(self)
  const sales = await addGroup(hr, 'Sales', company)
  expect(await give(admin, { user_id: grace.user, role: 'hr', group_id: sales })).toMatchObject({ outcome: 'rejected' })
  // HR knows nobody outside of the company.
  const outside = rejectedWith('person_missing')
  expect(await give(hr, { user_id: grace.user, role: 'lead', group_id: company })).toEqual(outside)
  expect((await give(admin, { user_id: grace.user, role: 'hr', group_id: company })).outcome).toBe('added')
  expect((await statesOf(admin))['Grace hr']).toBe('waits_for_hr')
  expect((await grace.call('GET', '/api/team/people')).status).toBe(404)
  expect((await hr.call('PUT', '/api/team/roles', { json: { items: [] } })).status).toBe(400)
})

test('[D24.20] the role of HR does not end or wait before somebody else is HR, whoever does it', async () => {
  const { service, admin, hr, company } = await startCompany()
  const paul = await person(service, 'Paul')
  await join(hr, paul, company)
  const put = (by: Person, { user }: Person, until: LocalDate | null) =>
    give(by, { user_id: user, role: 'hr', group_id: company, until })
  const refused = { outcome: 'rejected', refusal: 'only_hr' }
  for (const by of [hr, admin]) expect(await put(by, hr, '2026-11-20')).toMatchObject(refused)
  const deleted = await hr.call('DELETE', '/api/me', proof)
  expect(deleted).toMatchObject({ status: 409, body: { detail: expect.stringContaining('HR of a company') } })
  const erased = await admin.call('DELETE', `/api/admin/users/${hr.user}`)
  expect(erased).toMatchObject({ status: 409, body: { detail: expect.stringContaining('only HR') } })
  await put(hr, paul, '2027-03-31')
  // Each may resign, but not both.
  expect((await put(paul, paul, '2026-12-31')).outcome).toBe('changed')
  for (const until of ['2026-12-31', '2026-12-30'] as const) {
    for (const by of [hr, admin]) expect(await put(by, hr, until)).toMatchObject(refused)
  }
  expect((await put(paul, paul, '2026-11-20')).outcome).toBe('changed')
  expect((await put(hr, paul, '2027-12-31')).outcome).toBe('changed')
  // Nobody could act while the other account is deactivated.
  const patch = { json: { active: false } }
  expect((await admin.call('PATCH', `/api/admin/users/${paul.user}`, patch)).status).toBe(200)
  expect(await put(hr, hr, '2026-11-20')).toMatchObject(refused)
})

test('[D24.20] of two HR whom two admins erase at once, one stays', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [paul, alan] = [await person(service, 'Paul'), await person(service, 'Alan')]
  await join(hr, paul, company)
  await give(hr, { user_id: paul.user, role: 'hr', group_id: company })
  await sql(service, "UPDATE users SET role = 'admin' WHERE id = $1", [alan.user])
  const erase = ({ call }: Person, { user }: Person) => call('DELETE', `/api/admin/users/${user}`)
  const [one, other] = await Promise.all([erase(admin, hr), erase(alan, paul)])
  expect([one.status, other.status].toSorted()).toEqual([200, 409])
})

test('[D24.4] [D24.20] no admin replaces a lost HR, and no HR makes all the others wait', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, paul, edsger] = [
    await person(service, 'Grace'),
    await person(service, 'Paul'),
    await person(service, 'Edsger'),
  ]
  for (const each of [grace, paul, edsger]) await join(hr, each, company)
  const role = (user: Person, until: LocalDate | null = null) => ({
    ...{ user_id: user.user, role: 'hr', group_id: company, until },
  })
  await give(hr, role(grace))
  await give(hr, role(paul))
  await grace.call('POST', `/api/team/roles/${(await give(hr, role(paul))).id}/confirmation`, proof)
  for (const other of [grace, paul]) expect((await give(hr, role(other, '2027-12-31'))).outcome).toBe('changed')
  expect((await give(hr, role(grace, '2028-12-31'))).outcome).toBe('changed')
  expect((await statesOf(hr))['Grace hr']).toBe('waits_for_hr')
  expect(await give(hr, role(paul, '2028-12-31'))).toMatchObject(rejectedWith('only_hr'))
  // The accounts are gone, by whatever way.
  await sql(service, 'DELETE FROM team_roles WHERE group_id = $1', [company])
  expect((await give(admin, role(edsger))).outcome).toBe('added')
  expect((await statesOf(admin))['Edsger hr']).toBe('waits_for_hr')
})

test('[D24.5] [D24.20] a role that ends with a membership is announced, and HR stays', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, sales] = [await person(service, 'Grace'), await addGroup(hr, 'Sales', company)]
  service.clock.advance(20 * 24 * 3_600_000)
  const end = async (by: Person, { email }: Person, until: LocalDate, from = TODAY) => {
    const items = [{ email, group_id: company, from, until }]
    return (await by.call('PUT', '/api/team/people', { json: { items } })).body.items[0]
  }
  await join(hr, grace, company)
  const begun = { from: '2026-12-11' as const }
  await give(hr, { user_id: grace.user, role: 'hr', group_id: company, ...begun })
  for (const by of [hr, admin]) {
    expect(await end(by, grace, '2026-11-30')).toMatchObject(rejectedWith('hr_ended_late'))
  }
  expect((await end(admin, grace, '2026-12-31')).outcome).toBe('changed')
  const ended = { kind: 'role_ended', user: { user_id: grace.user }, role: 'hr', until: '2026-12-31' }
  expect((await hr.call('GET', '/api/team/trail')).body.items[0]).toMatchObject(ended)
  // Neither does the role of the only HR end with one that is offered, nor beside it.
  const offered = [{ email: hr.email, group_id: sales, from: TODAY, until: '2027-06-30' }]
  await admin.call('PUT', '/api/team/people', { json: { items: offered } })
  const [{ id }] = (await hr.call('GET', '/api/me/memberships')).body.items
  expect((await hr.call('POST', `/api/me/memberships/${id}/acceptance`)).status).toBe(409)
  await join(hr, hr, company)
  expect(await end(admin, hr, '2026-12-10')).toMatchObject(rejectedWith('only_hr'))
})

test('[D24.5] [D24.7] [D24.15] a role that ends is refused at once, and a longer one is given anew', async () => {
  const { service, hr, admin, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await join(hr, grace, company)
  const role = { user_id: grace.user, role: 'hr', group_id: company }
  expect((await give(hr, role)).outcome).toBe('added')
  expect((await grace.call('GET', '/api/team/people')).status).toBe(200)
  const ended = { ...role, until: '2026-11-20' }
  expect((await give(hr, ended)).outcome).toBe('changed')
  expect((await give(hr, ended)).outcome).toBe('unchanged')
  expect((await grace.call('GET', '/api/team/people')).status).toBe(403)
  expect((await grace.call('PUT', '/api/team/policy', { json: defaultPolicy })).status).toBe(403)
  expect((await give(admin, role)).outcome).toBe('changed')
  expect((await statesOf(hr))['Grace hr']).toBe('waits_for_hr')
  const { items } = (await hr.call('GET', '/api/team/trail')).body
  expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
    'role_changed',
    'role_ended',
    'role_given',
    'member_joined',
    'member_added',
    'role_given',
    'company_founded',
  ])
  expect(items[1]).toMatchObject({
    actor: { user_id: hr.user, name: 'Hedy' },
    user: { user_id: grace.user, name: 'Grace' },
    role: 'hr',
    group: 'Acme',
    until: '2026-11-20',
  })
})

test('[D24.15] nobody confirms a role that was changed after they read it', async () => {
  const { service, hr, admin, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await join(hr, grace, company)
  const role = { user_id: grace.user, role: 'lead', group_id: company }
  const { id: read } = await give(admin, { ...role, until: '2026-12-01' })
  const { id: present } = await give(admin, role)
  const confirm = (id: number) =>
    hr.call('POST', `/api/team/roles/${id}/confirmation`, { json: { password: PASSWORD } })
  expect((await confirm(read)).status).toBe(404)
  expect((await statesOf(hr))['Grace lead']).toBe('waits_for_hr')
  expect((await confirm(present)).body.state).not.toBe('waits_for_hr')
})

test('[D24.7] a membership that ended is refused from the next request on', async () => {
  const { service, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await join(hr, grace, company)
  expect((await grace.call('GET', '/api/team')).status).toBe(200)
  const items = [{ email: grace.email, group_id: company, from: TODAY, until: '2026-11-20' }]
  expect((await hr.call('PUT', '/api/team/people', { json: { items } })).body.items[0].outcome).toBe('changed')
  expect((await grace.call('GET', '/api/team')).status).toBe(404)
  expect((await grace.call('GET', '/api/me/memberships')).body.items).toEqual([])
  expect((await search(hr, { state: 'left' })).body.items).toHaveLength(1)
  const stores = await service.openBeside()
  expect(await stores.records.read(grace.user, (reader) => reader.memberRules())).toBeNull()
  await stores.close()
})

test('[D24.7] nobody keeps a role that has ended by a time zone of their choice', async () => {
  const { service, hr, company } = await startCompany({ now: `${TODAY}T06:00:00.000Z` })
  const paul = await person(service, 'Paul')
  await join(hr, paul, company)
  const role = { user_id: paul.user, role: 'hr', group_id: company, from: '2026-11-01' }
  await give(hr, role)
  const settings = { effective_from: '2026-01-01', time_zone: 'Etc/GMT+12', target_ms: Array(7).fill(0) }
  await paul.call('POST', '/api/settings', { json: settings })
  await service.service.runDueJobs()
  const statuses = async () => [
    (await paul.call('GET', '/api/team/people')).status,
    (await paul.call('GET', `/api/team/away?from=${TODAY}&to=${TODAY}`)).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  // There it is still that day.
  await give(hr, { ...role, until: '2026-11-20' })
  expect(await statuses()).toEqual([403, 200])
})

test('[D24.6] a deputy stands in for a lead of the group, and only for one', async () => {
  const { service, hr, company } = await startCompany()
  const [grace, edsger] = [await person(service, 'Grace'), await person(service, 'Edsger')]
  await join(hr, grace, company)
  await join(hr, edsger, company)
  const deputy = { user_id: edsger.user, role: 'deputy', group_id: company }
  expect((await give(hr, deputy)).detail).toBe('A deputy, and nobody else, stands in for a lead.')
  expect((await give(hr, { ...deputy, stands_in_for: grace.user })).detail).toBe(
    'A deputy stands in for a lead of the group.',
  )
  await give(hr, { user_id: grace.user, role: 'lead', group_id: company })
  expect((await give(hr, { ...deputy, stands_in_for: grace.user })).outcome).toBe('added')
  expect((await statesOf(hr))['Edsger deputy']).toBe('lead_present')
})

test('[D24.9] [D25.10] nobody but HR learns how those with a role sign in', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, ira] = [await person(service, 'Grace', { isStrong: false }), await person(service, 'Ira')]
  await join(hr, grace, company)
  await join(hr, ira, company)
  await give(hr, { user_id: grace.user, role: 'lead', group_id: company })
  const shown = async () => [(await ira.call('GET', '/api/me/visibility')).text, await statesOf(admin)]
  const before = await shown()
  expect((await statesOf(hr))['Grace lead']).toBe('needs_second_factor')
  await addSecondFactor(service, grace.user)
  expect((await statesOf(hr))['Grace lead']).toBe('in_force')
  expect(await shown()).toEqual(before)
})

test('[D24.9] [D24.17] a role needs a strong sign-in, and rests after a link that an admin made', async () => {
  const { service, admin, hr, company } = await startCompany()
  const grace = await person(service, 'Grace', { isStrong: false })
  await join(hr, grace, company)
  const { id } = await give(hr, { user_id: grace.user, role: 'lead', group_id: company })
  expect((await statesOf(hr))['Grace lead']).toBe('needs_second_factor')
  // Beside a passkey, the password alone still signs in.
  await sql(
    service,
    `INSERT INTO passkeys (user_id, id, name, credential_id, public_key, counter, created_at)
     VALUES ($1, 'key', 'Key', 'of Grace', 'public', 0, '2026-11-21T12:00:00.000Z')`,
    [grace.user],
  )
  expect((await statesOf(hr))['Grace lead']).toBe('needs_second_factor')
  await sql(service, 'UPDATE users SET password_hash = NULL WHERE id = $1', [grace.user])
  expect((await statesOf(hr))['Grace lead']).toBe('in_force')
  await sql(service, 'DELETE FROM passkeys WHERE user_id = $1', [grace.user])
  expect((await statesOf(hr))['Grace lead']).toBe('needs_second_factor')
  const password = 'UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = $2) WHERE id = $1'
  await sql(service, password, [grace.user, hr.user])
  await addSecondFactor(service, grace.user)
  expect((await statesOf(hr))['Grace lead']).toBe('in_force')
  const state = async () => (await statesOf(hr))['Grace lead']
  const confirm = () => hr.call('POST', `/api/team/roles/${id}/confirmation`, proof)
  expect((await admin.call('POST', `/api/admin/users/${grace.user}/link`, proof)).status).toBe(201)
  expect(await state()).toBe('waits_for_hr')
  expect((await confirm()).status).toBe(200)
  await useShownLink(service, admin, grace)
  expect(await state()).toBe('waits_for_hr')
  expect((await confirm()).status).toBe(200)
  expect(await state()).toBe('in_force')
  const moved = { json: { email: 'mallory@example.com', password: PASSWORD } }
  expect((await admin.call('PATCH', `/api/admin/users/${grace.user}`, moved)).status).toBe(200)
  expect(await state()).toBe('waits_for_hr')
  const { items } = (await hr.call('GET', '/api/team/trail')).body
  expect(items[0]).toMatchObject({ kind: 'role_rests', actor: null, user: { user_id: grace.user } })
  // A reset of the only HR leaves nobody who could be misused.
  await useShownLink(service, admin, hr)
  await signInAgain(service, hr)
  expect((await hr.call('GET', '/api/team/people')).status).toBe(403)
})

test.for(['shown by an admin', 'shown to HR without mail', 'mailed'])(
  '[D24.17] the role of somebody invited rests if the link was shown and not only mailed: %s',
  async (how) => {
    const box = await openMailBox()
    const mails = { smtpUrl: box.url, mailFrom: 'saldo@example.com', publicUrl: 'https://saldo.example' }
    const { service, admin, hr, company } = await startCompany(how.includes('without') ? {} : { config: mails })
    const [email, from] = ['nora@example.com', TODAY]
    const json = { items: [{ email, name: 'Nora', group_id: company, from }], password: PASSWORD }
    const [invited] = (await hr.call('PUT', '/api/team/people', { json })).body.items
    const [{ user_id: user }] = (await search(hr, { state: 'invited' })).body.items
    await give(hr, { user_id: user, role: 'lead', group_id: company })
    // As if she were an adviser, whose role is confirmed without a membership (D24.24).
    await sql(service, 'UPDATE team_roles SET confirmed_at = $2, first_confirmed_at = $2 WHERE user_id = $1', [
      ...[user, `${TODAY}T12:00:00.000Z`],
    ])
    if (how === 'shown by an admin') {
      await useShownLink(service, admin, { user })
      await expect
        .poll(() => box.to(email).map(({ subject }) => subject))
        .toContain('A link to set a new password for Saldo was created')
    } else {
      const link = invited.link ?? box.to(email)[0]?.text
      const secret = /link#([\w-]+)/.exec(link)?.[1]
      expect(
        (await service.call('POST', '/api/auth/link/password', { json: { secret, password: PASSWORD } })).status,
      ).toBe(204)
    }
    await addSecondFactor(service, user)
    expect((await statesOf(hr))['Nora lead']).toBe(how === 'mailed' ? 'in_force' : 'waits_for_hr')
  },
)

test('[D24.17] somebody whose link was shown becomes the first HR once the link was used', async () => {
  const { service, admin } = await startCompany()
  const json = { email: 'nora@example.com', name: 'Nora', password: PASSWORD }
  const invited = (await admin.call('POST', '/api/admin/users', { json })).body
  const founding = () =>
    admin.call('POST', '/api/admin/companies', { json: { name: 'Bell', hr: json.email, password: PASSWORD } })
  expect((await founding()).status).toBe(409)
  const secret = invited.link.path.split('#')[1]
  await service.call('POST', '/api/auth/link/password', { json: { secret, password: PASSWORD } })
  expect((await founding()).status).toBe(201)
})

test('[D24.3] a company gets no name and address chosen after leaving, or without joining', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [grace, edsger, barbara] = [
    await person(service, 'Grace'),
    await person(service, 'Edsger'),
    await person(service, 'Barbara'),
  ]
  await join(hr, grace, company)
  await join(hr, barbara, company)
  const put = async (item: object) => {
    const json = { items: [{ group_id: company, from: TODAY, ...item }] }
    return (await hr.call('PUT', '/api/team/people', { json })).body.items[0]
  }
  await put({ email: edsger.email })
  await put({ email: grace.email, until: '2026-11-20' })
  for (const one of [grace, edsger, barbara]) {
    const email = `next.${one.email}`
    expect((await one.call('POST', '/api/me/email', { json: { email, password: PASSWORD } })).body.outcome).toBe(
      'changed',
    )
    expect((await one.call('PATCH', '/api/me', { json: { name: 'Mystery' } })).status).toBe(200)
  }
  await admin.call('PATCH', `/api/admin/users/${grace.user}`, { json: { name: 'Enigma' } })
  const shown = async (path: string) =>
    (await hr.call('GET', path)).body.items.map(
      ({ name, email }: { name: string; email: string }) => `${name} ${email}`,
    )
  const known = [
    'Edsger edsger@example.com',
    'Grace grace@example.com',
    'Hedy hedy@example.com',
    'Mystery next.barbara@example.com',
  ]
  expect((await shown('/api/team/people')).toSorted()).toEqual(known)
  expect((await shown('/api/team/personnel')).toSorted()).toEqual(known)
  const trail = JSON.stringify((await hr.call('GET', '/api/team/trail')).body)
  for (const name of ['Edsger', 'Grace']) expect(trail).toContain(name)
  expect(trail).not.toContain('Enigma')
  expect((await admin.call('POST', '/api/admin/user-search', { json: { search: 'Enigma' } })).body.count).toBe(1)
  // HR has named that address.
  expect((await put({ email: 'next.grace@example.com', from: '2026-11-22' })).outcome).toBe('added')
  expect(await shown('/api/team/people')).toContain('Enigma next.grace@example.com')
})

test('[D25.9] a policy applies from the next day on, and earlier versions stay readable', async () => {
  const { service, hr, company } = await startCompany()
  const grace = await person(service, 'Grace')
  await join(hr, grace, company)
  const read = await hr.call('GET', '/api/team/policy')
  const etag = read.headers.get('etag') ?? ''
  const strict = { ...defaultPolicy, absences: { ...defaultPolicy.absences, unpaid: 'ask' } }
  const put = (json: object, headers = {}) => hr.call('PUT', '/api/team/policy', { json, headers })
  const changed = await put(strict, { 'if-match': etag })
  expect(changed.body).toMatchObject({ from: '2026-11-22', number: 2, policy: strict })
  expect((await put(defaultPolicy, { 'if-match': etag })).status).toBe(412)
  expect((await put(strict)).body.number).toBe(2)
  const { items } = (await grace.call('GET', '/api/team/policy')).body
  expect(items.map(({ number }: { number: number }) => number)).toEqual([1, 2])
  expect((await grace.call('GET', '/api/team')).body).toMatchObject({
    policy: { number: 1 },
    next_policy: { number: 2 },
  })
  await service.service.runDueJobs()
  const stores = await service.openBeside()
  const rules = await stores.records.read(grace.user, (reader) => reader.memberRules())
  await stores.close()
  expect(rules?.versions.map(({ from, ask }) => [from, ask])).toEqual([
    [TODAY, ['vacation']],
    ['2026-11-22', ['vacation', 'unpaid']],
  ])
  expect((await put({ ...strict, lead_days: 'everything' }, {})).status).toBe(400)
  expect((await put({ ...strict, absences: { ...strict.absences, sick: 'ask' } })).status).toBe(400)
  service.clock.advance(86_400_000)
  expect((await grace.call('GET', '/api/team')).body).toMatchObject({ policy: { number: 2 }, next_policy: null })
})

test('[D26.11] HR replaces the blocked periods of the company’s groups', async () => {
  const { hr, company } = await startCompany()
  const items = [{ group_id: company, from: '2026-12-24', to: '2026-12-31', reason: 'Stocktaking' }]
  expect((await hr.call('PUT', '/api/team/blocks', { json: { items } })).body).toEqual({ items })
  expect((await hr.call('GET', '/api/team/blocks')).body).toEqual({ items })
  const unknown = { items: [{ ...items[0], group_id: 999 }] }
  expect((await hr.call('PUT', '/api/team/blocks', { json: unknown })).status).toBe(400)
  expect((await hr.call('GET', '/api/team/blocks')).body).toEqual({ items })
})

test('[D24.13] [D1.33] the defaults of a group keep no field that the service does not know', async () => {
  const { hr, company } = await startCompany()
  const policy = { rules: [{ worked_above_ms: 0, required_ms: 0, x: 'large' }], min_piece_ms: 0, x: 'large' }
  const item = { name: 'Sales', parent_id: company, defaults: { break_policy: policy, week_starts_on: 7 } }
  const { body } = await hr.call('PUT', '/api/team/groups', { json: { items: [item] }, skipContractCheck: true })
  expect(body.items).toMatchObject([{ outcome: 'added' }])
  const { items } = (await hr.call('GET', '/api/team/groups')).body
  expect(items.at(-1)).toMatchObject({ name: 'Sales', defaults: { week_starts_on: 7 } })
  expect(JSON.stringify(items)).not.toContain('large')
  const again = await hr.call('PUT', '/api/team/groups', { json: { items: [item] }, skipContractCheck: true })
  expect(again.body.items).toMatchObject([{ outcome: 'unchanged' }])
})

test('[D24.11] [D25.10] a user sees each person with a role over them, and who sees when they are away', async () => {
  const { service, hr, company } = await startCompany()
  const [grace, edsger, ira] = [
    await person(service, 'Grace'),
    await person(service, 'Edsger'),
    await person(service, 'Ira'),
  ]
  const [sales, plant] = [await addGroup(hr, 'Sales', company), await addGroup(hr, 'Plant', company)]
  await join(hr, grace, sales)
  await join(hr, edsger, plant)
  await give(hr, { user_id: edsger.user, role: 'lead', group_id: plant })
  expect((await grace.call('GET', '/api/me/visibility')).body).toEqual({
    policy: { from: TODAY, number: 1, policy: defaultPolicy },
    people: [{ user_id: hr.user, name: 'Hedy', role: 'hr', group: 'Acme', from: TODAY, until: null, in_force: true }],
    groups: [{ name: 'Sales', members: 1 }],
  })
  await join(hr, ira, plant)
  await give(hr, { user_id: edsger.user, role: 'lead', group_id: sales })
  await give(hr, { user_id: ira.user, role: 'deputy', group_id: sales, stands_in_for: edsger.user })
  const { people } = (await grace.call('GET', '/api/me/visibility')).body
  expect(people).toMatchObject([
    { name: 'Hedy', role: 'hr', in_force: true },
    // That the lead is there would say when the lead is away.
    { name: 'Ira', role: 'deputy', in_force: true },
    { name: 'Edsger', role: 'lead', in_force: true },
  ])
  const nobody = await person(service, 'Nobody')
  expect((await nobody.call('GET', '/api/me/visibility')).body).toEqual({ policy: null, people: [], groups: [] })
})

test('[D24.1] [D24.7] [D24.8] [D24.14] each route of the company refuses whoever may not call it', async () => {
  const { service, admin, hr, company } = await startCompany()
  const [member, barbara, stranger] = [
    await person(service, 'Grace'),
    await person(service, 'Barbara'),
    await person(service, 'Stranger'),
  ]
  const other = await found(admin, 'Bell', barbara)
  await join(hr, member, company)
  const theirs = await addGroup(barbara, 'Theirs', other)
  const { token } = await service.user('token@example.com')
  const items = { json: { items: [], password: PASSWORD } }
  const manages = { none: 401, stranger: 404, member: 403, admin: 200, hr: 200 }
  const decides = { ...manages, admin: 404 }
  const reads = { ...manages, member: 200 }
  const routes: [string, string, object | undefined, Record<string, number>][] = [
    ['GET', '/api/team', undefined, reads],
    ['GET', '/api/team/groups', undefined, manages],
    ['PUT', '/api/team/groups', { json: { items: [] } }, manages],
    ['DELETE', `/api/team/groups/${theirs}`, undefined, { ...manages, admin: 404, hr: 404 }],
    ['GET', '/api/team/people', undefined, manages],
    ['POST', '/api/team/people-search', { json: {} }, manages],
    ['PUT', '/api/team/people', items, manages],
    ['PUT', '/api/team/people/invitations', { json: { items: [] } }, manages],
    ['GET', '/api/team/roles', undefined, manages],
    ['PUT', '/api/team/roles', items, manages],
    ['POST', '/api/team/roles/999/confirmation', proof, { ...decides, hr: 404 }],
    ['GET', '/api/team/policy', undefined, reads],
    ['PUT', '/api/team/policy', { json: defaultPolicy }, decides],
    ['GET', '/api/team/blocks', undefined, { ...reads, admin: 200 }],
    ['PUT', '/api/team/blocks', { json: { items: [] } }, decides],
    ['GET', '/api/team/trail', undefined, decides],
  ]
  for (const [method, path, sent, expected] of routes) {
    const statuses: Record<string, number> = {}
    const callers = { none: service, stranger, member, admin, hr }
    for (const [name, caller] of Object.entries(callers)) {
      statuses[name] = (await caller.call(method, path, sent)).status
    }
    expect({ path: `${method} ${path}`, ...statuses }).toEqual({ path: `${method} ${path}`, ...expected })
    // No token, and no other company.
    expect((await service.call(method, path, { ...sent, token })).status).toBe(403)
  }
  // HR of another company finds nothing of this one.
  expect((await barbara.call('GET', `/api/team?company=${company}`)).status).toBe(404)
  expect((await barbara.call('GET', `/api/team/people?company=${company}`)).status).toBe(404)
  const moved = { items: [{ id: company, name: 'Mine' }] }
  expect((await barbara.call('PUT', '/api/team/groups', { json: moved })).body.items[0].outcome).toBe('rejected')
  expect((await barbara.call('GET', '/api/team/groups')).body.items).toHaveLength(2)
  expect((await admin.call('GET', `/api/team/groups?company=${other}`)).body.items).toHaveLength(2)
})

test('[D24.12] [D30.2] people are listed by name, 100 on a page, and a list has 100 items at most', async () => {
  const { hr, company } = await startCompany()
  const items = Array.from({ length: 101 }, (_, index) => ({
    email: `p${index}@example.com`,
    name: `Person ${String(index).padStart(3, '0')}`,
    group_id: company,
    from: TODAY,
  }))
  const put = (some: object[]) => hr.call('PUT', '/api/team/people', { json: { items: some, password: PASSWORD } })
  expect((await hr.call('PUT', '/api/team/people', { json: { items }, skipContractCheck: true })).status).toBe(400)
  expect((await put(items.slice(0, 60))).status).toBe(200)
  expect((await put(items.slice(60))).status).toBe(200)
  const first = (await hr.call('GET', '/api/team/people')).body
  expect(first.items).toHaveLength(100)
  const second = (await hr.call('GET', `/api/team/people?cursor=${first.cursor}`)).body
  expect(second.cursor).toBeNull()
  const names = [...first.items, ...second.items].map(({ name }: { name: string }) => name)
  expect(names).toEqual(['Hedy', ...items.map(({ name }) => name)])
})
