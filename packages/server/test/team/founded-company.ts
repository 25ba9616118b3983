import { hash } from 'node:crypto'
import type { UserNumber } from '@saldo/core'
import { onTestFinished } from 'vitest'
import type { Config } from '../../src/env.ts'
import { startTestService, type TestService } from '../harness.ts'
import { type Browser, PASSWORD, signUp } from '../http/browser.ts'

/** A user with a session. */
export interface Person extends Browser {
  user: UserNumber
  email: string
}

/** A person of a service, who has a second factor unless told otherwise. */
export async function person(
  service: TestService,
  name: string,
  { isStrong = true }: { isStrong?: boolean } = {},
): Promise<Person> {
  const email = `${name.toLowerCase()}@example.com`
  const browser = await signUp(service, email)
  const user = (await browser.call('GET', '/api/me')).body.user_id as UserNumber
  await service.beside(({ users }) => users.changeProfile(user, { name }, `${TODAY}T12:00:00.000Z`))
  await sql(service, 'UPDATE users SET email_confirmed_at = created_at WHERE id = $1', [user])
  if (isStrong) await addSecondFactor(service, user)
  return { ...browser, user, email }
}

/** Gives a user a second factor, so that their roles can be in force. */
export async function addSecondFactor(service: TestService, user: UserNumber): Promise<void> {
  const statement = "INSERT INTO second_factors (user_id, sealed_key, confirmed_at) VALUES ($1, '', $2)"
  await sql(service, statement, [user, `${TODAY}T12:00:00.000Z`])
}

/** Signs a person in anew, with a recovery code for those who have a second factor. */
export async function signInAgain(service: TestService, { user, email, call }: Person): Promise<void> {
  const code = 'RECOVERY'
  await sql(service, 'INSERT INTO recovery_codes (user_id, hash) VALUES ($1, $2)', [
    user,
    hash('sha256', code, 'base64url'),
  ])
  const { status, text } = await call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD, code } })
  if (status !== 200) throw new Error(text)
  await sql(service, 'DELETE FROM recovery_codes WHERE user_id = $1', [user])
}

/** Sets the password of a person by a link that an admin has seen, to the one that it was. */
export async function useShownLink(service: TestService, admin: Person, { user }: Pick<Person, 'user'>) {
  const link = await admin.call('POST', `/api/admin/users/${user}/link`, { json: { show: true, password: PASSWORD } })
  const json = { secret: link.body.path.split('#')[1], password: PASSWORD }
  const { status, text } = await service.call('POST', '/api/auth/link/password', { json })
  if (status !== 204) throw new Error(text)
}

/** Runs a statement beside the service. */
export async function sql(service: TestService, text: string, params: (string | number | null)[]): Promise<void> {
  await service.beside(({ driver }) => driver.run(text, params))
}

export const TODAY = '2026-11-21'

/** A company with an admin of the service and an HR. */
export async function startCompany({ config, now }: { config?: Partial<Config>; now?: string } = {}) {
  const service = await startTestService({ now: now ?? `${TODAY}T12:00:00.000Z`, ...(config && { config }) })
  onTestFinished(() => service.close())
  const admin = await person(service, 'Ada')
  const hr = await person(service, 'Hedy')
  const company = await found(admin, 'Acme', hr)
  return { service, admin, hr, company }
}

/** Founds a company and returns its number. */
export async function found(admin: Person, name: string, hr: Person): Promise<number> {
  const json = { name, hr: hr.email, password: PASSWORD }
  const { status, body, text } = await admin.call('POST', '/api/admin/companies', { json })
  if (status !== 201) throw new Error(text)
  return body.id
}

/** Adds a person to a group, who accepts. */
export async function join(by: Person, member: Person, group: number, from = TODAY): Promise<number> {
  const items = [{ email: member.email, group_id: group, from }]
  const [result] = (await by.call('PUT', '/api/team/people', { json: { items } })).body.items
  const { status, text } = await member.call('POST', `/api/me/memberships/${result.id}/acceptance`)
  if (status !== 200) throw new Error(text)
  return result.id
}

/** Adds a group below another, and returns its number. */
export async function addGroup(by: Person, name: string, parent: number): Promise<number> {
  const json = { items: [{ name, parent_id: parent }] }
  return (await by.call('PUT', '/api/team/groups', { json })).body.items[0].id
}

/** Gives a role and returns the outcome. */
export async function give(by: Person, role: object) {
  const json = { items: [{ from: TODAY, ...role }], password: PASSWORD }
  return (await by.call('PUT', '/api/team/roles', { json })).body.items[0]
}

/** The roles of a company by the name of their users, with their states. */
export async function statesOf(by: Person): Promise<Record<string, string>> {
  const { items } = (await by.call('GET', '/api/team/roles')).body
  return Object.fromEntries(
    items.map(({ user, role, state }: { user: { name: string }; role: string; state: string }) => [
      `${user.name} ${role}`,
      state,
    ]),
  )
}

export const proof = { json: { password: PASSWORD } }
