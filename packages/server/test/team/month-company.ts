import { type CompanyPolicy, defaultPolicy, LAST_DATE, type LocalDate, type UserNumber } from '@saldo/core'
import type { TestService } from '../harness.ts'
import { newId, timeOf } from '../http/resources.ts'
import { startCompany } from './company.ts'

export type Call = TestService['call']

export const HOUR_MS = 3_600_000
export const schedule = {
  effective_from: '2026-09-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
}

/** A company with Anna, who works since September, her lead Ben, and Hera of HR. It is 2026-11-21. */
export async function startMonths(policy: Partial<CompanyPolicy> = {}, running?: TestService) {
  const made = await startCompany(running)
  const { service, group, member, role, run } = made
  const company = await group('Firma')
  const team = await group('Team', company)
  await run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, 1, '2026-01-01', $2, $3)`,
    [company.id, JSON.stringify({ ...defaultPolicy, ...policy }), timeOf(service)],
  )
  const [anna, ben, hera] = [await member('Anna', team), await member('Ben', team), await member('Hera', company)]
  await role(ben.user, 'lead', team.id)
  await role(hera.user, 'hr', company.id)
  // Her working hours are older than the company, so that no trail has them.
  await made.setRules(anna.user, null)
  await anna.call('POST', '/api/settings', { json: schedule })
  await made.setRules(anna.user, {
    company: company.id,
    dates: [{ from: '2026-09-01', to: LAST_DATE }],
    versions: [{ from: '2026-01-01', ask: [], cancelAhead: [], managed: policy.managed ?? [] }],
  })
  return { ...made, company, team, anna, ben, hera }
}

export const work = (date: LocalDate, from = '08', to = '17') => ({
  ...{ kind: 'work', note: '', tags: [], project: null, time_zone: null },
  started_at: `${date}T${from}:00:00.000Z`,
  ended_at: `${date}T${to}:00:00.000Z`,
})

export async function record(call: Call, content: object, id = newId()): Promise<string> {
  const { status, text } = await call('POST', '/api/entries', { json: { id, ...content } })
  if (status !== 201) throw new Error(text)
  return id
}

export const submit = (call: Call, month = '2026-10') => call('POST', `/api/me/months/${month}/submission`)
export const act = async (
  call: Call,
  action: string,
  user: UserNumber,
  reason: string | null = null,
  month = '2026-10',
) => (await call('POST', `/api/team/months/${month}/${action}`, { json: { users: [user], reason } })).body.items?.[0]
