import type { Json, JsonObject } from '@saldo/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenApiDocument } from '../contract-check.ts'
import { startTestService, type TestService } from '../harness.ts'
import { bodies } from './bodies.ts'
import { type Browser, signUp } from './browser.ts'
import { counterOf, newId } from './resources.ts'

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startTestService({ config: { writesPerMinute: 1_000_000, failedSignIns: 1_000_000 } })
  browser = await signUp(service)
})
afterAll(() => service.close())

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '\ud800',
    'a\udfff',
    '\0',
    '__proto__',
    'constructor',
    'toString',
    'work',
    'entries',
    'Europe/Berlin',
  ),
  fc.constantFrom('2026-11-21', '2026-02-30', '9999-12-31', '0001-01-01', '2026-W53', '9999-W52', '0001-W01'),
  fc.constantFrom(
    '2026-11-21T08:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '2026-11-21T08:00:00+24:00',
  ),
  fc.uuid(),
)
const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.5, 2 ** 53, -(2 ** 53), 1e308, 5e-324, Number.MAX_SAFE_INTEGER),
  fc.integer(),
  fc.double({ noNaN: true }),
)
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(text, tie('json'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Json>,
  ),
}))

type Mutation = { at: number; kind: 'replace' | 'remove' | 'add'; key: string; value: Json }
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(100),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
  key: text,
  value: json,
})

/** Every place of a value that can be changed: the object or list, and its key or index. */
function placesOf(value: Json): [JsonObject, string][] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as JsonObject
  return Object.keys(holder).flatMap((key) => [[holder, key] as [JsonObject, string], ...placesOf(holder[key] as Json)])
}

function mutated(body: JsonObject, mutations: readonly Mutation[]): Json {
  const copy = structuredClone(body)
  for (const { at, kind, key, value } of mutations) {
    const places = placesOf(copy)
    const [holder, name] = places[at % places.length] ?? [copy, key]
    if (kind === 'remove') delete holder[name]
    // Also names such as __proto__ become fields of their own.
    else
      Object.defineProperty(holder, kind === 'add' ? key : name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return copy
}

test('[D1] whatever JSON comes to a route that writes: an answer of the document, never 5xx, and a refusal stores nothing', async () => {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as OpenApiDocument
  const operations = Object.entries(paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).flatMap(([method, operation]) =>
      'requestBody' in operation ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  )
  expect(operations.toSorted()).toEqual(Object.keys(bodies).sort())
  const inputs = fc.oneof(
    { weight: 5, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }).map((mutations) => ({ mutations })) },
    { weight: 1, arbitrary: json.map((whole) => ({ whole })) },
  )
  for (const operation of operations) {
    const [method = '', template = ''] = operation.split(' ')
    // Passwords are slow on purpose.
    const numRuns = template.startsWith('/api/auth') || template.startsWith('/api/me') ? 10 : 50
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...(bodies[operation] ?? [])), inputs, async (body, input) => {
        const sent = 'whole' in input ? input.whole : mutated(body, input.mutations)
        // As a device's upsert, PUT reaches the record whether it exists or not.
        const path = template.replace('{id}', `${newId()}?updated_at=2026-11-21T11:00:00Z`)
        const before = await counterOf(browser.call)
        const answer = await browser.call(method, path, { raw: JSON.stringify(sent) })
        expect(answer.status).toBeLessThan(500)
        if (answer.status >= 400) expect(await counterOf(browser.call)).toBe(before)
        if (answer.status === 400 || answer.status === 422) expect(answer.body.errors.length).toBeGreaterThan(0)
      }),
      { numRuns },
    )
  }
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
  expect((await browser.call('GET', '/api/me/export')).status).toBe(200)
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([])
})

test('[D1] whatever bytes come instead of JSON: the documented problem, and nothing stored', async () => {
  const good = Buffer.from(JSON.stringify(bodies['POST /api/sync/push']))
  const before = await counterOf(browser.call)
  await fc.assert(
    fc.asyncProperty(
      fc.nat(good.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (at, bytes, cut) => {
        const raw = Uint8Array.from([
          ...good.subarray(0, at),
          ...bytes,
          ...(cut ? [] : good.subarray(at + bytes.length)),
        ])
        const answer = await browser.call('POST', '/api/auth/sign-in', { raw })
        expect(answer.status).toBe(400)
        expect(answer.body.errors[0]).toBeDefined()
      },
    ),
    { numRuns: 100 },
  )
  expect(await counterOf(browser.call)).toBe(before)
})

test('[D1] whatever stands in a query or a path: an answer of the document, never 5xx', async () => {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as OpenApiDocument
  const reading = Object.keys(paths).filter((path) => paths[path]?.get)
  const names = ['since', 'cursor', 'limit', 'from', 'to', 'updated_at', 'x']
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...reading),
      fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 3 }),
      text,
      async (template, query, param) => {
        const encoded = encodeURIComponent(param.toWellFormed())
        const fields = Object.entries(query).map(
          ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
        )
        const { status } = await browser.call('GET', `${template.replace(/\{\w+\}/, encoded)}?${fields.join('&')}`)
        expect(status).toBeLessThan(500)
      },
    ),
    { numRuns: 300 },
  )
})
