import type { Page } from 'playwright-core'
import { codeAt } from '../../packages/server/test/http/authenticator.ts'
import { person, type Stage } from './stage.ts'

/** The password of everybody but the first user. */
export const COLLEAGUE_PASSWORD = 'a new horse battery'
const HOURS = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)

/** Somebody who belongs to a company. */
interface Colleague {
  name: string
  email: string
}

/** Signs the first user up, who founds the company Acme and is its HR. Returns the number of the company. */
export async function foundAcme(stage: Stage, page: Page, since: string): Promise<number> {
  await stage.signUp(page, since)
  await addSecondFactor(stage, page, person.password)
  const company = { name: 'Acme', hr: person.email, password: person.password }
  return (await stage.ask(page, 'POST', '/api/admin/companies', company)).id
}

/** Sets up a second factor, which roles over others need (D24.9). */
export async function addSecondFactor(stage: Stage, page: Page, password = COLLEAGUE_PASSWORD): Promise<void> {
  const path = '/api/me/second-factor'
  const { key } = await stage.ask(page, 'POST', path, { password })
  await stage.ask(page, 'POST', `${path}/confirmation`, { code: codeAt(key, stage.nowMs) })
}

interface Joining {
  stage: Stage
  /** The page of HR, who invites. */
  hr: Page
  groupId: number
  since: string
}

/** Has somebody invited, and join by a page of theirs with eight hours from Monday to Friday. Returns their number. */
export async function joinAcme({ stage, hr, groupId, since }: Joining, page: Page, who: Colleague): Promise<number> {
  const invited = { ...who, group_id: groupId, from: since }
  const { items } = await stage.ask(hr, 'PUT', '/api/team/people', { items: [invited], password: person.password })
  const [, secret = ''] = String(items[0].link).split('#')
  await stage.ask(page, 'POST', '/api/auth/link/password', { secret, password: COLLEAGUE_PASSWORD })
  await stage.ask(page, 'POST', '/api/auth/sign-in', { email: who.email, password: COLLEAGUE_PASSWORD })
  await acceptMembership(stage, page)
  await stage.ask(page, 'POST', '/api/settings', {
    ...{ effective_from: since, time_zone: 'Europe/Berlin', target_ms: HOURS },
  })
  return (await stage.ask(page, 'GET', '/api/me')).user_id
}

/** Accepts the membership that waits for a page's user. */
async function acceptMembership(stage: Stage, page: Page): Promise<void> {
  const { items } = await stage.ask(page, 'GET', '/api/me/memberships')
  await stage.ask(page, 'POST', `/api/me/memberships/${items[0].id}/acceptance`)
}
