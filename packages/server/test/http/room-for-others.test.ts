import { expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from '../../src/env.ts'
import { startTestService } from '../harness.ts'
import { type Browser, PASSWORD, signUp } from './browser.ts'
import { unfinishedBody } from './raw-http.ts'
import { newId, resourceOf } from './resources.ts'

const NEXT = 'a new horse battery'
/** Longer than any response takes. */
const WAITING = { timeout: 60_000 }
const { path, content } = resourceOf('entries')

/** A user with a program, whose token it has. */
async function start(config: Partial<Config> = {}) {
  const service = await startTestService({ config })
  onTestFinished(() => service.close())
  const grace = await signUp(service, 'grace@example.com')
  return { service, grace, program: await newToken(grace) }
}

const newToken = async ({ call }: Browser): Promise<{ id: string; token: string }> =>
  (await call('POST', '/api/me/tokens', { json: { name: 'program', password: PASSWORD } })).body

/** Does all that ends access, and returns the statuses: nothing is `rate_limited`. */
async function endAccess({ call }: Browser, tokenId: string): Promise<number[]> {
  const none = newId()
  const json = { current_password: PASSWORD, new_password: NEXT }
  const answers = [
    await call('DELETE', '/api/me/sessions/123456'),
    await call('DELETE', `/api/me/feeds/${none}`),
    await call('DELETE', `/api/webhooks/${none}`),
    await call('DELETE', `/api/me/passkeys/${none}`, { json: { password: PASSWORD } }),
    await call('DELETE', `/api/me/tokens/${tokenId}`),
    await call('POST', '/api/me/password', { json }),
    await call('POST', '/api/auth/sign-out'),
  ]
  return answers.map(({ status }) => status)
}
const ENDED = [404, 404, 404, 404, 204, 204, 204]

test('[D1.38] [D1.25] a program that writes too often stops neither the app nor what ends its access', async () => {
  const { service, grace, program } = await start({ writesPerMinute: 10 })
  const { token } = program
  const write = () => service.call('POST', path, { token, json: content })
  while ((await write()).status === 201);
  expect((await write()).status).toBe(429)
  expect((await grace.call('POST', path, { json: content })).status).toBe(201)
  expect(await endAccess(grace, program.id)).toEqual(ENDED)
  expect((await write()).status).toBe(401)
})

test('[D1.38] a session that has used up its own writes and bytes can still end access', async () => {
  const { grace, program } = await start({ writesPerMinute: 10, writtenBytesPerMinute: 60_000 })
  const json = { ...content, x: 'x'.repeat(50_000) }
  while ((await grace.call('POST', path, { json })).status === 201);
  while ((await grace.call('PUT', `${path}/x`, { json: {} })).status === 400);
  expect((await grace.call('POST', path, { json })).status).toBe(429)
  expect(await endAccess(grace, program.id)).toEqual(ENDED)
})

test('[D1.38] ending access has a limit of its own', async () => {
  const { grace } = await start()
  const statuses: number[] = []
  while (statuses.at(-1) !== 429) statuses.push((await grace.call('DELETE', '/api/me/sessions/123456')).status)
  expect(statuses.filter((status) => status === 404)).toHaveLength(60)
  // Another session has its own.
  const json = { email: 'grace@example.com', password: PASSWORD }
  await grace.call('POST', '/api/auth/sign-in', { json })
  expect((await grace.call('POST', '/api/auth/sign-out')).status).toBe(204)
})

test('[D1.34] a program has half of the memory for bodies; what ends access has memory of its own', async () => {
  const { service, grace, program } = await start()
  const [one, two] = [program, await newToken(grace)]
  const refused = (all: { status(): number }[]) => all.filter(({ status }) => status() === 429).length
  // To the last piece: what is left has no room for one of the large, and then for none of the small.
  const fill = async (token: string) => {
    for (const bytes of [500_000, 30_000]) {
      const sent = Array.from({ length: 20 }, () => unfinishedBody(service.url, '/api/sync/push', bytes, token))
      await vi.waitFor(() => expect(refused(sent)).toBeGreaterThan(0), WAITING)
    }
  }
  await fill(one.token)
  expect((await grace.call('POST', path, { json: content })).status).toBe(201)
  // Two programs take all of it.
  await fill(two.token)
  const large = { ...content, x: 'x'.repeat(60_000) }
  expect((await grace.call('POST', path, { json: large })).status).toBe(429)
  expect(await endAccess(grace, one.id)).toEqual(ENDED)
})
