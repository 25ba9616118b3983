import type { UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { Mailer } from '../../src/mail/mailer.ts'
import type { SqlDriver } from '../../src/store/sql.ts'
import { systemRandom } from '../../src/system.ts'
import { MANAGERS, TeamAccessError } from '../../src/team/access.ts'
import type { PasswordHashing } from '../../src/users/password-hashing.ts'
import type { UserAccounts } from '../../src/users/user-accounts.ts'
import { userParts } from '../../src/users/user-parts.ts'
import { startTestService, type TestService } from '../harness.ts'
import { openMailBox } from '../mail/smtp-server.ts'
import { quickHashing } from '../quick-hashing.ts'
import { sql, startCompany, TODAY } from '../team/founded-company.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'
import { newId, timeOf } from './resources.ts'

const NOW = '2026-11-23T12:00:00.000Z'
const NEXT = 'a new horse battery'
const CHOSEN = 'another horse battery'
const EMAIL = 'grace@example.com'

/** A service with an admin and another user. */
async function start(hashing: PasswordHashing = quickHashing) {
  const service = await startTestService({ now: NOW, config: { failedSignIns: 1_000 }, hashing })
  onTestFinished(() => service.close())
  const [admin, grace] = [await signUp(service, 'ada@example.com'), await signUp(service, EMAIL)]
  const id = (await grace.call('GET', '/api/me')).body.user_id as number
  return { service, admin, grace, id }
}

async function signIn(service: TestService, password = PASSWORD): Promise<Browser> {
  const browser = openBrowser(service)
  await browser.call('POST', '/api/auth/sign-in', { json: { email: EMAIL, password } })
  return browser
}

const statusOf = async (browser: Browser) => (await browser.call('GET', '/api/me')).status

/** Begins some sign-ins before a change and some during it. Returns all browsers once the change is answered. */
async function signInDuring(service: TestService, change: () => Promise<{ status: number }>): Promise<Browser[]> {
  const early = [1, 2, 3].map(() => signIn(service))
  const changing = change()
  const late = [1, 2, 3].map(() => signIn(service))
  expect((await changing).status).toBeLessThan(300)
  return Promise.all([...early, ...late])
}

test('[D19.6] of simultaneous invitations of one address, one adds the user', async () => {
  const { admin } = await start()
  const json = { email: 'new@example.com', name: 'New', password: PASSWORD }
  const answers = await Promise.all([1, 2, 3].map(() => admin.call('POST', '/api/admin/users', { json })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('[D19.7] of simultaneous uses of a link, one sets the password', async () => {
  const { service, admin, id } = await start()
  const { path } = (await admin.call('POST', `/api/admin/users/${id}/link`, { json: { password: PASSWORD } })).body
  const passwords = [1, 2, 3].map((n) => `${NEXT} ${n}`)
  const answers = await Promise.all(
    passwords.map((password) =>
      service.call('POST', '/api/auth/link/password', { json: { secret: path.split('#')[1], password } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  const works = await Promise.all(passwords.map(async (password) => statusOf(await signIn(service, password))))
  expect(works).toEqual(answers.map(({ status }) => (status === 204 ? 200 : 401)))
})

test('[D19.7] no sign-in with the old password outlives a reset that happens meanwhile', async () => {
  const { service, admin, id } = await start()
  const { path } = (await admin.call('POST', `/api/admin/users/${id}/link`, { json: { password: PASSWORD } })).body
  const json = { secret: path.split('#')[1], password: NEXT }
  const browsers = await signInDuring(service, () => service.call('POST', '/api/auth/link/password', { json }))
  expect(await Promise.all(browsers.map(statusOf))).toEqual(browsers.map(() => 401))
  expect(await statusOf(await signIn(service, NEXT))).toBe(200)
})

test('[D8.18] of two changes on two nodes that have both proved the old password, one succeeds', async () => {
  const { service, id } = await start()
  const stores = await service.openBeside()
  const bothProved = Promise.withResolvers<void>()
  let proofs = 0
  const hashing: PasswordHashing = {
    ...quickHashing,
    async isRight(password, hash) {
      proofs += 1
      if (proofs === 2) bothProved.resolve()
      await bothProved.promise
      return quickHashing.isRight(password, hash)
    },
  }
  const options = { ...stores, clock: service.clock, random: systemRandom, publicUrl: undefined, hashing }
  const passwords = [1, 2].map((n) => `${NEXT} ${n}`)
  const cookies = await Promise.all(
    passwords.map((next) => {
      const { signIn } = userParts({ ...options, secret: 'signs nothing here'.repeat(2) })
      return signIn.changePassword(id as UserNumber, { current: PASSWORD, next, keepTokens: false }, {})
    }),
  )
  await stores.close()
  const succeeded = cookies.map((set) => set !== undefined)
  expect(succeeded.filter(Boolean)).toHaveLength(1)
  const works = await Promise.all(passwords.map(async (password) => statusOf(await signIn(service, password))))
  expect(works).toEqual(succeeded.map((isSet) => (isSet ? 200 : 401)))
})

test.each<[what: string, act: (browser: Browser) => Promise<{ status: number }>]>([
  [
    'a change of the password',
    ({ call }) => call('POST', '/api/me/password', { json: { current_password: PASSWORD, new_password: CHOSEN } }),
  ],
  ['a sign-in', ({ call }) => call('POST', '/api/auth/sign-in', { json: { email: EMAIL, password: PASSWORD } })],
  ['a new token', ({ call }) => call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })],
])('[D8.18] [D19.7] %s fails if a reset changes the password once it was proved', async (_what, act) => {
  let reset = async () => {}
  const { service, admin, grace, id } = await start({
    ...quickHashing,
    async isRight(password, hash) {
      const isRight = await quickHashing.isRight(password, hash)
      await reset()
      return isRight
    },
  })
  const { path } = (await admin.call('POST', `/api/admin/users/${id}/link`, { json: { password: PASSWORD } })).body
  reset = async () => {
    reset = async () => {}
    const json = { secret: path.split('#')[1], password: NEXT }
    expect((await service.call('POST', '/api/auth/link/password', { json })).status).toBe(204)
  }
  expect((await act(grace)).status).toBe(401)
  expect(await statusOf(grace)).toBe(401)
  expect(await statusOf(await signIn(service, CHOSEN))).toBe(401)
  const again = await signIn(service, NEXT)
  expect((await again.call('GET', '/api/me/sessions')).body.items).toHaveLength(1)
  expect((await again.call('GET', '/api/me/tokens')).body.items).toEqual([])
})

/** Parts beside the service, with a mail box, whose writes come after something else that happens `meanwhile`. */
async function lateParts(service: TestService, meanwhile: () => Promise<void>) {
  const [box, { driver, ...stores }] = [await openMailBox(), await service.openBeside()]
  onTestFinished(() => stores.close())
  const write: SqlDriver['write'] = async (body) => {
    await meanwhile()
    return driver.write(body)
  }
  const [all, read, run] = [driver.all.bind(driver), driver.read.bind(driver), driver.run.bind(driver)]
  const mail = { smtpUrl: box.url, mailFrom: 'saldo@example.com', publicUrl: 'https://saldo.example' }
  const mailer = new Mailer(mail, service.clock)
  const parts = userParts({
    ...{ ...stores, driver: { dialect: driver.dialect, all, read, run, write, close: stores.close } },
    ...{ clock: service.clock, random: systemRandom, mailer, publicUrl: undefined },
    secret: 'signs nothing here'.repeat(2),
  })
  /** Returns the mails that were sent and the number of links that a user has. */
  const sentTo = async (user: number) => {
    await mailer.close()
    return [box.mails, await all('SELECT hash FROM account_links WHERE user_id = $1', [user])]
  }
  return { ...parts, sentTo }
}

test.for([
  ['a link to set a password', (accounts: UserAccounts, id: UserNumber) => accounts.createLink(id, { language: 'en' })],
  ['a link that confirms the address', (accounts: UserAccounts, id: UserNumber) => accounts.confirmLater(id, 'en')],
] as const)('[D19.16] %s goes to no address that the account has no more', async ([_what, ask]) => {
  const { service, admin, id } = await start()
  // Another address is given once the link knows the first one.
  const { userAccounts, sentTo } = await lateParts(service, async () => {
    const json = { email: 'hopper@example.com', password: PASSWORD }
    expect((await admin.call('PATCH', `/api/admin/users/${id}`, { json })).status).toBe(200)
  })
  await ask(userAccounts, id as UserNumber)
  expect(await sentTo(id)).toEqual([[], []])
})

test('[D24.7] no invitation is made for somebody whose role has ended meanwhile', async () => {
  const { service, hr, company } = await startCompany()
  const items = [{ email: 'nora@example.com', name: 'Nora', group_id: company, from: TODAY }]
  await hr.call('PUT', '/api/team/people', { json: { items, password: PASSWORD } })
  const [{ user_id: nora }] = (await hr.call('POST', '/api/team/people-search', { json: { state: 'invited' } })).body
    .items
  await sql(service, 'DELETE FROM account_links WHERE user_id = $1', [nora])
  const { companies, userAccounts, sentTo } = await lateParts(service, () =>
    sql(service, "UPDATE team_roles SET until_date = '2026-11-20' WHERE user_id = $1", [hr.user]),
  )
  const viewer = await companies.viewer(hr.user, MANAGERS)
  const permit = companies.stillMay(viewer, MANAGERS)
  await expect(userAccounts.createLink(nora, { language: 'en', by: hr.user, permit })).rejects.toThrow(TeamAccessError)
  expect(await sentTo(nora)).toEqual([[], []])
})

test('[D19.9] no sign-in during a deactivation comes back with the account', async () => {
  const { service, admin, id } = await start()
  const change = (active: boolean) =>
    admin.call('PATCH', `/api/admin/users/${id}`, { json: { active, password: PASSWORD } })
  const browsers = await signInDuring(service, () => change(false))
  await change(true)
  expect(await Promise.all(browsers.map(statusOf))).toEqual(browsers.map(() => 401))
  expect(await statusOf(await signIn(service))).toBe(200)
})

test('[D19.9] a push during a deactivation is stored whole or refused, and none is accepted after it', async () => {
  const { service, admin, grace, id } = await start()
  const changesOf = (n: number) =>
    Array.from({ length: 20 }, (_, index) => {
      const record = { id: newId(), updated_at: timeOf(service), kind: 'sick', date: `2026-11-1${n}`, note: `${n}` }
      return { kind: 'entries', op: 'upsert', seq: index + 1, record }
    })
  const push = (n: number) => grace.call('POST', '/api/sync/push', { json: { device: newId(), changes: changesOf(n) } })
  const pushes = [push(0), push(1)]
  const deactivating = admin.call('PATCH', `/api/admin/users/${id}`, { json: { active: false } })
  const answers = await Promise.all([...pushes, push(2), push(3)])
  expect((await deactivating).status).toBe(200)
  expect((await push(4)).status).toBe(401)
  await admin.call('PATCH', `/api/admin/users/${id}`, { json: { active: true, password: PASSWORD } })
  const { items } = (await (await signIn(service)).call('GET', '/api/entries?limit=1000')).body
  const stored = answers.map((_, n) => items.filter(({ note }: { note: string }) => note === `${n}`).length)
  for (const { status } of answers) expect([200, 401]).toContain(status)
  expect(stored).toEqual(answers.map(({ status }) => (status === 200 ? 20 : 0)))
})
