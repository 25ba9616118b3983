import { setImmediate } from 'node:timers/promises'
import { problems } from '@saldo/core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { bodies } from './bodies.ts'
import { newId } from './resources.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: object
}

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

const service = await serviceOfFile()
const document: Document = (await service.call('GET', '/api/openapi.json')).body

const operations = () =>
  Object.entries(document.paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

test('[D9.11] the document is valid OpenAPI 3.1', async () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone({ ...document }))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('[D9.11] every schema is valid JSON Schema 2020-12, and every reference resolves', async () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const schemas = [
    ...Object.values(document.components.schemas),
    ...operations().flatMap(({ operation: { parameters = [], requestBody, responses } }) => [
      ...parameters.map(({ schema }) => schema),
      ...[requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}).map(({ schema }) => schema),
      ),
    ]),
  ]
  // Compiling keeps a busy computer for more than the 75 seconds after which the service closes an unused connection.
  // So each schema is compiled once, and in between the client can notice that a connection was closed.
  const distinct = new Set(schemas.map((schema) => JSON.stringify(schema)))
  expect(distinct.size).toBeGreaterThan(100)
  for (const text of distinct) {
    await setImmediate()
    expect(ajv.validateSchema(JSON.parse(text)), JSON.stringify(ajv.errors)).toBe(true)
    const absolute = JSON.parse(text.replaceAll('"#/components', '"openapi#/components'))
    expect(() => ajv.compile(absolute)).not.toThrow()
  }
})

test('[D9.11] requests that the service accepts match the request schemas of the document', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  for (const { path, method, operation } of operations()) {
    const { schema } = operation.requestBody?.content['application/json'] ?? {}
    if (!schema) continue
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')))
    const examples = bodies[`${method} ${path}`] ?? []
    expect(examples.length, `${method} ${path}`).toBeGreaterThan(0)
    for (const body of examples) expect(validate(body), ajv.errorsText(validate.errors)).toBe(true)
  }
})

test('[D9.11] numbers of a query are numbers, and no field with a default is required', () => {
  const numbers = operations().flatMap(({ method, path, operation: { parameters = [] } }) =>
    parameters.flatMap(({ name, schema }) => ('minimum' in schema ? [`${method} ${path} ${name}`] : [])),
  )
  expect(numbers).toEqual(
    expect.arrayContaining([
      ...['GET /api/entries limit', 'GET /api/sync/pull since', 'GET /api/sync/pull limit'],
      ...['GET /api/account/vacation year', 'PUT /api/entries/{id} seq'],
    ]),
  )
  const parameter = (path: string, name: string) =>
    document.paths[path]?.get?.parameters?.find((each) => each.name === name)?.schema
  expect(parameter('/api/entries', 'limit')).toMatchObject({ type: 'integer', default: 200, minimum: 1, maximum: 1000 })
  const { EntryContent } = document.components.schemas
  const [work] = (EntryContent as { oneOf: object[] }).oneOf
  expect(work).toMatchObject({ required: ['kind', 'started_at'] })
  expect(work).toMatchObject({ properties: { tags: { description: 'Default: `[]`.' } } })
  const bodies = operations().map(({ operation: { requestBody, responses } }) => [requestBody, responses])
  expect(JSON.stringify([document.components, bodies])).not.toContain('"default":')
})

test('[D9.1] the document has all paths of the contract', () => {
  const documented = operations().map(({ method, path }) => `${method} ${path}`)
  const contract = [
    ...['/api/entries', '/api/settings', '/api/balance/adjustments'].flatMap((path) => [
      ...[`GET ${path}`, `POST ${path}`],
      ...[`GET ${path}/{id}`, `PUT ${path}/{id}`, `DELETE ${path}/{id}`],
    ]),
    ...['/api/closed-days', '/api/closed-weeks'].flatMap((path) => {
      const one = `${path}/{${path.endsWith('days') ? 'date' : 'week'}}`
      return [`GET ${path}`, `POST ${path}`, `GET ${one}`, `DELETE ${one}`]
    }),
    ...['GET /api/balance', 'GET /api/account/days', 'GET /api/sync/pull', 'POST /api/sync/push'],
    ...['GET /api/sync/events'],
    ...['GET /api/health', 'GET /api/version', 'GET /api/openapi.json'],
  ]
  expect(documented).toEqual(expect.arrayContaining(contract))
})

test('[D1.22] [D9.11] the service supports exactly the documented methods on each path', async () => {
  for (const [path, ofPath] of Object.entries(document.paths)) {
    const address = path
      .replace('{id}', newId())
      .replace('{date}', '2026-11-20')
      .replace('{week}', '2026-W46')
      .replace('{asset}', 'start.js')
    const named = Object.keys(ofPath).map((method) => method.toUpperCase())
    const { status, headers } = await service.call('PROPFIND', address)
    expect(status, path).toBe(405)
    const allowed = (headers.get('allow') ?? '').split(', ').filter((method) => method !== 'HEAD')
    expect(allowed.sort(), path).toEqual(named.sort())
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await service.call(method, address)
      expect(answer.status === 405, `${method} ${path}`).toBe(!named.includes(method))
    }
  }
})

test('[D9.11] every operation has an id, a summary, a tag, its access, parameters and problems', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, method, operation } of operations()) {
    const what = `${method} ${path}`
    expect(operation.operationId, what).toMatch(/^[a-z]+[A-Za-z0-9]*$/)
    expect(operation.summary, what).not.toBe('')
    expect(operation.tags, what).toHaveLength(1)
    expect(Array.isArray(operation.security), what).toBe(true)
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(inPath.every(({ required }) => required)).toBe(true)
    for (const [status, { description, content = {} }] of Object.entries(operation.responses)) {
      expect(description, what).not.toBe('')
      if (Number(status) < 400) continue
      expect(Object.keys(content), what).toEqual(['application/problem+json'])
      // The codes that it may carry, all of this status.
      for (const code of description.match(/`\w+`/g) ?? []) {
        expect(problems[code.slice(1, -1) as keyof typeof problems].status, what).toBe(Number(status))
      }
    }
    if (operation.security.length > 0) expect(operation.responses, what).toHaveProperty('401')
    expect(operation.responses, what).toHaveProperty('500')
  }
})

test('[D1.2] record schemas allow unknown fields and state the limits that are checked', async () => {
  const { WorkEntry, EntryContent, Adjustment } = document.components.schemas
  for (const schema of [WorkEntry, Adjustment]) expect(schema).not.toMatchObject({ additionalProperties: false })
  expect(EntryContent).toBeDefined()
  const { body } = await service.call('GET', '/api/version')
  expect(body.limits).toEqual({
    pull_default: 5_000,
    pull_max: 10_000,
    push_changes: 1_000,
    push_bytes: 4 * 1024 * 1024,
    record_bytes: 64 * 1024,
  })
})

test('[D9.11] the API page loads nothing from another origin', async () => {
  const { status, headers, text } = await service.call('GET', '/api/docs')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none';/)
  const sources = policy.split(';').flatMap((directive) => directive.trim().split(' ').slice(1))
  const harmless = /^('none'|'self'|'unsafe-inline'|data:|'sha256-.+')$/
  expect(sources.filter((source) => !harmless.test(source))).toEqual([])
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)

  const links = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(0)
  expect(text).not.toMatch(/\bon\w+=|<script>/)
  for (const link of links) {
    expect(link).toMatch(/^\/(?!\/)/)
    const part = await service.call('GET', link)
    expect(part.status, link).toBe(200)
    const urls = link.endsWith('.css') ? [...part.text.matchAll(/url\(["']?([^"')]{0,30})|@import/g)] : []
    for (const [, url = '@import'] of urls) expect(url).toMatch(/^data:/)
    if (link.endsWith('start.js')) expect(part.text).not.toMatch(/https?:|"\/\//)
  }
  expect((await service.call('GET', '/api/docs/start.js')).text).toContain('validatorUrl: null')
})
