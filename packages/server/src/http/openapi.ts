import {
  AbsenceEntry,
  AccountDay,
  AccountToday,
  Adjustment,
  AdjustmentContent,
  BalanceSummary,
  BreakEntry,
  ClosedDay,
  ClosedWeek,
  Entry,
  EntryContent,
  PROTOCOL_VERSION,
  Problem,
  type ProblemCode,
  PullResponse,
  PushChange,
  PushResponse,
  problems,
  ReportSummary,
  Settings,
  SettingsContent,
  WorkEntry,
} from '@saldo/core'
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Access, ResponseSpec, Route, RouteSpec } from './route.ts'

/** Schemas with a name of their own in the document. */
const components = {
  AccountDay,
  AccountToday,
  Adjustment,
  AdjustmentContent,
  BalanceSummary,
  BreakEntry,
  ClosedDay,
  ClosedWeek,
  AbsenceEntry,
  Entry,
  EntryContent,
  Problem,
  PullResponse,
  PushResponse,
  PushChange,
  ReportSummary,
  Settings,
  SettingsContent,
  WorkEntry,
}

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  // JSON Schema cannot express these actions. Metadata beside them describes what they require.
  errorMode: 'ignore',
  ignoreActions: ['raw_transform', 'transform', 'check', 'partial_check'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  definitions: components,
}

const text = { type: 'string' }

/** The problems with which every route can respond. */
const commonProblems: readonly ProblemCode[] = ['invalid_request', 'internal', 'unavailable']
/** The problems with which every route of a user can respond too. */
const userProblems: readonly ProblemCode[] = ['unauthenticated', 'forbidden', 'rate_limited']

const introduction = `Time tracking with a working-time account that works offline.

To sign in, call \`POST /api/auth/sign-in\`; the first user calls \`POST /api/auth/sign-up\` with the set-up code that
the service printed. All requests of this page then use the session. To use a token instead, create one with
\`POST /api/me/tokens\` or \`saldo admin token add\`, and enter it under “Authorize”. Each operation names the scope
that a token needs: \`read\`, \`record\` (which includes \`read\`) or \`full\` (which includes both).`

/** Returns the OpenAPI 3.1 document of the routes, from the schemas that check their requests. */
export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { spec } of routes) {
    const operations = paths[spec.path] ?? {}
    operations[spec.method.toLowerCase()] = operation(spec)
    paths[spec.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Saldo',
      version: String(PROTOCOL_VERSION),
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: describeDefaults(toJsonSchemaDefs(components, conversion)),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of a program.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'saldo.session_token',
          description:
            'The session of the web app, set by signing in. Over TLS, its name is `__Host-saldo.session_token`.',
        },
      },
    },
  }
}

function operation(spec: RouteSpec): object {
  const { method, path, tag, summary, description, access, params, query, responses } = spec
  const body = spec.documentedBody ?? spec.body
  const parameters = [...parametersOf('path', params), ...parametersOf('query', query), ...headersOf(spec)]
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf(access),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: bodySchema(body) } } },
    }),
    responses: { ...responsesOf(responses), ...problemResponses(spec) },
  }
}

/** Returns the ways to authenticate: none, or any one of them. The role of a token is the scope that it needs. */
function securityOf(access: Access): object[] {
  if (access === 'public') return []
  const session = { session: [] }
  return access === 'session' || access === 'admin' ? [session] : [{ token: [access] }, session]
}

/** Returns the id of an operation: `GET /api/entries/{id}` is `getEntriesById`. */
function operationId(method: string, path: string): string {
  const words = path
    .replace('/api/', '')
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function parametersOf(place: 'path' | 'query', schema: v.GenericSchema | undefined): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, { type?: string; description?: string; default?: unknown }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description && { description }),
    schema: { ...property, ...(property.type === 'integer' && numericDefault(property)) },
  }))
}

function headersOf({ access, responses, problems: own = [] }: RouteSpec): object[] {
  const headers: Record<string, string> = {
    ...(access !== 'public' && {
      'Saldo-User': 'The number of the expected user. The response is 401 if another user is signed in.',
    }),
    ...(own.includes('precondition_failed') && { 'If-Match': 'The `ETag` of the expected version.' }),
    ...(304 in responses && { 'If-None-Match': 'The `ETag` that the client already has.' }),
  }
  return Object.entries(headers).map(([name, description]) => ({ name, in: 'header', description, schema: text }))
}

const unknownFieldsHeader = {
  'Saldo-Unknown-Fields': {
    description: 'Fields of the body (JSON pointers) and of the query (`?name`) that the service does not know.',
    schema: text,
  },
}

function responsesOf(responses: Record<number, ResponseSpec>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, schema, contentType, headers = [] }]) => [
      status,
      {
        description,
        headers: { ...Object.fromEntries(headers.map((name) => [name, { schema: text }])), ...unknownFieldsHeader },
        ...(schema && { content: { 'application/json': { schema: bodySchema(schema) } } }),
        ...(contentType && { content: { [contentType]: { schema: text } } }),
      },
    ]),
  )
}

/** Returns one response per status, with its possible codes. */
function problemResponses({
  access,
  method,
  isRead,
  params,
  body,
  problems: own = [],
}: RouteSpec): Record<string, object> {
  const writing: ProblemCode[] = method === 'GET' || isRead ? [] : ['storage_full']
  const withBody: ProblemCode[] = body ? ['payload_too_large', 'unsupported_media_type'] : []
  // Overlong parameters match no route.
  const withParams: ProblemCode[] = params ? ['not_found'] : []
  const ofUser = access === 'public' ? [] : userProblems
  const codes = [...new Set([...commonProblems, ...ofUser, ...writing, ...withBody, ...withParams, ...own])]
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  const descriptions: [status: number, description: string][] = [...byStatus].map(([status, those]) => [
    status,
    those.map((code) => `\`${code}\``).join(', '),
  ])
  // HTTP has a status of its own for them (D1.35).
  descriptions.push([431, 'Address and headers have more than 16 KiB.'])
  return Object.fromEntries(
    descriptions.map(([status, description]) => [
      status,
      {
        description,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

/** The default of a number in a query is the text that stands for it. */
function numericDefault({ default: text }: { default?: unknown }): object {
  return text === undefined ? {} : { default: Number(text) }
}

function bodySchema(schema: v.GenericSchema): object {
  return describeDefaults(schemaOf(schema))
}

function schemaOf(schema: v.GenericSchema): object {
  const { $schema: _dialect, $defs: _defs, ...converted } = toJsonSchema(schema, conversion)
  return converted
}

/**
 * Returns a schema whose descriptions tell the defaults. Generators of clients take a field with the keyword `default`
 * for one that is always there, and require it in requests too; a record of an earlier version may lack it.
 */
function describeDefaults<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((item: unknown) => describeDefaults(item)) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const converted = Object.entries(schema).map(([key, part]) => {
    if (key !== 'properties') return [key, describeDefaults(part)] as const
    // A field may have the name of a keyword.
    const fields = Object.entries(part as Record<string, DefaultedSchema>).map(([name, field]) => [
      name,
      describeField(field),
    ])
    return [key, Object.fromEntries(fields)] as const
  })
  return Object.fromEntries(converted) as T
}

interface DefaultedSchema {
  default?: unknown
  description?: string
}

function describeField({ default: value, ...field }: DefaultedSchema): object {
  const told = value === undefined ? undefined : `Default: \`${JSON.stringify(value)}\`.`
  const description = [field.description, told].filter(Boolean).join(' ')
  return describeDefaults({ ...field, ...(description && { description }) })
}
