import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { isHeavy } from '../../../core/test/tier.ts'
import type { PasswordHashing } from '../../src/users/password-hashing.ts'
import { startTestService, type TestService } from '../harness.ts'
import { quickHashing } from '../quick-hashing.ts'
import { bodies } from './bodies.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'
import { fillBuffers, newId } from './resources.ts'

const NEXT = 'a new horse battery'

async function start(): Promise<{ service: TestService; admin: Browser }> {
  const service = await startTestService({ config: { signup: 'open' } })
  onTestFinished(() => service.close())
  return { service, admin: await signUp(service, 'ada@example.com') }
}

const newToken = async (browser: Browser, scope = 'full'): Promise<{ id: string; token: string }> =>
  (await browser.call('POST', '/api/me/tokens', { json: { name: 'program', scope, password: PASSWORD } })).body

/** A connection that asks for an export, by a header that says who asks, and reads its beginning only. */
async function unreadExport({ url }: TestService, key: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`GET /api/me/export HTTP/1.1\r\nhost: localhost\r\n${key}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  return socket
}

const bearer = ({ token }: { token: string }) => `authorization: Bearer ${token}`

/** Takes all places of a user: those of tokens leave one to sessions. Returns a function that gives them back. */
async function holdPlaces(service: TestService, browser: Browser): Promise<() => void> {
  const [one, two] = [await newToken(browser, 'read'), await newToken(browser, 'read')]
  const cookie = `cookie: ${[...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`
  const sockets: Socket[] = []
  for (const key of [bearer(one), bearer(one), bearer(two), cookie]) sockets.push(await unreadExport(service, key))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

/** Every writing operation of the document that a session or token may call, but those that wait for no place. */
async function waitingOperations(service: TestService): Promise<{ method: string; path: string }[]> {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: unknown[] }>>
  }
  const ending = /sign-out|me\/password|(sessions|tokens|passkeys|feeds|webhooks)\/\{id\}$|users\/\{id\}\/sessions/
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([name, { security }]) => {
      const method = name.toUpperCase()
      const isOfUser = security?.length !== 0
      return isOfUser && method !== 'GET' && !(ending.test(path) && method !== 'PUT') ? [{ method, path }] : []
    }),
  )
}

test.each(isHeavy ? ['a new password', 'a deactivation'] : ['a new password'])(
  '[D8.37] after %s, no request that waited writes anything, whatever its route',
  async (end) => {
    const { service, admin } = await start()
    const grace = await signUp(service, 'grace@example.com')
    const { user_id: id } = (await grace.call('GET', '/api/me')).body
    await admin.call('PATCH', `/api/admin/users/${id}`, { json: { role: 'admin', password: PASSWORD } })
    await fillBuffers(service, grace)
    const { token } = await newToken(grace)
    const giveBack = await holdPlaces(service, grace)

    const operations = await waitingOperations(service)
    expect(operations.length).toBeGreaterThan(25)
    const waiting = operations.flatMap(({ method, path }) => {
      const url = path.replaceAll(/\{\w+\}/g, path.startsWith('/api/admin') ? String(id) : newId())
      const json = bodies[`${method} ${path}`]?.[0]
      const options = { ...(json && { json }), skipContractCheck: true }
      return [grace.call(method, url, options), service.call(method, url, { ...options, token })]
    })
    // Time for them to arrive; one that comes later is refused at the door.
    for (let n = 0; n < 40; n += 1) await admin.call('GET', '/api/me')
    const change =
      end === 'a deactivation'
        ? admin.call('PATCH', `/api/admin/users/${id}`, { json: { active: false } })
        : grace.call('POST', '/api/me/password', { json: { current_password: PASSWORD, new_password: NEXT } })
    expect((await change).status).toBeLessThan(300)
    giveBack()
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    // Some are refused before they wait, such as those of a token on a route of the session.
    expect(statuses.filter((status) => status < 300)).toEqual([])
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(25)
  },
)

test('[D1.38] a program that reads no answers leaves its user room, and cannot keep its token alive', async () => {
  const { service } = await start()
  const grace = await signUp(service, 'grace@example.com')
  await fillBuffers(service, grace)
  const [one, two] = [await newToken(grace, 'read'), await newToken(grace, 'read')]
  for (let n = 0; n < 2; n += 1) await unreadExport(service, bearer(one))
  expect((await grace.call('GET', '/api/me')).status).toBe(200)
  // Ending their access needs no place.
  await unreadExport(service, bearer(two))
  for (const { id } of [one, two]) expect((await grace.call('DELETE', `/api/me/tokens/${id}`)).status).toBe(204)
  expect((await grace.call('POST', '/api/auth/sign-out')).status).toBe(204)
})

test('[D1.38] a sign-out waits for no request of its user that is being handled', async () => {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let hold = async () => {}
  const hashing: PasswordHashing = {
    ...quickHashing,
    async isRight(password, hash) {
      await hold()
      return quickHashing.isRight(password, hash)
    },
  }
  const service = await startTestService({ config: { signup: 'open' }, hashing })
  onTestFinished(() => service.close())
  const [program, other] = [await signUp(service, 'grace@example.com'), openBrowser(service)]
  await other.call('POST', '/api/auth/sign-in', { json: { email: 'grace@example.com', password: PASSWORD } })
  hold = async () => {
    begun.resolve()
    await released.promise
  }
  const held = newToken(program)
  await begun.promise
  expect((await other.call('POST', '/api/auth/sign-out')).status).toBe(204)
  released.resolve()
  expect((await held).token).toBeDefined()
})
