import { expect } from 'vitest'
import type { OpenApiDocument } from '../contract-check.ts'
import type { TestResponse, TestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { bodies } from '../http/bodies.ts'
import { PASSWORD } from '../http/browser.ts'
import { newId } from '../http/resources.ts'
import type { Member } from './company.ts'
import { act, record, schedule, startMonths, submit, work } from './month-company.ts'

/** The things of a company that a request can name. */
interface Named {
  user: number
  group: number
  role: number
  membership: number
  record: string
  company: number
}

/** Numbers and ids that do not exist. */
const nothing: Named = {
  ...{ user: 987_654, group: 987_654, role: 987_654, membership: 987_654 },
  ...{ record: newId(), company: 987_654 },
}
const MARKER = 'Kellerschlüssel'
const ROUTES = /^\/api\/(team|me\/(memberships|feeds))(\/|$)/
const TODAY = '2026-11-21'

/** Returns the bodies of a request that name something of a company. */
function bodiesNaming(route: string, { user, group }: Named, own: Pick<Named, 'user' | 'group'>): object[] {
  const role = { user_id: own.user, role: 'lead', group_id: own.group, from: TODAY }
  const password = PASSWORD
  switch (route) {
    case 'PUT /api/team/groups':
      return [
        { items: [{ name: 'Sales', parent_id: group }] },
        { items: [{ id: group, name: 'Sales', parent_id: null }] },
      ]
    case 'PUT /api/team/people':
      return [{ items: [{ email: 'anna@example.com', group_id: group, from: TODAY }], password }]
    case 'PUT /api/team/people/invitations':
      return [{ items: [user], password }]
    case 'PUT /api/team/roles':
      return [{ user_id: user }, { group_id: group }, { role: 'deputy', stands_in_for: user }].map((named) => {
        return { items: [{ ...role, ...named }], password }
      })
    case 'PUT /api/team/blocks':
      return [{ items: [{ group_id: group, from: TODAY, to: TODAY, reason: 'Fair' }] }]
    case 'PUT /api/team/personnel':
      return [{ items: [{ user_id: user, number: '007' }] }]
    case 'POST /api/team/people-search':
      return [{ search: MARKER }, { group }]
    case 'POST /api/team/roles/{id}/confirmation':
      return [{ password }]
    case 'POST /api/team/exports':
      return [{ month: '2026-10', leave_out: [user] }]
    case 'POST /api/me/feeds':
      return [{ name: 'Team', absences: true, work: false, language: 'en', group_id: group, password }]
    default:
      return (bodies[route] ?? [{}]).map((body) => ({
        ...Object(body),
        ...('users' in Object(body) && { users: [user] }),
      }))
  }
}

heavyTest('[D24.1] [D25.1] [D26.17] what is of another company is answered like what nobody has', async () => {
  const made = await startMonths({ lead_days: 'times', lead_balance: 'figure' })
  const { service, group, member, role, run, company, team, anna, ben, hera } = made
  const [payroll, auditor] = [await member('Paula', team), await member('Otto', team)]
  await role(payroll.user, 'payroll', company.id)
  await role(auditor.user, 'auditor', company.id)
  await run(`UPDATE users SET role = 'user'`, [])

  const other = await group(MARKER)
  const otherTeam = await group(`${MARKER} Team`, other)
  await run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at)
     SELECT $1, 1, '2026-01-01', policy, created_at FROM team_policies WHERE company_id = $2`,
    [other.id, company.id],
  )
  const [bob, hr] = [await member('Bob', otherTeam), await member('Hr', other)]
  await role(hr.user, 'hr', other.id)
  await run('UPDATE users SET name = $2 WHERE id = $1', [bob.user, MARKER])
  await bob.call('POST', '/api/settings', { json: schedule })
  await record(bob.call, work('2026-10-05'))
  const asked = { kind: 'request', asks: 'absence', absence: 'vacation', planned: true }
  const days = { date: '2026-12-01', last_date: '2026-12-02', substitute: anna.user }
  const request = await record(bob.call, { ...asked, ...days, message: MARKER })
  await submit(bob.call)
  expect((await act(hr.call, 'lock', bob.user)).outcome).toBe('changed')
  await service.service.runDueJobs()
  const [roleRow] = (await hr.call('GET', '/api/team/roles')).body.items
  const [membership] = (await bob.call('GET', '/api/me/memberships')).body.items
  const there: Named = {
    ...{ user: bob.user, group: otherTeam.id, role: roleRow.id, company: other.id },
    ...{ membership: membership.id, record: request },
  }
  const before = await stateOf([bob, hr])

  for (const viewer of [anna, ben, hera, payroll, auditor]) {
    await expectLikeNothing(service, viewer, there, { user: anna.user, group: team.id })
  }
  expect(await stateOf([bob, hr])).toEqual(before)
})

heavyTest(
  '[D24.3] [D24.6] [D24.7] [D25.1] whoever has no right to a person of the company learns nothing',
  async () => {
    const made = await startMonths({ lead_days: 'times', lead_balance: 'figure' })
    const { service, group, member, role, run, company, team, anna, ben, hera } = made
    const elsewhere = await group('Elsewhere', company)
    const [cleo, dora, emil] = [
      await member('Cleo', elsewhere),
      await member('Dora', elsewhere),
      await member('Emil', elsewhere),
    ]
    await role(dora.user, 'lead', elsewhere.id)
    // The lead is there.
    await role(emil.user, 'deputy', team.id, ben.user)
    const former = await member('Fred', team, { until: '2026-10-31' })
    const invited = await member('Gina', team, { acceptedOn: null })
    await run(`UPDATE users SET role = 'user'`, [])
    await run('UPDATE users SET name = $2 WHERE id = $1', [anna.user, MARKER])
    await record(anna.call, work('2026-10-05'))
    const asked = { kind: 'request', asks: 'absence', absence: 'vacation', date: '2026-12-01', last_date: '2026-12-02' }
    const request = await record(anna.call, { ...asked, note: MARKER })
    await submit(anna.call)
    expect((await act(ben.call, 'lock', anna.user)).outcome).toBe('changed')
    await service.service.runDueJobs()
    const [membership] = (await anna.call('GET', '/api/me/memberships')).body.items
    const [roleRow] = (await hera.call('GET', '/api/team/roles')).body.items
    const there: Named = {
      ...{ user: anna.user, group: team.id, role: roleRow.id, company: 987_654 },
      ...{ membership: membership.id, record: request },
    }
    const before = await stateOf([anna, hera])
    for (const viewer of [cleo, dora, emil, former, invited]) {
      await expectLikeNothing(service, viewer, there, { user: viewer.user, group: elsewhere.id })
    }
    expect(await stateOf([anna, hera])).toEqual(before)
  },
)

/** Asks each route of the team for what is named, and expects the answers that one gets to what nobody has. */
async function expectLikeNothing(
  service: TestService,
  viewer: Member,
  there: Named,
  own: Pick<Named, 'user' | 'group'>,
): Promise<void> {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as OpenApiDocument
  const routes = Object.entries(paths)
    .filter(([template]) => ROUTES.test(template))
    .flatMap(([template, ofPath]) => Object.keys(ofPath).map((name) => ({ template, method: name.toUpperCase() })))
  expect(routes.length).toBeGreaterThan(30)
  for (const { template, method } of routes) {
    for (const query of method === 'GET' ? ['', '?group=&from=2026-10-01&to=2026-12-31', '?company='] : ['']) {
      const ask = (named: Named) => askEach(viewer, { method, template, query }, named, own)
      expect(await ask(there), `${method} ${template}${query} of ${viewer.user}`).toEqual(await ask(nothing))
    }
  }
}

/** Asks for what is named, once with each body. Returns the answers without what is named in them. */
async function askEach(
  { call }: Member,
  { method, template, query }: { method: string; template: string; query: string },
  named: Named,
  own: Pick<Named, 'user' | 'group'>,
): Promise<string[]> {
  const id = template.includes('/roles/') ? named.role : template.includes('/groups/') ? named.group : named.record
  const path = template
    .replace('{user}', String(named.user))
    .replace('{month}', '2026-10')
    .replace('{number}', '1')
    .replace('{id}', String(template.includes('/memberships/') ? named.membership : id))
  const search = query.replace('group=', `group=${named.group}`).replace('company=', `company=${named.company}`)
  const sent = method === 'GET' || method === 'DELETE' ? [undefined] : bodiesNaming(`${method} ${template}`, named, own)
  const answers: string[] = []
  for (const json of sent) {
    const answer = await call(method, path + search, { ...(json && { json }), skipContractCheck: true })
    expect(answer.text).not.toContain(MARKER)
    answers.push(comparable(answer, named))
  }
  return answers
}

function comparable({ status, text }: TestResponse, { user, record: id }: Named): string {
  return `${status} ${text.replaceAll(String(user), 'user').replaceAll(id, 'record')}`
}

/** Returns what the people of the other company read of themselves. */
async function stateOf([bob, hr]: [Member, Member]): Promise<unknown[]> {
  const reads = [
    ...(['/api/me/trail', '/api/me/requests', '/api/me/months', '/api/me/memberships'] as const).map(
      (path) => [bob, path] as const,
    ),
    ...(['trail', 'roles', 'blocks', 'groups', 'policy'] as const).map((name) => [hr, `/api/team/${name}`] as const),
  ]
  return Promise.all(reads.map(async ([{ call }, path]) => (await call('GET', path)).body))
}
