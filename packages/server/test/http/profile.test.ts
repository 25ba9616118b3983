import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { startTestService } from '../harness.ts'
import { PASSWORD, signUp } from './browser.ts'

const service = await serviceOfFile({ now: new Date().toISOString() })

const empty = { name: 'Ada Lovelace', personnel_number: '', employer: '' }

test('[D8.35] [D8.36] [D19.12] a profile has the name of sign-up, and a patch replaces the fields in it', async () => {
  const ada = await signUp(service, 'ada@example.com')
  const bob = await signUp(service, 'bob@example.com')
  const profileOf = async (browser: typeof ada) => (await browser.call('GET', '/api/me')).body
  expect(await profileOf(ada)).toMatchObject(empty)
  const changed = await ada.call('PATCH', '/api/me', { json: { name: ' Ada King ', employer: 'Engines & Söhne' } })
  expect([changed.status, changed.body]).toEqual([200, await profileOf(ada)])
  expect(changed.body).toMatchObject({ name: 'Ada King', personnel_number: '', employer: 'Engines & Söhne' })
  const again = await ada.call('PATCH', '/api/me', { json: { personnel_number: '007', employer: '' } })
  expect(again.body).toMatchObject({ name: 'Ada King', personnel_number: '007', employer: '' })
  expect((await ada.call('PATCH', '/api/me', { json: { email: 'x@example.com', user_id: 1 } })).body).toEqual(
    again.body,
  )
  expect(await profileOf(bob)).toMatchObject(empty)
  const { has_company: _company, ...user } = again.body
  expect((await ada.call('GET', '/api/me/export')).body.user).toEqual({ ...user, identities: [] })
})

test('[D8.35] a field of a profile that is too long or has several lines is refused and changes nothing', async () => {
  const carl = await signUp(service, 'carl@example.com')
  const { body: before } = await carl.call('GET', '/api/me')
  for (const name of ['x'.repeat(201), 'a\nb', 'a\u0000', 7, null]) {
    const { status, body } = await carl.call('PATCH', '/api/me', { json: { employer: 'Works', name } })
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/name'])
  }
  expect((await carl.call('PATCH', '/api/me', { json: { name: '𝒮'.repeat(200) } })).status).toBe(200)
  expect((await carl.call('PATCH', '/api/me', { json: { name: 'Ada Lovelace' } })).body).toEqual(before)
})

test('[D8.13] [D8.35] a token reads the profile and cannot change it', async () => {
  const dora = await signUp(service, 'dora@example.com')
  const json = { name: 'script', password: PASSWORD }
  const { token } = (await dora.call('POST', '/api/me/tokens', { json })).body
  await dora.call('PATCH', '/api/me', { json: { name: 'Dora' } })
  expect((await service.call('PATCH', '/api/me', { token, json: { name: 'Eve' } })).status).toBe(403)
  expect((await service.call('GET', '/api/me', { token })).body).toMatchObject({ name: 'Dora' })
  expect((await service.call('PATCH', '/api/me', { json: { name: 'Eve' } })).status).toBe(401)
})

test('[D19.17] preferences are null until some are chosen, and a patch replaces those that it has', async () => {
  const [eve, fay] = [await signUp(service, 'eve@example.com'), await signUp(service, 'fay@example.com')]
  const change = (preferences: object) => eve.call('PATCH', '/api/me', { json: { preferences } })
  expect((await eve.call('GET', '/api/me')).body.preferences).toBeNull()
  expect((await change({ hours: 'h12' })).body.preferences).toEqual({
    language: null,
    durations: 'clock',
    hours: 'h12',
    first_run: 'ask',
  })
  const again = (await change({ language: 'de', durations: 'decimal', first_run: 'skipped' })).body
  expect(again.preferences).toEqual({
    ...{ language: 'de', durations: 'decimal', hours: 'h12', first_run: 'skipped' },
  })
  expect((await eve.call('PATCH', '/api/me', { json: { name: 'Eve' } })).body.preferences).toEqual(again.preferences)
  for (const wrong of [{ language: 'German' }, { hours: '24' }, { durations: null }, null]) {
    expect((await eve.call('PATCH', '/api/me', { json: { preferences: wrong } })).status).toBe(400)
  }
  expect((await eve.call('GET', '/api/me/export')).body.user.preferences).toEqual(again.preferences)
  expect((await fay.call('GET', '/api/me')).body.preferences).toBeNull()
})

test('[D1.25] [D8.36] changing the profile too often is refused', async () => {
  const slow = await startTestService({ now: new Date().toISOString(), config: { writesPerMinute: 3 } })
  const browser = await signUp(slow, 'ada@example.com')
  const statuses = []
  for (let n = 0; n < 12; n += 1) {
    statuses.push((await browser.call('PATCH', '/api/me', { json: { name: String(n) } })).status)
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  await slow.close()
})
