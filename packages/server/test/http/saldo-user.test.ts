import { expect, test } from 'vitest'
import type { OpenApiDocument } from '../contract-check.ts'
import { serviceOfFile } from '../file-service.ts'
import type { CallOptions, TestService } from '../harness.ts'
import { bodies } from './bodies.ts'
import { PASSWORD, signUp } from './browser.ts'
import { askForEvents } from './event-client.ts'
import { counterOf, newId, resourceOf, timeOf } from './resources.ts'

const { content } = resourceOf('entries')

const service = await serviceOfFile({ now: new Date().toISOString() })
await signUp(service)
const browser = await signUp(service)
const user = (await browser.call('GET', '/api/me')).body.user_id
const token = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body.token

/** The user by session and by token. */
const callers: [by: string, call: TestService['call']][] = [
  ['session', (...request) => browser.call(...request)],
  ['token', (method, path, options) => service.call(method, path, { token, ...options })],
]

const meaning = (text: string | number): CallOptions => ({ headers: { 'saldo-user': String(text) } })

test.each(callers)('[D6.18] a push by %s for another user is 401 and stores nothing', async (_, call) => {
  const push = (options: CallOptions) => {
    const record = { ...content, id: newId(), updated_at: timeOf(service) }
    return call('POST', '/api/sync/push', {
      json: { changes: [{ kind: 'entries', op: 'upsert', record }] },
      ...options,
    })
  }
  const before = await counterOf(call)
  const { status, body, headers } = await push(meaning(user - 1))
  expect([status, body.code]).toEqual([401, 'unauthenticated'])
  expect(headers.get('www-authenticate')).toBe('Bearer')
  expect(await counterOf(call)).toBe(before)
  expect((await push(meaning(user))).body.results[0].status).toBe('applied')
  expect((await push({})).body.results[0].status).toBe('applied')
})

test.each(callers)('[D6.18] a malformed Saldo-User, by %s, is refused like another user’s number', async (_, call) => {
  expect((await call('GET', '/api/me', meaning(user))).status).toBe(200)
  expect((await call('GET', '/api/me', meaning(` ${user} `))).status).toBe(200)
  const names = ['', '0', `-${user}`, `+${user}`, `0${user}`, `${user}.0`, `${user}e0`, `0x${user}`, `${user}, ${user}`]
  for (const name of [...names, `"${user}"`, `${user} ${user}`, 'me', 'NaN', '*', '9'.repeat(400), '\u00bd']) {
    const { status, body } = await call('GET', '/api/me', meaning(name))
    expect([status, body.code], name).toEqual([401, 'unauthenticated'])
  }
})

test('[D6.18] every route with a user refuses another Saldo-User; public routes ignore it', async () => {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as OpenApiDocument
  for (const [template, ofPath] of Object.entries(paths)) {
    for (const [name, operation] of Object.entries(ofPath)) {
      const { security = [], parameters = [] } = operation as { security?: object[]; parameters?: { name: string }[] }
      const what = `${name} ${template}`
      const isPublic = security.length === 0
      expect(
        parameters.some((parameter) => parameter.name === 'Saldo-User'),
        what,
      ).toBe(!isPublic)
      const path = template.replace('{asset}', 'start.js').replace(/\{\w+\}/, newId())
      const json = bodies[`${name.toUpperCase()} ${template}`]?.[0]
      const options = { ...meaning(user - 1), ...(json !== undefined && { json }) }
      const { body } = await browser.call(name.toUpperCase(), path, options)
      expect(body?.code === 'unauthenticated', what).toBe(!isPublic)
    }
  }
  // Signing out was refused too.
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
})

test('[D5.18] change notifications reach only the user named by Saldo-User', async () => {
  const authorization = `Bearer ${token}`
  expect((await askForEvents(service, { authorization, 'saldo-user': String(user - 1) })).status).toBe(401)
  const stream = await askForEvents(service, { authorization, 'saldo-user': String(user) })
  await stream.receivesVersion(await counterOf(callers[1]?.[1] as TestService['call']))
})
