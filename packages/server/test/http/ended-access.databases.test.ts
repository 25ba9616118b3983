import type { UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { AccessEndedError, type Acting, actingAs } from '../../src/store/users/acting.ts'
import { systemRandom } from '../../src/system.ts'
import { userParts } from '../../src/users/user-parts.ts'
import { startTestService } from '../harness.ts'
import { quickHashing } from '../quick-hashing.ts'
import { hourOf } from '../store/samples.ts'
import { PASSWORD, signUp } from './browser.ts'

/** A service with an admin and another user, and the parts of a second node. */
async function start() {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const [admin, grace] = [await signUp(service, 'ada@example.com'), await signUp(service, 'grace@example.com')]
  const stores = await service.openBeside()
  onTestFinished(() => stores.close())
  const options = { ...stores, clock: service.clock, random: systemRandom, hashing: quickHashing }
  const parts = userParts({ ...options, secret: 'signs nothing here'.repeat(2), publicUrl: undefined })
  const actingOf = async ({ call }: typeof admin, asAdmin = false): Promise<Acting> => {
    const user = (await call('GET', '/api/me')).body.user_id as UserNumber
    const sessions = (await call('GET', '/api/me/sessions')).body.items as { id: number; current: boolean }[]
    return { user, by: { kind: 'session', id: sessions.find(({ current }) => current)?.id ?? 0 }, asAdmin }
  }
  return { service, admin, grace, stores, parts, actingOf }
}

test('[D8.39] a write to a user account checks in its own transaction that the session has not ended', async () => {
  const { grace, stores, parts, actingOf } = await start()
  const acting = await actingOf(grace)
  const { user } = acting
  const make = () => actingAs(acting, () => parts.tokens.create(user, 'program'))
  await make()
  // The session ends between the door and the write.
  expect((await grace.call('POST', '/api/auth/sign-out')).status).toBe(204)
  await expect(make()).rejects.toThrow(AccessEndedError)
  await expect(
    actingAs(acting, () => stores.users.changeProfile(user, { name: 'Mallory' }, '2026-11-21T12:00:00.000Z')),
  ).rejects.toThrow(AccessEndedError)
  expect(await stores.users.tokens(user)).toHaveLength(1)
  expect((await stores.users.byId(user))?.name).toBe('Ada Lovelace')
  // Commands and jobs act for nobody.
  await parts.tokens.create(user, 'by the operator')
  expect(await stores.users.tokens(user)).toHaveLength(2)
})

test('[D8.39] an admin who has become a user, or was deactivated, changes no account', async () => {
  const { admin, grace, parts, actingOf } = await start()
  const { user } = await actingOf(grace)
  await admin.call('PATCH', `/api/admin/users/${user}`, { json: { role: 'admin', password: PASSWORD } })
  const ada = await actingOf(admin, true)
  const promote = (acting: Acting) =>
    actingAs(acting, () => parts.userAccounts.change(acting.user, { role: 'admin', active: true }, 'en'))
  await promote(ada)
  await grace.call('PATCH', `/api/admin/users/${ada.user}`, { json: { role: 'user', password: PASSWORD } })
  await expect(promote(ada)).rejects.toThrow(AccessEndedError)
  await grace.call('PATCH', `/api/admin/users/${ada.user}`, { json: { active: false } })
  await expect(promote({ ...ada, asAdmin: false })).rejects.toThrow(AccessEndedError)
})

test('[D8.39] a passkey that is being created ends with the session that began it', async () => {
  const { grace, stores } = await start()
  const challenges = () => stores.driver.all("SELECT purpose FROM challenges WHERE purpose LIKE 'passkey_creation%'")
  expect((await grace.call('POST', '/api/me/passkey-options', { json: { password: PASSWORD } })).status).toBe(200)
  expect(await challenges()).toHaveLength(1)
  const json = { current_password: PASSWORD, new_password: 'a new horse battery' }
  expect((await grace.call('POST', '/api/me/password', { json })).status).toBe(204)
  expect(await challenges()).toEqual([])
  // The session that changed the password goes on under a new secret.
  expect((await grace.call('GET', '/api/me')).status).toBe(200)
  expect((await grace.call('GET', '/api/me/sessions')).body.items).toHaveLength(1)
})

test.each(['a token', 'a session'])(
  '[D8.39] a record that %s writes is checked in its own transaction',
  async (kind) => {
    const { grace, stores, actingOf } = await start()
    const ofSession = await actingOf(grace)
    const { user } = ofSession
    const made = (await grace.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
    const acting: Acting =
      kind === 'a session' ? ofSession : { user, by: { kind: 'token', id: made.id as string }, asAdmin: false }
    const write = (hour: number) => stores.records.write(user, (writer) => writer.put([hourOf(hour)]))
    await actingAs(acting, () => write(1))
    const end = kind === 'a session' ? 'DELETE FROM sessions' : 'DELETE FROM tokens'
    await stores.driver.run(`${end} WHERE user_id = $1`, [user])
    await expect(actingAs(acting, () => write(2))).rejects.toThrow(AccessEndedError)
    // Jobs act for nobody.
    await write(3)
    expect((await stores.records.read(user, (reader) => reader.position())).version).toBe(2)
  },
)
