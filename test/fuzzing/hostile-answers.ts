import type { Json, JsonObject } from '@saldo/core'
import type { Chance } from '../simulation/chance.ts'
import { dates, hostileJson, instants, mutatedJson, noJson, percent, pick, texts } from './hostile.ts'

/** Treatment of answers: unchanged, nonsense, some false values, or endless pages. */
export type Mood = 'honest' | 'senseless' | 'lying' | 'endless'

/** The way to a service, on which somebody answers in its place. */
export class HostileWay {
  mood: Mood = 'honest'
  /** Number of requests since this was last set to 0. */
  requestCount = 0
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.requestCount += 1
    const chance = this.#chance
    if (this.mood === 'endless') return endless(await fetch(input, init))
    if (this.#isHonest() || percent(chance, 15)) return fetch(input, init)
    if (percent(chance, 10)) throw new TypeError('fetch failed')
    // Loses or alters the service's answer, or the request before it arrives.
    const real = percent(chance, 70) ? await fetch(input, init) : undefined
    // A request of the event stream can have begun before the service became honest.
    if (this.#isHonest()) return real ?? fetch(input, init)
    if (!real || percent(chance, 25)) return invented(chance)
    const text = await real.text()
    const headers = new Headers(real.headers)
    headers.delete('content-encoding')
    headers.delete('content-length')
    if (percent(chance, 20))
      headers.set(
        pick(chance, ['saldo-version', 'saldo-updated-at', 'etag', 'retry-after']),
        pick(chance, HEADER_VALUES),
      )
    if (text === '') return new Response(null, { status: real.status, headers })
    const body = JSON.parse(text) as JsonObject
    return new Response(altered(chance, body, this.mood), { status: real.status, headers })
  }

  #isHonest(): boolean {
    return this.mood === 'honest'
  }
}

const HEADER_VALUES = ['', 'x', '-1', '1e9', 'NaN', '9007199254740993', '2026-02-30', '0', '999999999999', 'W/"x"']
const PAGE = '<!doctype html><script>document.write(location)</script><h1>Welcome to the hotel</h1>'

/** An answer of somebody who knows nothing of the service. */
function invented(chance: Chance): Response {
  const status = pick(
    chance,
    [200, 200, 200, 201, 206, 302, 400, 402, 403, 405, 408, 409, 413, 418, 422, 425, 429, 500, 502, 503],
  )
  const body = pick(chance, [
    PAGE,
    '',
    'x'.repeat(1_000_000),
    'data: {}\n\n',
    hostileJson(chance),
    pick(chance, noJson),
    '[[[[',
    '{"code":"conflict","detail":"no"}',
    '{"code":5}',
    '\x1f\x8b\x08\x00',
  ])
  const headers = {
    'retry-after': pick(chance, HEADER_VALUES),
    location: 'http://localhost:1/',
    ...(percent(chance, 70) && { 'saldo-protocol': '3' }),
  }
  return new Response(body, { status, headers })
}

async function endless(real: Response): Promise<Response> {
  const body = (await real.json()) as JsonObject
  const more = { has_more: true, ...('cursor' in body && { cursor: 'again' }) }
  return new Response(JSON.stringify({ ...body, ...more }), { status: real.status, headers: { 'saldo-protocol': '3' } })
}

/** The body of an answer, with something of it that cannot be. */
function altered(chance: Chance, body: JsonObject, mood: Mood): string {
  if (mood === 'senseless') {
    const wrong = pick(chance, breakages)
    const copy = structuredClone(body)
    return wrong(copy, chance) ? JSON.stringify(copy) : pick(chance, noJson)
  }
  if (percent(chance, 60)) return mutatedJson(chance, body, 1 + chance.below(4))
  const copy = structuredClone(body)
  Object.assign(copy, pick(chance, lies(copy, chance)))
  return JSON.stringify(copy)
}

const WRONG = [null, true, {}, [], 'x', 0.5, -0.5, '1', [1], 2 ** 53]

/** Each takes from a body what every answer of its kind has; false where it is of another kind. */
const breakages: ((body: JsonObject, chance: Chance) => boolean)[] = [
  (body, chance) => replaced(body, 'version', pick(chance, WRONG)),
  (body) => replaced(body, 'tag', {}),
  (body, chance) => replaced(body, 'server_time', pick(chance, ['', 'x', 5, null, ...dates.slice(0, 3)])),
  (body, chance) => replaced(body, 'has_more', pick(chance, ['true', 1, null])),
  (body, chance) => replaced(body, 'changes', pick(chance, [null, [], 'x', { entries: {} }, { entries: [null] }])),
  (body, chance) => replaced(body, 'deleted', pick(chance, [null, [], { entries: 5 }, { entries: [{}] }])),
  (body, chance) => replaced(body, 'results', pick(chance, [null, [], {}, [null]])),
  (body, chance) => everyState(body, 'id', pick(chance, [null, 5, '', 'x', {}])),
  (body, chance) => everyState(body, 'version', pick(chance, WRONG)),
  (body, chance) =>
    everyState(
      body,
      'updated_at',
      pick(chance, ['', '1', 'x', 5, null, '2026-11-21T12:00:00+02:00', pick(chance, dates)]),
    ),
  (body, chance) => everyState(body, 'status', pick(chance, ['', 'stored', null, 5])),
] // biome-ignore format: a list

function replaced(body: JsonObject, name: string, value: Json): boolean {
  if (!(name in body)) return false
  body[name] = value
  return true
}

/** Sets a field of all states that a body tells of: false where it tells of none. */
function everyState(body: JsonObject, name: string, value: Json): boolean {
  const lists = [body.changes, body.deleted].flatMap((kinds) =>
    Object.values((kinds ?? {}) as Record<string, JsonObject[]>),
  )
  const states = [...lists.flat(), ...((body.results ?? []) as JsonObject[]), ...('updated_at' in body ? [body] : [])]
  const those = states.filter((state) => name in state && (name === 'status' || state.status !== 'rejected'))
  for (const state of those) state[name] = value
  return those.length > 0
}

/** Returns an answer that a wrong service could give. */
function lies(body: JsonObject, chance: Chance): JsonObject[] {
  const version = Number(body.version)
  const id = chance.uuid()
  const far = pick(chance, instants)
  const forged = {
    id,
    version: version + 1,
    updated_at: '2026-11-21T12:00:00.000Z',
    created_at: far,
    kind: 'work',
    started_at: '2026-11-20T08:00:00.000Z',
    note: pick(chance, texts),
  }
  return [
    { has_more: true },
    { has_more: true, cursor: 'again' },
    { version: version - 1 },
    { version: Number.MAX_SAFE_INTEGER },
    { version: 0, tag: null, since_tag: null, changes: {}, deleted: {} },
    { tag: 'another' },
    { since_tag: 'another' },
    { server_time: far },
    { changes: { entries: [forged] } },
    { changes: { entries: [{ ...forged, kind: 'unknown', from_the_future: true }] } },
    { changes: {}, deleted: {}, kinds: {} },
    { deleted: { entries: [{ id, version: version + 1, updated_at: '9999-12-31T23:59:59.999Z' }] } },
    { results: [] },
    { cursor: '\ud800', has_more: true },
    { cursor: {}, has_more: true },
  ] as JsonObject[]
}
