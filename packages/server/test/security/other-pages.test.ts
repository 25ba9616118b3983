import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { bodies } from '../http/bodies.ts'
import { signUp } from '../http/browser.ts'
import { rawRequest, sendBytes } from '../http/raw-http.ts'
import { counterOf, newId } from '../http/resources.ts'

interface Operation {
  method: string
  template: string
  path: string
  isPublic: boolean
  hasBody: boolean
}

const service = await serviceOfFile({ now: new Date().toISOString() })
const browser = await signUp(service, 'anna@example.com')
const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const { paths } = (await service.call('GET', '/api/openapi.json')).body
const all = Object.entries<Record<string, { security?: unknown[]; requestBody?: unknown }>>(paths)
/** Paths of what has a number. Records have ids. */
const NUMBERED = /^\/api\/(admin\/users|team\/(groups|roles)|me\/memberships)/
const operations = all.flatMap(([template, ofPath]) =>
  Object.entries(ofPath).map(([name, { security, requestBody }]) => ({
    method: name.toUpperCase(),
    template,
    path: template
      .replace('{user}', '1')
      .replace('{month}', '2026-10')
      .replace(/\{\w+\}/, NUMBERED.test(template) ? '1' : newId()),
    isPublic: security?.length === 0,
    hasBody: requestBody !== undefined,
  })),
)

const bodyOf = ({ method, template }: Operation) => bodies[`${method} ${template}`]?.[0]

test('[D8.15] CSRF: on every writing route, a cookie without proof of origin is refused', async () => {
  const writing = operations.filter(({ method, isPublic }) => method !== 'GET' && !isPublic)
  expect(writing.length).toBeGreaterThan(15)
  for (const operation of writing) {
    const json = bodyOf(operation)
    for (const from of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const headers: Record<string, string> = { cookie, ...from }
      const { status, body } = await service.call(operation.method, operation.path, { json, headers })
      expect([status, body.code], `${operation.method} ${operation.template} ${JSON.stringify(from)}`).toEqual([
        403,
        'forbidden',
      ])
    }
  }
  // Some reads are noted as looks at somebody.
  for (const { method, path, template, isPublic } of operations.filter(
    (one) => one.method === 'GET' && !one.isPublic,
  )) {
    const statusFrom = async (site: string) =>
      (await service.call(method, path, { headers: { cookie, 'sec-fetch-site': site }, skipContractCheck: true }))
        .status
    expect([await statusFrom('cross-site'), isPublic], template).toEqual([403, false])
    if (template === '/api/me') expect([await statusFrom('same-origin'), await statusFrom('none')]).toEqual([200, 200])
    // A mail program that opens a link names no page either.
    if (template.startsWith('/api/team/members/')) expect(await statusFrom('none'), template).toBe(403)
  }
  expect(await counterOf(browser.call)).toBe(0)
  expect((await browser.call('GET', '/api/me/sessions')).body.items).toHaveLength(1)
})

test('[D8.15] CSRF: no route accepts a body that a form can send', async () => {
  const reading = operations.filter(({ hasBody }) => hasBody)
  expect(reading.length).toBeGreaterThan(10)
  for (const operation of reading) {
    const raw = JSON.stringify(bodyOf(operation))
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers = { cookie, origin: service.url, 'content-type': type }
      const { status } = await service.call(operation.method, operation.path, { raw, headers })
      expect(status, `${operation.method} ${operation.template} ${type}`).toBe(415)
    }
  }
})

test('[D8.25] CORS: no answer allows another origin to read it or to send custom headers', async () => {
  const origin = 'https://evil.example'
  for (const { method, path } of operations) {
    const preflight = await service.call('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
    })
    expect(preflight.status, `OPTIONS ${path}`).toBe(405)
    const asked = method === 'GET' && [await service.call('GET', path, { headers: { origin, cookie } })]
    for (const { headers } of [preflight, ...(asked || [])]) {
      const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect(names, `${method} ${path}`).toEqual([])
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  }
})

test('[D1.27] clickjacking: every answer forbids frames, also to malformed requests', async () => {
  const answers = [
    ...(await Promise.all(
      ['/', '/api/docs', '/api/health', '/nothing', '/api/entries'].map((path) => rawRequest(service.url, path)),
    )),
    await rawRequest(service.url, '/api/entries', { method: 'POST' }),
  ]
  for (const { headers } of answers) {
    expect(headers['x-frame-options']).toBe('DENY')
    for (const directive of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]) {
      expect(headers['content-security-policy']).toContain(directive)
    }
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  const unreadable = await sendBytes(service.url, 'no HTTP at all\r\n\r\n')
  expect(unreadable).toContain('400 Bad Request')
  expect(unreadable.toLowerCase()).toContain(
    "content-security-policy: default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(unreadable.toLowerCase()).toContain('x-content-type-options: nosniff')
})

test('[D1.27] header injection: nothing in a request becomes a header line of its answer', async () => {
  const breaks = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\0']
  for (const text of breaks) {
    const evil = encodeURIComponent(`x${text}injected: yes`)
    for (const { template, method } of operations) {
      const path = `${template.replace(/\{\w+\}/, evil)}?${new URLSearchParams({ cursor: `x${text}injected: yes`, since: evil })}`
      const { headers } = await rawRequest(service.url, path, { method, headers: { authorization: `Bearer ${evil}` } })
      expect(Object.keys(headers), `${method} ${path}`).not.toContain('injected')
    }
  }
  // Header lines that no library sends.
  for (const line of [
    'x-request-id: abcdefgh\rinjected: yes',
    'cookie: a=b\n injected: yes',
    'origin: x\0injected: yes',
  ]) {
    const answer = await sendBytes(
      service.url,
      `GET /api/me HTTP/1.1\r\nhost: x\r\n${line}\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 40[01] /)
    expect(answer.toLowerCase()).not.toContain('\ninjected')
  }
})
