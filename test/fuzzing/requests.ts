import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { HOUR_MS, type Json, type JsonObject, recordKinds, writableKinds } from '@saldo/core'
import type { Chance } from '../simulation/chance.ts'
import { type Document, described, type Operation } from './document.ts'
import {
  dates,
  hostileJson,
  hostileText,
  instants,
  mutatedJson,
  noJson,
  percent,
  pick,
  someDate,
  someInstant,
  texts,
  weeks,
} from './hostile.ts'
import { PASSWORD, type User } from './wire.ts'

/** A request before it is bytes. */
export interface FuzzRequest {
  method: string
  target: string
  /** In their order, names more than once among them. */
  headers: [name: string, value: string][]
  body: Buffer | undefined
  isChunked: boolean
}

/** Material for requests: existing records, and values from answers. */
export interface Known {
  document: Document
  operations: readonly Operation[]
  url: string
  email: string
  nowMs: number
  user: User
  /** Another user, whose data must stay hidden and unchanged. */
  bystander: User & { ids: readonly string[] }
  cookie: string
  ids: readonly string[]
  devices: readonly string[]
  cursors: string[]
  tags: string[]
}

const paths = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
}

/** The next request of a round. */
export function requestOf(known: Known, chance: Chance): FuzzRequest {
  const request = plainRequest(known, chance)
  if (percent(chance, 4)) request.target = withOddPath(request.target, chance)
  if (percent(chance, 8)) request.target = withOddQuery(request.target, known, chance)
  if (percent(chance, 4)) request.method = pick(chance, METHODS)
  if (percent(chance, 12)) request.headers.push(oddHeader(known, chance))
  if (percent(chance, 2)) request.headers.push(...request.headers.slice(0, 3))
  if (percent(chance, 3)) request.body = oddBytes(request, chance)
  const { host } = new URL(known.url)
  if (!request.headers.some(([name]) => name === 'host')) request.headers.unshift(['host', host])
  return request
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'get',
  'M-SEARCH',
  'PURGE',
  'LINK',
]

function plainRequest(known: Known, chance: Chance): FuzzRequest {
  const roll = chance.below(100)
  if (roll < 26) return withBody('POST', '/api/sync/push', pushText(known, chance), known, chance)
  if (roll < 50) return recordRequest(known, chance)
  if (roll < 60) return closing(known, chance)
  if (roll < 70) return bodiless('GET', pulling(known, chance), known, chance)
  return ofDocument(known, chance)
}

function bodiless(method: string, target: string, known: Known, chance: Chance): FuzzRequest {
  return { method, target, headers: identity(known, chance), body: undefined, isChunked: false }
}

function withBody(method: string, target: string, text: string, known: Known, chance: Chance): FuzzRequest {
  const whole = percent(chance, 2) ? pick(chance, noJson) : percent(chance, 1) ? hostileJson(chance) : text
  const type = percent(chance, 96) ? 'application/json' : pick(chance, TYPES)
  const headers: FuzzRequest['headers'] = [...identity(known, chance), ['content-type', type]]
  return { method, target, headers, body: Buffer.from(whole), isChunked: percent(chance, 10) }
}

const TYPES = [
  '',
  'text/plain',
  'application/jsonx',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'APPLICATION/JSON;a=b',
  'application/json,text/html',
  '*/*',
  'application/merge-patch+json',
]

/** The credentials of a request: mostly valid ones. */
function identity(known: Known, chance: Chance, access: Operation['access'] = 'user'): FuzzRequest['headers'] {
  const { user, bystander, cookie, url } = known
  const own: FuzzRequest['headers'] = [
    ['cookie', cookie],
    ['origin', url],
  ]
  const roll = chance.below(100)
  if (roll < 88) return access === 'session' || roll < 10 ? own : [['authorization', `Bearer ${user.token}`]]
  if (roll < 90) return []
  if (roll < 91)
    return [
      ['authorization', `Bearer ${user.token}`],
      ['saldo-user', String(pick(chance, [user.id, bystander.id]))],
    ]
  if (roll < 92)
    return [
      ['cookie', cookie],
      ['origin', 'https://evil.example'],
    ]
  if (roll < 93)
    return [
      ['cookie', cookie],
      ['sec-fetch-site', pick(chance, ['same-origin', 'same-site', 'cross-site', 'none', ''])],
    ]
  if (roll < 96)
    return [
      ['cookie', oddCookie(cookie, chance)],
      ['origin', url],
    ]
  return [['authorization', oddAuthorization(user.token, chance)]]
}

function oddCookie(cookie: string, chance: Chance): string {
  const [name = '', value = ''] = cookie.split('=', 2)
  const at = chance.below(value.length)
  const odd = [
    `${name}=%`, `${name}=%zz.%zz`, `${name}=${value}; ${name}=x`, `${name}=x; ${cookie}`, `${name}=`, name, '=;=;=', `${name}="${value}"`,
    `${name}=${value.slice(0, at)}${value.slice(at + 1)}`, `${name}=${value.toUpperCase()}`, 'a=b; '.repeat(500), `__Host-${cookie}`, `__Secure-${cookie}`,
    `${name}=${'A'.repeat(5_000)}`, `${name}=\xff\xfe`, `${name}=${value}%00`, `__proto__=x; ${cookie}`, `${name}=.${'A'.repeat(43)}=`,
  ] // biome-ignore format: a table
  return pick(chance, odd)
}

function oddAuthorization(token: string, chance: Chance): string {
  const odd = [
    'Bearer', 'Bearer ', `bearer ${token}`, `Bearer  ${token}`, `Bearer ${token} x`, `Bearer ${token}, Bearer ${token}`, `Basic ${btoa('a:b')}`, token,
    `Bearer ${token.slice(0, -1)}`, `Bearer ${token}A`, `Bearer ${token.toUpperCase()}`, 'Bearer saldo_', `Bearer saldo_1_${'A'.repeat(43)}`, 'Bearer null',
    `Bearer saldo_${'A'.repeat(10_000)}`, `Bearer ${token}\xff`, 'Digest username="a"', `Bearer saldo_' OR 1=1 --`,
  ] // biome-ignore format: a table
  return pick(chance, odd)
}

/** The body of a push, as text. */
function pushText(known: Known, chance: Chance): string {
  const changes = Array.from({ length: 1 + chance.below(percent(chance, 5) ? 60 : 6) }, () => changeOf(known, chance))
  if (percent(chance, 10)) changes.push(structuredClone(pick(chance, changes)))
  const body = { ...(percent(chance, 70) && { device: pick(chance, known.devices) }), changes }
  if (percent(chance, 30)) return JSON.stringify(body)
  return mutatedJson(chance, body, 1 + chance.below(4))
}

function changeOf(known: Known, chance: Chance): JsonObject {
  const kind = percent(chance, 3)
    ? pick(chance, recordKinds)
    : percent(chance, 80)
      ? 'entries'
      : pick(chance, writableKinds)
  const seq = percent(chance, 60)
    ? { seq: percent(chance, 95) ? chance.below(50) : Number.MAX_SAFE_INTEGER - chance.below(2) }
    : {}
  const id = idOf(known, chance)
  const updated_at = stampOf(known, chance)
  if (percent(chance, 20)) return { kind, op: 'delete', id, updated_at, ...seq }
  const content = contentOf(kind, known, chance)
  return { kind, op: 'upsert', record: { ...content, id, updated_at }, ...seq }
}

/** Of few records, so that changes meet; now and then another user's. */
function idOf({ ids, bystander }: Known, chance: Chance): string {
  const roll = chance.below(100)
  if (roll < 70) return pick(chance, ids)
  if (roll < 94) return chance.uuid()
  return roll < 97 ? pick(chance, bystander.ids) : pick(chance, ODD_IDS)
}

const ODD_IDS = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '6BA7B810-9DAD-11D1-80B4-00C04FD430C8',
  '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  '6ba7b810-9dad-71d1-80b4-00c04fd430c8',
  '{6ba7b810-9dad-11d1-80b4-00c04fd430c8}',
  '6ba7b8109dad11d180b400c04fd430c8',
]

function stampOf({ nowMs }: Known, chance: Chance): string {
  const roll = chance.below(100)
  if (roll < 85) return new Date(nowMs + (chance.below(400) - 380) * 1_000).toISOString()
  if (roll < 95) return new Date(nowMs + 50_000 + chance.below(20_000)).toISOString()
  return pick(chance, instants)
}

function contentOf(kind: string, { nowMs }: Known, chance: Chance): JsonObject {
  if (kind === 'settings_history') {
    const target = () => pick(chance, [0, 4 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS + 1])
    return {
      effective_from: percent(chance, 95) ? someDate(chance, nowMs) : pick(chance, dates),
      time_zone: pick(chance, [
        'Europe/Berlin',
        'UTC',
        'America/Havana',
        'Pacific/Apia',
        'Antarctica/Troll',
        'Etc/GMT-14',
      ]),
      target_ms: Array.from({ length: 7 * pick(chance, [1, 1, 2, 8]) }, target),
      ...(percent(chance, 30) && { auto_close: { day_after_ms: 0, week_after_days: chance.below(4) } }),
      ...(percent(chance, 30) && {
        limits: {
          green_ms: 0,
          yellow_ms: pick(chance, [0, HOUR_MS, 366 * 24 * HOUR_MS]),
          period_ends: pick(chance, [[], ['02-29'], ['12-31', '11-15', '12-31']]),
          keep_at_most_ms: pick(chance, [null, 0, HOUR_MS]),
        },
      }),
      ...(percent(chance, 40) && {
        break_policy: { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: HOUR_MS / 2 }] },
      }),
    }
  }
  if (kind === 'balance_adjustments') {
    const delta_ms = pick(chance, [1, -HOUR_MS, 10 * HOUR_MS, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
    return {
      effective_date: someDate(chance, nowMs),
      ...pick(chance, [
        { delta_ms, kind: 'correction' },
        { delta_ms: pick(chance, [0, -HOUR_MS]), kind: 'expiry' },
      ]),
      reason: pick(chance, ['x', '🙂', ...texts.slice(-8)]),
    }
  }
  if (percent(chance, 25)) {
    return {
      kind: pick(chance, ['vacation', 'sick', 'unpaid']),
      date: someDate(chance, nowMs),
      ...pick(chance, [{ day_share: 1 }, { day_share: 1e-9 }, { day_share: 0.333333333333 }, { amount_ms: HOUR_MS }]),
    }
  }
  if (percent(chance, 5)) {
    return { kind: 'vacation_grant', date: someDate(chance, nowMs), days: pick(chance, [-366, 0.01, 30]) }
  }
  const started_at = someInstant(chance, nowMs)
  const ended_at = percent(chance, 90)
    ? new Date(Date.parse(started_at) + pick(chance, [0, 1, HOUR_MS, 9 * HOUR_MS, 100 * 24 * HOUR_MS])).toISOString()
    : null
  const said = { note: pick(chance, ['', ...texts]), tags: [pick(chance, texts)], time_zone: 'Europe/Berlin' }
  return { kind: pick(chance, ['work', 'work', 'break']), started_at, ended_at, ...(percent(chance, 30) && said) }
}

/** One record over REST. */
function recordRequest(known: Known, chance: Chance): FuzzRequest {
  const kind = percent(chance, 70) ? 'entries' : pick(chance, writableKinds)
  const base = paths[kind]
  const method = pick(chance, ['GET', 'PUT', 'PUT', 'POST', 'DELETE'])
  const id = idOf(known, chance)
  const query = percent(chance, 50) ? `?${new URLSearchParams(stampQuery(known, chance))}` : ''
  const target = `${method === 'POST' ? base : `${base}/${encodeURIComponent(id)}`}${method === 'GET' ? '' : query}`
  const content = { ...contentOf(kind, known, chance), ...(percent(chance, 30) && { id }) }
  const text = percent(chance, 40) ? JSON.stringify(content) : mutatedJson(chance, content, 1 + chance.below(3))
  const hasBody = method === 'PUT' || method === 'POST'
  const request = hasBody ? withBody(method, target, text, known, chance) : bodiless(method, target, known, chance)
  if (percent(chance, 30)) request.headers.push(precondition(known, chance))
  return request
}

function stampQuery(known: Known, chance: Chance): Record<string, string> {
  return {
    updated_at: percent(chance, 95) ? stampOf(known, chance) : hostileText(chance).toWellFormed(),
    ...(percent(chance, 70) && {
      device: percent(chance, 95) ? pick(chance, known.devices) : hostileText(chance).toWellFormed(),
    }),
    ...(percent(chance, 70) && {
      seq: percent(chance, 90) ? String(chance.below(50)) : hostileText(chance).toWellFormed(),
    }),
  }
}

function precondition({ tags }: Known, chance: Chance): [string, string] {
  const known = pick(chance, [...tags, '"1-0"'])
  const odd = [
    known,
    known,
    known,
    `W/${known}`,
    '*',
    '',
    '"',
    `${known}, ${known}`,
    '"a", "b"',
    'x'.repeat(3_000),
    '""',
    `${known}\xff`,
  ]
  return [pick(chance, ['if-match', 'if-none-match']), pick(chance, odd)]
}

function closing(known: Known, chance: Chance): FuzzRequest {
  const date = percent(chance, 85) ? someDate(chance, known.nowMs) : pick(chance, dates)
  const week = percent(chance, 85) ? weekOfDate(someDate(chance, known.nowMs)) : pick(chance, weeks)
  const [path, name, value] = percent(chance, 50)
    ? ['/api/closed-days', 'date', date]
    : ['/api/closed-weeks', 'week', week]
  if (percent(chance, 60)) return withBody('POST', path, JSON.stringify({ [name]: value }), known, chance)
  const request = bodiless(pick(chance, ['GET', 'DELETE']), `${path}/${encodeURIComponent(value)}`, known, chance)
  if (percent(chance, 30)) request.headers.push(precondition(known, chance))
  return request
}

/** The ISO week of a date, reckoned apart from the code under test. */
function weekOfDate(date: string): string {
  const thursday = new Date(date)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const week = Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

function pulling(known: Known, chance: Chance): string {
  const roll = chance.below(10)
  const limit = pick(chance, [
    '1',
    '2',
    '7',
    '5000',
    '10000',
    '0',
    '10001',
    '-1',
    '1e3',
    '',
    '99999',
    '00001',
    '1.0',
    ' 1',
  ])
  if (roll < 3)
    return `/api/sync/pull?since=${pick(chance, ['0', '1', '5', '9007199254740991', '9007199254740992', '-1', '1e3', '', 'x', '00', '٣'])}&limit=${encodeURIComponent(limit)}`
  const cursor = encodeURIComponent(cursorOf(known, chance))
  if (roll < 6) return `/api/sync/pull?limit=${encodeURIComponent(limit)}&cursor=${cursor}`
  if (roll < 9) return `${pick(chance, LISTS)}?limit=${encodeURIComponent(limit)}&cursor=${cursor}`
  return pick(chance, [
    '/api/sync/digest',
    '/api/balance',
    '/api/account/proposals',
    '/api/account/vacation?year=2026',
    '/api/me/export',
    '/api/sync/events',
    `/api/account/days?from=${someDate(chance, known.nowMs)}&to=2026-11-30`,
  ])
}

const LISTS = ['/api/entries', '/api/settings', '/api/balance/adjustments', '/api/closed-days', '/api/closed-weeks']

/** Returns a cursor of the service, or one assembled from parts of cursors. */
function cursorOf({ cursors, ids, tags }: Known, chance: Chance): string {
  if (percent(chance, 40)) return pick(chance, [...cursors, ''])
  const odd = () =>
    percent(chance, 50)
      ? pick(chance, texts)
      : pick(chance, [0, -1, 1, 2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53, null, [], {}])
  const id = percent(chance, 60) ? pick(chance, ids) : odd()
  const parts = percent(chance, 50)
    ? [percent(chance, 70) ? chance.below(100) : odd(), id]
    : [
        percent(chance, 70) ? chance.below(9) : odd(),
        pick(chance, [null, odd(), ...tags]),
        pick(chance, recordKinds),
        id,
      ]
  const text = JSON.stringify(parts)
  return percent(chance, 90)
    ? Buffer.from(text).toString('base64url')
    : percent(chance, 50)
      ? text
      : pick(chance, texts).toWellFormed()
}

/** Any operation of the document: what it describes, changed or not. */
function ofDocument(known: Known, chance: Chance): FuzzRequest {
  let operation = pick(chance, known.operations)
  // Passwords are slow on purpose: half of all time would go into them.
  if (isSlow(operation) && percent(chance, 90))
    operation = pick(
      chance,
      known.operations.filter((one) => !isSlow(one)),
    )
  const { method, path, parameters, body, access } = operation
  const values = parameters
    .filter(({ required, in: where }) => required || percent(chance, where === 'header' ? 15 : 40))
    .map((parameter) => [parameter, parameterValue(known, parameter.name, parameter.schema, chance)] as const)
  const inPath = new Map(values.filter(([{ in: where }]) => where === 'path').map(([{ name }, value]) => [name, value]))
  const inQuery = values
    .filter(([{ in: where }]) => where === 'query')
    .map(([{ name }, value]) => [name, value.toWellFormed()])
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent((inPath.get(name) ?? '').toWellFormed()),
  )
  const query = inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : ''
  const request = body
    ? withBody(method, filled + query, bodyText(known, body, chance), known, chance)
    : bodiless(method, filled + query, known, chance)
  const own: FuzzRequest['headers'] = values
    .filter(([{ in: where }]) => where === 'header')
    .map(([{ name }, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '')])
  const type = request.headers.filter(([name]) => name === 'content-type')
  return { ...request, headers: [...identity(known, chance, access), ...type, ...own, ...addressOf(chance)] }
}

const isSlow = ({ path, method, body }: Operation) =>
  path.startsWith('/api/auth/sign-') ||
  path === '/api/me/password' ||
  (body !== undefined && path.startsWith('/api/me/second-factor')) ||
  (method === 'DELETE' && path === '/api/me')

/** From where proxies say that a request comes. */
const addressOf = (chance: Chance): FuzzRequest['headers'] =>
  percent(chance, 20)
    ? [['x-forwarded-for', pick(chance, ['10.0.0.1', '::1', 'unknown', '', ', ,', '1, 2, 3', 'a'.repeat(2_000)])]]
    : []

function parameterValue(known: Known, name: string, schema: Parameters<typeof described>[1], chance: Chance): string {
  if (percent(chance, 25)) return hostileText(chance)
  if (name === 'id') return idOf(known, chance)
  if (name === 'cursor') return cursorOf(known, chance)
  if (name === 'date') return someDate(chance, known.nowMs)
  if (name === 'week') return weekOfDate(someDate(chance, known.nowMs))
  return String(described(known.document, schema, chance))
}

function bodyText(known: Known, schema: Parameters<typeof described>[1], chance: Chance): string {
  const body = described(known.document, schema, chance) as Json
  // Half of them know the password.
  if (isObject(body)) {
    const right = percent(chance, 50)
    for (const name of ['password', 'current_password', 'new_password'])
      if (right && name in body) body[name] = PASSWORD
  }
  return percent(chance, 50) ? JSON.stringify(body) : mutatedJson(chance, body, 1 + chance.below(3))
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withOddPath(target: string, chance: Chance): string {
  const [path = '', ...query] = target.split('?')
  const at = chance.below(path.length + 1)
  const odd = [
    `${path}/`, `${path}//`, `/${path}`, `${path}/.`, `${path}/..`, `${path}/%2e%2e`, `${path}%2f`, `${path}%00`, `${path}%`, `${path}%zz`, `${path};a=b`,
    path.replaceAll('/', '%2f'), path.replaceAll('/', '%252f'), path.replaceAll('/', '\\'), path.toUpperCase(),
    `/..${path}`, `/api/..${path}`, `.${path}`,
    `${path.slice(0, at)}%00${path.slice(at)}`, `${path.slice(0, at)}%ff${path.slice(at)}`, `${path.slice(0, at)}/${path.slice(at)}`, `http://evil.example${path}`,
    `https://localhost:1${path}`, `//evil.example${path}`, `${path}#x`, `${path}.json`, '*', '/', `/${'a/'.repeat(2_000)}`, `/${'a'.repeat(8_000)}`, '/__proto__',
    '/api/docs/__proto__', '/api/docs/../../package.json', '/api/docs/%2e%2e%2fpackage.json', '/%e0%a4%a', '/.env', '/.git/config', path.replace('e', '%65'),
    `${path}%0d%0aset-cookie:%20a=b`, `${path}/${'x'.repeat(250)}`,
    '/api/entries/%ED%A0%80', '/api/sync/pull%3Fsince=0',
  ] // biome-ignore format: a table
  return [pick(chance, odd), ...query].join('?')
}

function withOddQuery(target: string, known: Known, chance: Chance): string {
  const name = pick(chance, [
    'since',
    'limit',
    'cursor',
    'from',
    'to',
    'updated_at',
    'device',
    'seq',
    '__proto__',
    'constructor',
    'x',
    '',
  ])
  const value = encodeURIComponent(
    (percent(chance, 20) ? cursorOf(known, chance) : hostileText(chance)).slice(0, 3_000).toWellFormed(),
  )
  const odd = [
    `${name}=${value}`,
    `${name}=${value}&${name}=${value}`,
    `${name}[]=${value}`,
    `${name}[a]=${value}`,
    `${name}`,
    `&&==&${name}=`,
    `${name}=%`,
    `${name}=%ff`,
    `${name}=a;b=c`,
    'a=b&'.repeat(3_000),
    `%00=${value}`,
    `${name}=+&${name}%3d=1`,
  ]
  return `${target}${target.includes('?') ? '&' : '?'}${pick(chance, odd)}`
}

function oddHeader({ url }: Known, chance: Chance): [string, string] {
  const odd: [string, string][] = [
    [
      'accept-encoding',
      pick(chance, [
        'gzip',
        'br',
        'zstd',
        'identity;q=0',
        '*;q=0',
        'gzip;q=2',
        ',,;;',
        'x'.repeat(5_000),
        'gzip;q=0.000, br;q=1e9',
        '*',
        'deflate',
      ]),
    ],
    ['content-encoding', pick(chance, ['gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'x'])],
    ['accept', pick(chance, ['text/html', '', '*/*;q=0', 'application/xml', 'text/event-stream'])],
    ['host', pick(chance, ['evil.example', '', 'localhost:99999', '[::1', 'a b', 'x'.repeat(300)])],
    [
      'origin',
      pick(chance, [
        'null',
        'https://evil.example',
        '',
        url,
        'javascript:alert(1)',
        `${url}.evil.example`,
        'http://[',
        'x',
      ]),
    ],
    [
      'saldo-user',
      hostileText(chance)
        .replaceAll(/[^\x20-\x7e]/g, '')
        .slice(0, 500),
    ],
    ['x-request-id', pick(chance, ['a'.repeat(8), 'a'.repeat(129), '<script>', 'x\ty', '../../../../'])],
    ['x-forwarded-proto', pick(chance, ['https', 'http', 'javascript', 'https, http'])],
    ['x-forwarded-for', pick(chance, ['', ',', '127.0.0.1', 'x'.repeat(4_000), '1,2,3,4,5,6,7,8,9'])],
    ['x-forwarded-host', 'evil.example'],
    ['x-http-method-override', 'DELETE'],
    ['range', pick(chance, ['bytes=0-0', 'bytes=0-1,0-1,0-1', 'bytes=-1', 'x'])],
    ['if-modified-since', 'Sat, 31 Feb 2026 25:61:61 GMT'],
    ['if-match', pick(chance, texts.slice(0, 40)).replaceAll(/[^\x20-\x7e]/g, '')],
    ['expect', pick(chance, ['100-continue', 'tea'])],
    ['upgrade', pick(chance, ['websocket', 'h2c', 'TLS/1.0'])],
    ['connection', pick(chance, ['close', 'keep-alive, upgrade', 'authorization', 'x'])],
    ['transfer-encoding', pick(chance, ['identity', 'gzip, chunked', 'xchunked', 'chunked, chunked'])],
    ['te', 'trailers, deflate;q=0.5'],
    ['content-length', pick(chance, ['0', '-1', '1e3', 'x', '99999999999999999999', '+5', '0x10'])],
    ['cookie', pick(chance, ['a', '=', ';;;', 'a=%', 'saldo.session_token', 'x'.repeat(10_000)])],
    ['user-agent', pick(chance, ['', '\xff\xfe', 'x'.repeat(10_000), '\x24{jndi:ldap://x}', '() { :; }; echo'])],
    ['x'.repeat(1 + chance.below(200)), 'y'.repeat(chance.below(9_000))],
    ['__proto__', 'x'],
    [pick(chance, ['a b', 'a:b', '', 'a\0', 'ü', '(', ' x']), 'x'],
    ['x', pick(chance, ['a\0b', 'a\rb', 'a\nb', '\x01', '\x7f', ' folded\r\n more'])],
  ]
  return pick(chance, odd)
}

/** Bodies that are not what the headers say, or more than they seem. */
function oddBytes({ headers, body }: FuzzRequest, chance: Chance): Buffer {
  const plain = body ?? Buffer.from('{}')
  const roll = chance.below(9)
  const encode = (name: string, bytes: Buffer) => {
    headers.push(['content-encoding', name])
    return bytes
  }
  if (roll === 0) return encode('gzip', gzipSync(plain))
  if (roll === 1) return encode('gzip', gzipSync(plain).subarray(0, -5))
  if (roll === 2) return encode('br', brotliCompressSync(plain))
  if (roll === 3) return encode('deflate', deflateSync(plain))
  // 5 MiB of it, in some thousand bytes.
  if (roll === 4) return encode('gzip', BOMB)
  if (roll === 5) return Buffer.concat([plain, Buffer.from([0xff])])
  if (roll === 6) return Buffer.from(plain.toString(), 'utf16le')
  if (roll === 7) return percent(chance, 10) ? Buffer.alloc(5 * 1024 * 1024, '[') : Buffer.alloc(300 * 1024, ' ')
  const copy = Buffer.from(plain)
  for (let n = 0; n < 3 && copy.length > 0; n += 1) copy[chance.below(copy.length)] = chance.below(256)
  return copy
}

const BOMB = gzipSync(Buffer.alloc(5 * 1024 * 1024, ' '))

/** A request as it goes over the wire. */
export function bytesOf({ method, target, headers, body, isChunked }: FuzzRequest): Buffer {
  const has = (name: string) => headers.some(([one]) => one.toLowerCase() === name)
  const all = [...headers]
  if (body && !has('content-length') && !has('transfer-encoding')) {
    all.push(isChunked ? ['transfer-encoding', 'chunked'] : ['content-length', String(body.length)])
  }
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
  const sent = body && isChunked ? chunked(body) : (body ?? Buffer.alloc(0))
  return Buffer.concat([Buffer.from(head, 'latin1'), sent])
}

function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += 1_000) {
    const part = body.subarray(at, at + 1_000)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
