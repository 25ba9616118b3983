import {
  addDays,
  buildTimeline,
  type Entry,
  type EntryFilter,
  HOUR_MS,
  noFilter,
  reportGroups,
  reportOf,
  type Settings,
} from '@saldo/core'
import { assertEqual, assertTrue, type Check } from '../check.ts'
import type { CheckedResponse, ServiceSession } from './session.ts'

const SCOPES = ['read', 'record', 'full', 'away', 'payroll']

/** Operations and the scope that each needs (D21.1). */
const neededScopes = [
  ['get', '/api/entries', 'read'],
  ['get', '/api/balance', 'read'],
  ['post', '/api/reports', 'read'],
  ['get', '/api/sync/pull', 'read'],
  ['post', '/api/sync/push', 'record'],
  ['post', '/api/entries', 'record'],
  ['put', '/api/entries/{id}', 'record'],
  ['delete', '/api/entries/{id}', 'record'],
  ['post', '/api/settings', 'full'],
  ['delete', '/api/settings/{id}', 'full'],
  ['post', '/api/balance/adjustments', 'full'],
  ['post', '/api/closed-weeks', 'full'],
] as const

/** Origins that no service allows: a name that nobody can have (RFC 2606), and a page without an origin. */
const FOREIGN_ORIGINS = ['https://conformance.invalid', 'null']

/** Addresses of all kinds: public ones, ones that take a token, one that needs a session, and one without anything. */
const askedPaths = ['/api/version', '/api/openapi.json', '/api/entries', '/api/me', '/api/me/tokens', '/api/nothing']

/** Throws if a page of another origin could read an answer. */
function assertUnreadable({ headers }: CheckedResponse, what: string): void {
  for (const name of ['access-control-allow-origin', 'access-control-allow-credentials']) {
    assertEqual(headers.get(name), null, `«${name}» of the answer to ${what}`)
  }
}

const RANGE = { from: '9000-03-01', to: '9000-04-30' } as const
const MOST_DAYS = 400

/** Full time with a break policy, from the first day of the report on. */
const settings = {
  effective_from: RANGE.from,
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
  break_policy: { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: HOUR_MS / 2 }], min_piece_ms: 0 },
}

/** Entries that overlap, cross midnight in Berlin, have several tags or none, or do not count. */
const reported = [
  { started_at: '9000-03-03T07:00:00Z', ended_at: '9000-03-03T13:00:00Z', project: 'Harbour', tags: ['a', 'b'] },
  { started_at: '9000-03-03T12:00:00Z', ended_at: '9000-03-03T17:30:00Z', project: 'Garden', tags: ['a'] },
  { started_at: '9000-03-04T21:00:00Z', ended_at: '9000-03-05T01:00:00Z', project: null, tags: [], note: 'night' },
  { started_at: '9000-03-06T08:00:00Z', ended_at: '9000-03-06T09:00:00Z', project: 'Garden', counts: false },
  { started_at: '9000-04-01T08:00:00Z', ended_at: '9000-04-01T16:00:00Z', project: 'Harbour', note: 'Äpfel' },
].map((entry) => ({ kind: 'work', ...entry }))
const pause = { kind: 'break', started_at: '9000-04-01T11:00:00Z', ended_at: '9000-04-01T11:10:00Z' }

const filters: readonly EntryFilter[] = [
  { ...noFilter, kind: 'work' },
  { ...noFilter, kind: 'break' },
  { ...noFilter, kind: 'work', project: 'Garden' },
  { ...noFilter, kind: 'work', tag: 'a' },
  { ...noFilter, kind: 'work', words: 'APFEL harbour' },
]

/** Checks of what other programs use: scopes, pages of other origins, and reports (D21). */
export const programChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['D21.5'],
    title: 'the OpenAPI document names one scope for each operation that takes a token',
    async run(session) {
      const { paths, components } = await session.get('/api/openapi.json')
      const schemes = Object.entries<{ type?: string; scheme?: string }>(Object(components).securitySchemes ?? {})
      const bearer = schemes.find(([, { type, scheme }]) => type === 'http' && scheme === 'bearer')?.[0]
      assertTrue(bearer !== undefined, 'the OpenAPI document has no security scheme for bearer tokens')
      const scopesOf = (operation: unknown): unknown[] =>
        (Object(operation).security ?? []).flatMap((way: object) => Object(way)[bearer] ?? [])
      const takesToken = (operation: unknown) =>
        (Object(operation).security ?? []).some((way: object) => bearer in Object(way))
      for (const [path, ofPath] of Object.entries<object>(Object(paths))) {
        for (const [method, operation] of Object.entries(ofPath)) {
          if (!takesToken(operation)) continue
          const scopes = scopesOf(operation)
          const isOne = scopes.length === 1 && SCOPES.includes(String(scopes[0]))
          assertTrue(isOne, `${method} ${path} takes a token, and its scopes are ${JSON.stringify(scopes)}`)
        }
      }
      for (const [method, path, scope] of neededScopes) {
        assertEqual(scopesOf(Object(paths)[path]?.[method]), [scope], `the scope that ${method} ${path} needs`)
      }
    },
  },
  {
    rules: ['D21.7'],
    title: 'no answer to an origin that is not allowed lets a page read it, nor does a preflight',
    async run(session) {
      for (const origin of FOREIGN_ORIGINS) {
        for (const path of askedPaths) {
          for (const options of [{}, { token: null }]) {
            const answer = await session.call('GET', path, { ...options, headers: { origin } })
            assertUnreadable(answer, `GET ${path} from the origin «${origin}»`)
          }
          for (const method of ['GET', 'POST']) {
            const asked = {
              origin,
              'access-control-request-method': method,
              'access-control-request-headers': 'authorization',
            }
            const answer = await session.call('OPTIONS', path, { token: null, headers: asked })
            assertUnreadable(answer, `the preflight of ${method} ${path} from the origin «${origin}»`)
          }
        }
      }
    },
  },
  {
    rules: ['D21.8'],
    title: 'reports by every group and filter are those that a client with the same records computes',
    async run(session) {
      const timeline = buildTimeline([(await session.create('settings_history', settings)) as Settings])
      const entries: Entry[] = []
      for (const entry of [...reported, pause]) entries.push(await session.create('entries', entry))
      for (const filter of filters) {
        for (const group of reportGroups) {
          const report = reportOf(entries, timeline, filter, RANGE, group)
          const asked = Object.entries({ ...filter, ...RANGE, group }).filter(([, value]) => value !== '')
          const sought = Object.fromEntries(asked)
          const expected = {
            ...RANGE,
            group,
            lines: report.lines.map(({ key, timeMs, entryCount }) => ({ key, time_ms: timeMs, entries: entryCount })),
            repeated_ms: report.repeatedMs,
            deducted_ms: report.deductedMs,
            total_ms: report.totalMs,
            not_counted_ms: report.notCountedMs,
          }
          const { body } = await session.call('POST', '/api/reports', { json: sought })
          assertEqual(body, expected, `the report ${JSON.stringify(sought)}`)
        }
      }
    },
  },
  {
    rules: ['D21.9'],
    title: 'a report covers 400 days at most, and its range does not end before it begins',
    async run(session) {
      const ask = (to: string) => session.call('POST', '/api/reports', { json: { from: RANGE.from, to, group: 'day' } })
      assertEqual((await ask(addDays(RANGE.from, MOST_DAYS - 1))).status, 200, `a report of ${MOST_DAYS} days`)
      for (const days of [MOST_DAYS, -1]) {
        const to = addDays(RANGE.from, days)
        const { status, body } = await ask(to)
        assertEqual([status, body?.code], [400, 'invalid_request'], `a report from ${RANGE.from} to ${to}`)
      }
    },
  },
]
