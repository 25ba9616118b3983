import {
  type CompanyPolicy,
  type DateRange,
  type FactOwner,
  intersection,
  itemAt,
  jsonEqual,
  type TeamFact,
  type Viewer,
} from '@saldo/core'
import { expect, test } from 'vitest'
import { readFixture } from '../../../core/test/fixtures.ts'
import { startTestService } from '../harness.ts'
import { timeOf } from '../http/resources.ts'
import { type Member, startCompany } from './company.ts'

interface Case {
  why: string
  viewer: Viewer
  owner?: FactOwner
  fact: TeamFact
  policy?: string
  sight: string
}

const { policies, cases } = readFixture<{ policies: Record<string, CompanyPolicy>; cases: Case[] }>('team-visibility')
const TODAY = '2026-11-28'
const AT = '2026-11-01T12:00:00.000Z'
const always: DateRange = { from: '2026-01-01', to: '9999-12-31' }
/** Time is planned on each day, so that each absence shows. */
const schedule = { effective_from: '2026-01-01', time_zone: 'UTC', target_ms: Array<number>(7).fill(8 * 3_600_000) }

/** The cases of others than the owner that a page of the team shows, on the owner's date. */
const shown = cases.filter(
  ({ viewer, owner, fact }) =>
    !viewer.isOwner && (owner?.today ?? TODAY) === TODAY && fact.kind !== 'note' && fact.kind !== 'sheet',
)

test.each(Object.keys(policies))('[D25.1] pages of the team show what the function of sight says: %s', async (name) => {
  const service = await startTestService({ now: `${TODAY}T12:00:00.000Z` })
  try {
    const company = await companyWith(service, name)
    const ofPolicy = shown.filter(({ policy = 'default' }) => policy === name)
    const owners: Member[] = []
    for (const [index, each] of ofPolicy.entries()) owners.push(await ownerOf(company, each, `${index}`))
    await service.service.runDueJobs()
    const seen: string[] = []
    for (const [index, owner] of owners.entries()) {
      const each = itemAt(ofPolicy, index)
      seen.push(`${each.why}: ${await sightOn(company.viewer, owner, each)}`)
    }
    expect(seen).toEqual(ofPolicy.map(({ why, sight }) => `${why}: ${sight}`))
  } finally {
    await service.close()
  }
})

/** A company with somebody who looks at all others: by a role that shows nothing, and as each case says. */
async function companyWith(service: Awaited<ReturnType<typeof startTestService>>, policy: string) {
  const made = await startCompany(service)
  const company = await made.group(`Company ${policy}`)
  await made.run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, 1, '2026-01-01', $2, $3)`,
    [company.id, JSON.stringify(policies[policy]), timeOf(service)],
  )
  const apart = await made.group('Apart', company, false)
  const viewer = await made.member('Viewer', apart)
  await made.role(viewer.user, 'auditor', apart.id)
  return { ...made, company, viewer }
}

/** Adds the owner of a fact, with whom the viewer shares groups and roles of their own. */
async function ownerOf(
  { company, group, member, role, run, viewer }: Awaited<ReturnType<typeof companyWith>>,
  { viewer: { sharedDates, roles }, owner: { memberDates } = { today: TODAY, memberDates: [always] }, fact }: Case,
  name: string,
): Promise<Member> {
  const [plain, shared] = [await group(`Plain ${name}`, company, false), await group(`Shared ${name}`, company)]
  const [all = always] = memberDates
  const owner = await member(`Owner-${name}`, plain, { from: all.from, until: all.to })
  const join = ({ user }: Member, groupId: number, { from, to }: DateRange) =>
    run(
      `INSERT INTO memberships (user_id, group_id, from_date, until_date, accepted_on, created_at)
       VALUES ($1, $2, $3, $4, $3, $5)`,
      [user, groupId, from, to, AT],
    )
  for (const dates of sharedDates) {
    await join(owner, shared.id, intersection(dates, all))
    await join(viewer, shared.id, dates)
  }
  for (const { role: kind, dates } of roles) {
    const isOfAll = dates.some((range) => jsonEqual(range, always))
    const of = isOfAll ? plain : await group(`Role ${name}`, company, false)
    if (!isOfAll) for (const range of dates) await join(owner, of.id, range)
    const lead = kind === 'deputy' ? await member(`Lead-${name}`, plain) : undefined
    if (lead) {
      await role(lead.user, 'lead', of.id)
      await lead.call('POST', '/api/settings', { json: schedule })
      await lead.call('POST', '/api/entries', { json: { kind: 'sick', date: TODAY } })
    }
    await run(
      `INSERT INTO team_roles (user_id, role, group_id, from_date, stands_in_for, confirmed_at, first_confirmed_at,
         created_at)
       VALUES ($1, $2, $3, '2026-01-01', $4, $5, $5, $5)`,
      [viewer.user, kind, of.id, lead?.user ?? null, AT],
    )
  }
  await owner.call('POST', '/api/settings', { json: schedule })
  for (const json of entriesOf(fact)) {
    const { status, text } = await owner.call('POST', '/api/entries', { json })
    if (status !== 201) throw new Error(text)
  }
  return owner
}

function entriesOf(fact: TeamFact): object[] {
  switch (fact.kind) {
    case 'absence':
      return [{ kind: fact.absence, date: fact.date, day_share: fact.isWholeDay ? 1 : 0.5 }]
    case 'request':
      return [
        {
          ...{ kind: 'request', asks: 'absence', absence: 'vacation', planned: fact.isPlanned },
          ...{ date: fact.date, last_date: fact.date },
        },
      ]
    case 'day':
      return [{ kind: 'work', started_at: `${fact.date}T08:00:00.000Z`, ended_at: `${fact.date}T12:00:00.000Z` }]
    default:
      return []
  }
}

/** Returns what a viewer sees of the fact on the page that shows it. */
async function sightOn(viewer: Member, { user }: Member, { fact, sight }: Case): Promise<string> {
  const month = fact.date.slice(0, 7)
  const rowOf = async (path: string) => {
    const { body } = await viewer.call('GET', `/api/team/${path}`)
    return body.items?.find(({ user_id }: { user_id: number }) => user_id === user)
  }
  switch (fact.kind) {
    case 'absence': {
      const [dates] = (await rowOf(`away?from=${fact.date}&to=${fact.date}`))?.dates ?? []
      return dates === undefined ? 'nothing' : 'kind' in dates ? 'kind' : dates.sight
    }
    case 'request': {
      const [dates] = (await rowOf(`away?from=${fact.date}&to=${fact.date}`))?.dates ?? []
      // Whoever decides reads the kind in the inbox.
      return dates === undefined ? 'nothing' : sight === 'kind' ? 'kind' : dates.sight
    }
    case 'balance': {
      const balance = (await rowOf(`board?month=${month}`))?.balance ?? null
      return balance === null ? 'nothing' : typeof balance === 'number' ? 'figure' : 'light'
    }
    case 'month':
      return (await rowOf(`board?month=${month}`)) ? 'figure' : 'nothing'
    default: {
      const { body } = await viewer.call('GET', `/api/team/members/${user}/months/${month}`)
      const day = body.sheet?.days.find(({ date }: { date: string }) => date === fact.date)
      return day === undefined ? 'nothing' : day.blocks.length > 0 ? 'times' : 'figures'
    }
  }
}
