import type { TestService } from '../../packages/server/test/harness.ts'
import { found, give, join, type Person, person } from '../../packages/server/test/team/founded-company.ts'

const DATE_LENGTH = 10

/** Founds a company on a service and returns the sessions that the checks of teams need, as `Cookie` headers. */
export async function teamSessions(service: TestService) {
  const from = new Date(service.clock.now()).toISOString().slice(0, DATE_LENGTH)
  const admin = await person(service, 'Ada')
  const hr = await person(service, 'Hedy')
  const [member, colleague, lead] = [
    await person(service, 'Grace'),
    await person(service, 'Edsger'),
    await person(service, 'Barbara'),
  ]
  const company = await found(admin, 'Acme', hr)
  for (const one of [member, colleague, lead]) await join(hr, one, company, from)
  await give(hr, { user_id: lead.user, role: 'lead', group_id: company, from })
  const cookieOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stranger = await person(service, 'Dorothy')
  const all = { member, colleague, lead, stranger }
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, cookieOf(one)])) as Record<
    keyof typeof all,
    string
  >
}
