import { defaultPolicy, epochMs, type LocalDate, type TeamRole, type UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { inTransaction, TeamStore } from '../../../src/store/team/team-store.ts'
import { rolesInForce } from '../../../src/team/roles-in-force.ts'
import { uuidOf } from '../samples.ts'
import type { Contract } from './kit.ts'

const AT = '2026-11-21T12:00:00.000Z'
const NOW_MS = epochMs(AT)
const FIRST = '2026-01-01'

/** Companies, and the roles in force in them. */
export function teamContract(contract: Contract): void {
  const store = () => new TeamStore(contract.driver)
  const run = (text: string, params: (string | number | null)[]) => contract.driver.run(text, params)

  async function addGroup(name: string, parent?: { id: number; path: string }) {
    const [added] = await contract.driver.write((sql) =>
      sql.all<{ id: number }>(
        `INSERT INTO team_groups (parent_id, path, name, sees_members, created_at)
         VALUES ($1, $2, $3, 1, $4) RETURNING id`,
        [parent?.id ?? null, `new ${name}`, name, AT],
      ),
    )
    const id = added?.id ?? 0
    const path = `${parent?.path ?? '/'}${id}/`
    await run('UPDATE team_groups SET path = $2 WHERE id = $1', [id, path])
    return { id, path }
  }

  type Dates = { from?: LocalDate; until?: LocalDate | null }
  const addMembership = (user: UserNumber, group: number, { from = FIRST, until = null }: Dates = {}) =>
    run('INSERT INTO memberships (user_id, group_id, from_date, until_date, created_at) VALUES ($1, $2, $3, $4, $5)', [
      ...[user, group, from, until],
      AT,
    ])

  type Given = Dates & { standsInFor?: UserNumber; confirmedAt?: string | null }
  const giveRole = async (
    user: UserNumber,
    role: TeamRole,
    group: number,
    { from = FIRST, until = null, standsInFor, confirmedAt = AT }: Given = {},
  ) =>
    run(
      `INSERT INTO team_roles (user_id, role, group_id, from_date, until_date, stands_in_for, confirmed_at,
         first_confirmed_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
      [user, role, group, from, until, standsInFor ?? null, confirmedAt, AT],
    )

  const addSecondFactor = (user: UserNumber) =>
    run("INSERT INTO second_factors (user_id, sealed_key, confirmed_at) VALUES ($1, '', $2)", [user, AT])

  const putFacts = (user: UserNumber, company: number, timeZone: string, dates: readonly LocalDate[]) =>
    run(
      `INSERT INTO team_facts (user_id, company_id, version, time_zone, absences, requests,
         board, shown, shown_at, changed_at)
       VALUES ($1, $2, 1, $3, $4, '[]', '[]', '', $5, $5)`,
      [
        ...[user, company, timeZone],
        JSON.stringify(dates.map((date) => ({ from: date, to: date, isWholeDay: true, kinds: ['sick'] }))),
        AT,
      ],
    )

  /** A user with a second factor and a role. */
  async function withRole(role: TeamRole, group: number, given: Given = {}) {
    const user = await contract.user()
    await addSecondFactor(user)
    await giveRole(user, role, group, given)
    return user
  }

  const inForce = async (company: number, atMs = NOW_MS) =>
    (await rolesInForce(store(), company, atMs)).map(({ user, role }) => ({ user, role }))

  test('[D26.3] decisions and answers of substitutes are stored beside the records and move no version', async () => {
    const user = await contract.user()
    const [request, other] = [uuidOf('a request'), uuidOf('another request')]
    const decision = {
      company: 1,
      stage: 1,
      digest: 'ab',
      outcome: 'declined',
      state: 'declined',
      reason: 'No',
      by: user,
      isOwn: true,
      at: AT,
    } as const
    const approved = { digest: 'cd', outcome: 'approved', state: 'waiting_for_hr', reason: null } as const
    const answer = { request, substitute: user, from: '2026-12-03', to: '2026-12-08', answer: 'cannot' } as const
    await contract.records.write(user, async (writer) => {
      await writer.putDecision({ ...decision, request })
      await writer.putDecision({ ...decision, request: other, ...approved })
      await writer.putSubstituteAnswer({ ...answer, to: '2026-12-07', answer: 'can', at: AT })
      await writer.putSubstituteAnswer({ ...answer, at: AT })
    })
    await contract.read(user, async (reader) => {
      expect(new Set(await reader.decisions())).toEqual(
        new Set([
          { ...decision, request },
          { ...decision, request: other, ...approved },
        ]),
      )
      expect(await reader.substituteAnswers()).toEqual([{ ...answer, at: AT }])
      expect((await reader.position()).version).toBe(0)
    })
    expect(await store().decisionsOf(1, [user])).toHaveLength(2)
    expect(await store().answersOf(user)).toEqual([{ user, ...answer }])
    expect(await contract.read(await contract.user(), (reader) => reader.decisions())).toEqual([])
  })

  test('[D26.5] decisions of a request keep their order, in one moment and of one content too', async () => {
    const user = await contract.user()
    const by = { request: uuidOf('a request'), stage: 1, reason: null, by: user, isOwn: false, at: AT } as const
    const decided = [
      { ...by, company: 1, digest: 'cd', outcome: 'approved', state: 'approved' },
      { ...by, company: 1, digest: 'ab', outcome: 'declined', state: 'declined' },
      { ...by, company: 2, digest: 'ab', outcome: 'approved', state: 'waiting_for_hr' },
      { ...by, company: 1, digest: 'cd', outcome: 'approved', state: 'approved' },
    ] as const
    for (const decision of decided) await contract.records.write(user, (writer) => writer.putDecision(decision))
    expect(await contract.read(user, (reader) => reader.decisions())).toEqual(decided)
    const ofFirst = await store().decisionsOf(1, [user])
    expect(ofFirst.map(({ digest, state }) => `${digest} ${state}`)).toEqual([
      'cd approved',
      'ab declined',
      'cd approved',
    ])
    expect(await store().decisionsOf(2, [user])).toHaveLength(1)
  })

  test('[D24.2] groups of a company come behind their parents, and none of another company', async () => {
    const company = await addGroup('Acme')
    const sales = await addGroup('Sales', company)
    const field = await addGroup('Field', sales)
    const others = [await addGroup('Bell'), await addGroup('Cray')]
    const groups = await store().groups(company.id)
    expect(groups.map(({ id, parentId, path }) => ({ id, parentId, path }))).toEqual([
      { id: company.id, parentId: null, path: `/${company.id}/` },
      { id: sales.id, parentId: company.id, path: `/${company.id}/${sales.id}/` },
      { id: field.id, parentId: sales.id, path: `/${company.id}/${sales.id}/${field.id}/` },
    ])
    expect(groups[0]).toMatchObject({ name: 'Acme', seesMembers: true, leastPresent: null })
    const withDefaults = await store().groupsWithDefaults(company.id)
    expect(withDefaults).toEqual(groups.map((group) => ({ ...group, defaults: null })))
    expect((await store().companies()).map(({ companyId }) => companyId)).toEqual(
      expect.arrayContaining([company.id, ...others.map(({ id }) => id)]),
    )
  })

  test('[D24.1] [D24.3] [D24.7] the company of a user is that of an accepted membership or a role', async () => {
    const company = await addGroup('Dell')
    const team = await addGroup('Team', company)
    const [member, former, lead, stranger] = [
      await contract.user(),
      await contract.user(),
      await contract.user(),
      await contract.user(),
    ]
    const offered = await contract.user()
    await addMembership(member, team.id)
    await addMembership(former, team.id, { until: '2026-11-20' })
    await run('UPDATE memberships SET accepted_on = from_date', [])
    await addMembership(offered, team.id)
    await giveRole(lead, 'lead', team.id, { until: '2026-11-21' })
    const own = { companyId: company.id, companyName: 'Dell' }
    expect(await store().companyOf(member, NOW_MS)).toEqual(own)
    expect(await store().companyOf(lead, NOW_MS)).toEqual(own)
    expect(await store().companyOf(former, NOW_MS)).toBeUndefined()
    expect(await store().companyOf(stranger, NOW_MS)).toBeUndefined()
    expect(await store().companyOf(offered, NOW_MS)).toBeUndefined()
    expect(await store().companyConcerning(offered, NOW_MS)).toEqual(own)
    expect(await store().companyConcerning(former, NOW_MS)).toBeUndefined()
    // It is still the day before in the zone of the account.
    await putFacts(former, company.id, 'Pacific/Pago_Pago', [])
    expect(await store().companyOf(former, epochMs('2026-11-21T10:59:59.000Z'))).toEqual(own)
    expect(await store().companyOf(former, epochMs('2026-11-21T11:00:00.000Z'))).toBeUndefined()
  })

  test('[D24.2] memberships are those of a company, or those of users', async () => {
    const [one, other] = [await addGroup('East'), await addGroup('West')]
    const user = await contract.user()
    await addMembership(user, one.id, { until: '2026-06-30' })
    await addMembership(user, other.id, { from: '2026-07-01' })
    const base = { user, acceptedOn: null }
    const first = { ...base, groupId: one.id, path: one.path, from: FIRST, until: '2026-06-30' }
    const second = { ...base, groupId: other.id, path: other.path, from: '2026-07-01', until: null }
    expect(await store().memberships(one.id)).toEqual([{ ...first, id: expect.any(Number) }])
    expect(await store().memberships([user])).toMatchObject([first, second])
    expect(await store().memberships([])).toEqual([])
  })

  test('[D25.9] versions of a policy come in the order of their dates', async () => {
    const company = await addGroup('Ford')
    for (const [number, from] of [
      [2, '2026-03-01'],
      [1, FIRST],
      [3, '2026-03-01'],
    ] as const) {
      await run(
        'INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, $2, $3, $4, $5)',
        [company.id, number, from, JSON.stringify(defaultPolicy), AT],
      )
    }
    const policies = await store().policies(company.id)
    expect(policies.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(policies[0]).toEqual({ number: 1, from: FIRST, policy: defaultPolicy })
  })

  test('[D24.4] [D24.9] a role is in force once it is confirmed and its user signs in strongly', async () => {
    const { id } = await addGroup('Gray')
    const hr = await withRole('hr', id)
    const [unconfirmed, past, later] = [
      await withRole('lead', id, { confirmedAt: null }),
      await withRole('lead', id, { until: '2026-11-20' }),
      await withRole('lead', id, { from: '2026-11-22' }),
    ]
    const weak = await contract.user()
    await giveRole(weak, 'lead', id)
    expect(await inForce(id)).toEqual([{ user: hr, role: 'hr' }])
    expect(await store().strongOf([hr, weak, unconfirmed])).toEqual(new Set([hr, unconfirmed]))
    expect((await store().grants(id)).map(({ user }) => user)).toEqual(
      expect.arrayContaining([hr, unconfirmed, past, later, weak]),
    )
    await run('UPDATE users SET deactivated_at = $2 WHERE id = $1', [hr, AT])
    expect(await inForce(id)).toEqual([])
  })

  test('[D24.6] a deputy has rights while the lead is away on the lead’s present date', async () => {
    const { id } = await addGroup('Hall')
    const lead = await withRole('lead', id)
    const deputy = await withRole('deputy', id, { standsInFor: lead })
    const ofLead = { user: lead, role: 'lead' }
    const ofDeputy = { user: deputy, role: 'deputy' }
    expect(await inForce(id)).toEqual([ofLead])
    // In Kiritimati it is the 22nd already.
    await putFacts(lead, id, 'Pacific/Kiritimati', ['2026-11-22'])
    expect(await inForce(id)).toEqual([ofDeputy, ofLead])
    expect(await inForce(id, epochMs('2026-11-21T09:59:59.000Z'))).toEqual([ofLead])
    expect(await inForce(id, epochMs('2026-11-22T10:00:00.000Z'))).toEqual([ofLead])
    // Without the role of the lead, there is nobody to stand in for.
    await run("UPDATE team_roles SET until_date = '2026-11-20' WHERE user_id = $1", [lead])
    expect(await inForce(id)).toEqual([])
  })

  test('an open transaction reads what it has written', async () => {
    const { id } = await addGroup('Iris')
    const user = await withRole('lead', id)
    const seen = await contract.driver.write(async (sql) => {
      await sql.run('DELETE FROM team_roles WHERE user_id = $1', [user])
      return rolesInForce(new TeamStore(inTransaction(sql)), id, NOW_MS)
    })
    expect(seen).toEqual([])
    expect((await store().names([user], null)).get(user)).toMatchObject({ user, isActive: true })
    expect(await store().blocks(id)).toEqual([])
  })
}
