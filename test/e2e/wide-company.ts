import { defaultPolicy } from '@saldo/core'
import type { Page } from 'playwright-core'
import { addSecondFactor, foundAcme, joinAcme } from './acme.ts'
import { desktop, person, Stage } from './stage.ts'
import type { Way } from './wide-account.ts'

const SINCE = '2026-11-02'
/** Names of thirty letters and more, and of a company as its register has it. */
const COMPANY = 'Donaudampfschifffahrtsgesellschaft Friedrichshafen mbH & Co. KG'
const GROUPS = ['Rindfleischetikettierungsüberwachung', 'Betriebsratsvorsitzendenbüro']
const HR = 'Friederike-Charlotte Schmidtke'
export const MEMBER = {
  name: 'Maximiliane-Henriette Oberhuber',
  email: 'maximiliane-henriette.oberhuber@verwaltung.beispielstadt.example',
}
const REASON = 'Besprechung mit der Geschäftsführung über die Betriebsvereinbarung zur Arbeitszeit. '.repeat(11)
const WORK = { started_at: '2026-11-05T06:00:00.000Z', ended_at: '2026-11-05T17:45:00.000Z' }

/**
 * Opens a stage with a company of long names whose HR is the user of the stage: with a month that is locked, a
 * correction and a vacation that wait, a proposal, company leave, rules to come, and what payroll takes.
 */
export async function openWideCompany({ language, hours }: Way): Promise<{ stage: Stage; hr: Page; member: Page }> {
  const stage = await Stage.open('2026-11-02T09:00:00.000Z')
  const look = { ...desktop, language }
  const [{ page: hr }, { page: member }] = [await stage.page(look), await stage.page(look)]
  const company = await foundAcme(stage, hr, SINCE)
  const { password } = person
  const put = async (path: string, ...items: object[]) => {
    const answer = await stage.ask(hr, 'PUT', `/api/team/${path}`, { items, password })
    const rejected = answer.items.filter(({ outcome }: { outcome: string }) => outcome === 'rejected')
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected))
    return answer.items.map(({ id }: { id: number }) => id)
  }
  await stage.ask(hr, 'PATCH', '/api/me', { name: HR, preferences: { hours } })
  await put('groups', { id: company, name: COMPANY, least_present: 3 })
  const [group] = await put('groups', { name: GROUPS[0], parent_id: company })
  await put('groups', { name: GROUPS[1], parent_id: group })
  const owner = await joinOwnCompany(stage, hr, group)
  const user = await joinAcme({ stage, hr, groupId: group, since: SINCE }, member, MEMBER)
  await addSecondFactor(stage, member)
  await put('people', { name: HR, email: 'no-reply@verwaltung.beispielstadt.example', group_id: company, from: SINCE })
  const role = { user_id: user, from: SINCE }
  await put('roles', { ...role, role: 'lead', group_id: group }, { ...role, role: 'payroll', group_id: company })
  await put('personnel', { user_id: user, number: 'Außendienst 4711/2026', cost_centre: 'Kostenstelle 0815.42' })
  await stage.goOn('2026-12-04T15:37:00.000Z')
  await fillMonths(stage, { hr, member, user })
  await fillRules(stage, hr, company)
  const leave = { id: crypto.randomUUID(), kind: 'vacation', from: '2026-12-28', to: '2026-12-31' }
  await stage.ask(hr, 'POST', '/api/team/leave', { ...leave, users: [user, owner] })
  await stage.runDueJobs()
  return { stage, hr, member }
}

/** Has HR become a member of a group. Returns their number. */
async function joinOwnCompany(stage: Stage, hr: Page, groupId: number): Promise<number> {
  const items = [{ email: person.email, group_id: groupId, from: SINCE }]
  const { items: added } = await stage.ask(hr, 'PUT', '/api/team/people', { items, password: person.password })
  await stage.ask(hr, 'POST', `/api/me/memberships/${added[0].id}/acceptance`)
  return (await stage.ask(hr, 'GET', '/api/me')).user_id
}

/** Locks November, of which a correction is asked for and a change proposed, and asks for vacation. */
async function fillMonths(stage: Stage, { hr, member, user }: { hr: Page; member: Page; user: number }): Promise<void> {
  const { id } = await stage.ask(member, 'POST', '/api/entries', { kind: 'work', ...WORK })
  const balance = { effective_date: SINCE, delta_ms: -(4_275 * 60 + 20) * 60_000, kind: 'opening' }
  await stage.ask(member, 'POST', '/api/balance/adjustments', { ...balance, reason: REASON.slice(0, 80) })
  await stage.ask(member, 'POST', '/api/me/remarks', { month: '2026-11', text: REASON })
  await stage.ask(member, 'POST', '/api/me/months/2026-11/submission')
  await stage.ask(hr, 'POST', '/api/team/months/2026-11/lock', { users: [user] })
  const asked = { kind: 'request', note: REASON }
  const dates = { date: '2026-12-07', last_date: '2026-12-18' }
  await stage.ask(member, 'POST', '/api/entries', { ...asked, asks: 'absence', absence: 'vacation', ...dates })
  const changed = { ...WORK, id, kind: 'work', ended_at: '2026-11-05T15:45:00.000Z' }
  const changes = [{ kind: 'entries', op: 'upsert', record: { ...changed, updated_at: '2026-12-04T15:37:00.000Z' } }]
  const day = { date: '2026-11-05', last_date: '2026-11-05' }
  await stage.ask(member, 'POST', '/api/entries', { ...asked, asks: 'change', changes, ...day })
  await stage.ask(hr, 'POST', `/api/team/members/${user}/changes`, {
    ...{ id: crypto.randomUUID(), reason: REASON, changes, apply: false },
  })
}

/** Has another policy follow, a period blocked, and a form for payroll. */
async function fillRules(stage: Stage, hr: Page, company: number): Promise<void> {
  const policy = { ...defaultPolicy, lead_balance: 'figure', lead_days: 'times', managed: ['settings', 'grants'] }
  await stage.ask(hr, 'PUT', '/api/team/policy', policy)
  const blocks = [{ group_id: company, from: '2026-12-01', to: '2026-12-15', reason: REASON.slice(0, 200) }]
  await stage.ask(hr, 'PUT', '/api/team/blocks', { items: blocks })
  await stage.ask(hr, 'PUT', '/api/team/mapping', {
    ...{ columns: ['personnel_number', 'name', 'month', 'wage_type', 'amount', 'unit', 'cost_centre'] },
    ...{ separator: ';', decimal_sign: ',', encoding: 'windows-1252', header: true },
    rules: [{ sum: 'worked', wage_type: 'Lohnart 4711-0815', unit: 'hours' }],
  })
}
