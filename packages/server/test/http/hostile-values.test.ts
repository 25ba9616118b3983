import type { WritableKind } from '@saldo/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { counterOf, newId, resourceOf, resources, timeOf } from './resources.ts'

let service: TestService
let call: TestService['call']
beforeAll(async () => {
  service = await startTestService()
  call = (await service.user()).call
})
afterAll(() => service.close())

/** Marks where JSON text stands that no value of ours would be written as. */
const HERE = '«here»'
const literally = (content: object, json: string) => JSON.stringify(content).replace(`"${HERE}"`, json)
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

type Case = [what: string, json: string, pointer: string]

/** What is wrong with a record of any kind. */
function commonCases(content: object): Case[] {
  const withX = (json: string) => literally({ ...content, x: HERE }, json)
  const withKey = (key: string) => literally({ ...content, x: HERE }, '1').replace('"x"', key)
  return [
    ['null', 'null', ''],
    ['a list', '[]', ''],
    ['a list of records', `[${JSON.stringify(content)}]`, ''],
    ['text', '"x"', ''],
    ['a number', '1', ''],
    ['a lone surrogate', withX('"\\ud800"'), '/x'],
    ['a lone low surrogate', withX('"a\\udc00b"'), '/x'],
    ['surrogates the wrong way round', withX('"\\udc00\\ud800"'), '/x'],
    ['a lone surrogate deep inside', withX('{"a":[{"b/c":"\\udfff"}]}'), '/x/a/0/b~1c'],
    ['a lone surrogate in a key', withKey('"\\ud800"'), ''],
    ['NUL', withX('"a\\u0000b"'), '/x'],
    ['NUL in a key', withKey('"\\u0000"'), ''],
    ['the key __proto__', withKey('"__proto__"'), ''],
    [
      'the key __proto__ with an object',
      literally({ ...content, p: HERE }, '{"x":1}').replace('"p"', '"__proto__"'),
      '',
    ],
    ['the key __proto__, escaped', withKey('"\\u005f_proto__"'), ''],
    ['the key constructor', withKey('"constructor"'), ''],
    ['the key prototype', withKey('"prototype"'), ''],
    ['__proto__ deep inside', withX('[{"__proto__":{"polluted":true}}]'), '/x/0'],
    ['2^53', withX('9007199254740992'), '/x'],
    ['−2^53', withX('-9007199254740992'), '/x'],
    ['2^53 deep inside', withX('{"a":[1,9007199254740993]}'), '/x/a/1'],
    ['1e400', withX('1e400'), '/x'],
    ['−1e400', withX('-1e400'), '/x'],
    ['1e300', withX('1e300'), '/x'],
    ['a number of 400 digits', withX('7'.repeat(400)), '/x'],
    ['32 levels under a field', withX(nested(32)), `/x${'/0'.repeat(31)}`],
    ['100,000 levels under a field', withX(nested(100_000)), `/x${'/0'.repeat(31)}`],
    ['an id that is null', JSON.stringify({ ...content, id: null }), '/id'],
    ['an id that is a number', JSON.stringify({ ...content, id: 1 }), '/id'],
    ['an id in upper case', JSON.stringify({ ...content, id: '6F1D0F1C-6A53-4D0E-9A7C-5A1D05A1D001' }), '/id'],
    ['an id in braces', JSON.stringify({ ...content, id: `{${newId()}}` }), '/id'],
  ]
}

const zones = ['', ' ', 'Mars/Olympus', '+01:00', '-0530', 'Z', 'PST', 'Europe/Berlin ', '../UTC', 'a'.repeat(65)]
const dates = ['', '2026-02-30', '2026-02-29', '2026-13-01', '2026-00-10', '2026-11-31', '20261120', '2026-1-2']
const noDates = [
  ...dates,
  '0000-01-01',
  '10000-01-01',
  '-000001-01-01',
  '2026-11-20T00:00:00Z',
  '2026-11-20 ',
  '２０２６-11-20',
]
const noInstants = [
  '',
  '2026-11-20',
  '2026-02-30T08:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T08:60:00Z',
  '2026-11-20T08:00Z',
  '2026-11-20T08:00:00',
  '2026-11-20 08:00:00Z',
  '2026-11-20T08:00:00+25:00',
  '2026-11-20T08:00:00+01',
  '2026-11-20T08:00:00Z[Europe/Berlin]',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+010000-01-01T00:00:00Z',
]

const of = (kind: WritableKind, fields: object) => JSON.stringify({ ...resourceOf(kind).content, ...fields })
const each = (values: readonly unknown[], field: string, base: object): Case[] =>
  values.map((value) => [
    `${field} ${JSON.stringify(value)?.slice(0, 60)}`,
    JSON.stringify({ ...base, [field]: value }),
    `/${field}`,
  ])

const work = resourceOf('entries').content
const sick = resourceOf('entries').other
const settings = resourceOf('settings_history').content
const adjustment = resourceOf('balance_adjustments').content
const day = 86_400_000

const cases: Record<WritableKind, Case[]> = {
  entries: [
    ['nothing', '{}', '/kind'],
    ...each([null, 1, '', 'Work', 'holiday', ['work'], '__proto__', 'toString'], 'kind', work),
    ...each([...noInstants, null, 1_700_000_000_000, {}], 'started_at', work),
    ...each([...noInstants, 0, false, '2026-11-20T07:59:59.999Z'], 'ended_at', work),
    ...each([...noDates, null, 20_261_120], 'date', sick),
    ...each([0, -0.5, 1.000001, 2, '0.5', null, []], 'day_share', sick),
    ['day_share −0', literally({ ...sick, day_share: HERE }, '-0'), '/day_share'],
    ['an absence without a date', JSON.stringify({ kind: 'sick' }), '/date'],
    ['work without a start', JSON.stringify({ kind: 'work' }), '/started_at'],
    ...each([...zones, 1, {}], 'time_zone', work),
    ...each(['x'.repeat(5_001), '🙂'.repeat(5_001), null, 5, ['x']], 'note', work),
    ...each(['x', null, {}, Array.from({ length: 51 }, (_, n) => `tag ${n}`)], 'tags', work),
    ['a tag that is no text', of('entries', { tags: ['a', 5] }), '/tags/1'],
    ['a tag that is too long', of('entries', { tags: ['x'.repeat(201)] }), '/tags/0'],
    ['a tag with NUL', of('entries', { tags: ['\0'] }), '/tags/0'],
    ...each(['x'.repeat(201), 5, {}], 'project', work),
    ...each(['x'.repeat(201), 5], 'source', work),
    ...each(['x'.repeat(501), []], 'import_ref', work),
  ],
  settings_history: [
    ['nothing', '{}', '/effective_from'],
    ...each([...noDates, null, '1899-12-31'], 'effective_from', settings),
    ...each([...zones, null], 'time_zone', settings),
    ...each([null, 'x', {}, [], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]], 'target_ms', settings),
    ...[-1, 1.5, day + 1, '8', null].map(
      (target): Case => [
        `a target of ${target}`,
        of('settings_history', { target_ms: [0, 0, target, 0, 0, 0, 0] }),
        '/target_ms/2',
      ],
    ),
    ['a target of 1e400', literally({ ...settings, target_ms: [HERE, 0, 0, 0, 0, 0, 0] }, '1e400'), '/target_ms/0'],
    ...each([1, 'x', true], 'break_policy', settings),
    ['a policy without rules', of('settings_history', { break_policy: {} }), '/break_policy/rules'],
    [
      'a rule without a threshold',
      of('settings_history', { break_policy: { rules: [{ required_ms: 1 }] } }),
      '/break_policy/rules/0/worked_above_ms',
    ],
    [
      'a rule above a day',
      of('settings_history', { break_policy: { rules: [{ worked_above_ms: 0, required_ms: day + 1 }] } }),
      '/break_policy/rules/0/required_ms',
    ],
    [
      'a piece below 0',
      of('settings_history', { break_policy: { rules: [], min_piece_ms: -1 } }),
      '/break_policy/min_piece_ms',
    ],
    [
      '21 rules',
      of('settings_history', { break_policy: { rules: Array(21).fill({ worked_above_ms: 0, required_ms: 0 }) } }),
      '/break_policy/rules',
    ],
    ['an empty auto_close', of('settings_history', { auto_close: {} }), '/auto_close/day_after_ms'],
    [
      'an auto_close of 367 days',
      of('settings_history', { auto_close: { day_after_ms: 0, week_after_days: 367 } }),
      '/auto_close/week_after_days',
    ],
    ...each([0, 8, 1.5, '1', null], 'week_starts_on', settings),
    ...each(['x'.repeat(5_001), 1], 'note', settings),
  ],
  balance_adjustments: [
    ['nothing', '{}', '/effective_date'],
    ...each([...noDates, null], 'effective_date', adjustment),
    ...each([0, 1.5, '5', null, [], 2 ** 53], 'delta_ms', adjustment),
    ['a delta of −0', literally({ ...adjustment, delta_ms: HERE }, '-0'), '/delta_ms'],
    ['a delta of 1e400', literally({ ...adjustment, delta_ms: HERE }, '1e400'), '/delta_ms'],
    ['a delta of 2^53 − 1', literally({ ...adjustment, delta_ms: HERE }, '9007199254740991'), '/delta_ms'],
    ...each([null, 'gift', 1, 'constructor'], 'kind', adjustment),
    ...each(['', 'x'.repeat(501), '🙂'.repeat(501), null, 5], 'reason', adjustment),
  ],
}

describe.each(resources)('$kind', ({ kind, path, content }) => {
  test('[D1] [D2] what is structurally invalid is 422 with a pointer, over REST and in a push, and nothing is stored', async () => {
    const counter = await counterOf(call)
    for (const [what, json, pointer] of [...commonCases(content), ...cases[kind]]) {
      const id = newId()
      const stamp = `?updated_at=${timeOf(service)}`
      for (const [method, address] of [
        ['POST', path],
        ['POST', path + stamp],
        ['PUT', `${path}/${id}${stamp}`],
      ] as const) {
        const { status, body } = await call(method, address, { raw: json })
        expect(status, `${method} ${what}`).toBe(422)
        expect(body.code).toBe('invalid_record')
        expect(body.errors[0].pointer, what).toBe(pointer)
        expect(body.errors[0].detail).not.toBe('')
      }
      // The same in a push. What names no id of its own gets a good one.
      const own = json.startsWith('{') ? `{"id":"${id}","updated_at":"${timeOf(service)}",${json.slice(1)}` : json
      const raw = `{"changes":[{"kind":"${kind}","op":"upsert","record":${own.replace(',}', '}')}}]}`
      const { status, body } = await call('POST', '/api/sync/push', { raw })
      expect(status, what).toBe(200)
      expect(body.results[0], what).toMatchObject({ kind, status: 'rejected' })
      expect(body.results[0].problem.errors[0].pointer, what).toBe(`/record${pointer}`)
    }
    expect(await counterOf(call)).toBe(counter)
    expect((await call('GET', path)).body.items).toEqual([])
    expect({}).not.toHaveProperty('polluted')
  })
})

test('[D1] a record is at most 64 KiB, in bytes and not in characters', async () => {
  const { path, content } = resourceOf('balance_adjustments')
  const sized = (bytes: number) => {
    const empty = JSON.stringify({ ...content, x: '' })
    const wide = 'ä€🙂'.repeat(5_000)
    return JSON.stringify({ ...content, x: wide + 'x'.repeat(bytes - empty.length - Buffer.byteLength(wide)) })
  }
  expect(Buffer.byteLength(sized(65_536))).toBe(65_536)
  const fits = await call('POST', path, { raw: sized(65_536) })
  expect(fits.status).toBe(201)
  // The record read, with what the service keeps in it, can be sent back.
  expect((await call('PUT', `${path}/${fits.body.id}`, { json: fits.body })).status).toBe(200)
  const counter = await counterOf(call)
  const { status, body } = await call('POST', path, { raw: sized(65_537) })
  expect(status).toBe(422)
  expect(body.errors).toEqual([{ pointer: '', detail: 'must be at most 65536 bytes as JSON' }])
  expect(await counterOf(call)).toBe(counter)
  await call('DELETE', `${path}/${fits.body.id}`)
})

test('[D1] [D2] lengths count characters: 5,000 astral ones are a note, 500 a reason, and they come back whole', async () => {
  const note = `${'🙂'.repeat(4_999)}𝔸`
  const made = await call('POST', '/api/entries', {
    json: { ...work, note, project: '🙂'.repeat(200), tags: ['🙂'.repeat(200)] },
  })
  expect(made.status).toBe(201)
  expect((await call('GET', `/api/entries/${made.body.id}`)).body.note).toBe(note)
  const reason = '𝔸'.repeat(500)
  const booked = await call('POST', '/api/balance/adjustments', { json: { ...adjustment, reason } })
  expect(booked.body.reason).toBe(reason)
  await call('DELETE', `/api/entries/${made.body.id}`)
  await call('DELETE', `/api/balance/adjustments/${booked.body.id}`)
})

test('[D1] what can be kept exactly is kept exactly', async () => {
  const kept = {
    least: Number.MIN_SAFE_INTEGER,
    most: Number.MAX_SAFE_INTEGER,
    tiny: 5e-324,
    third: 1 / 3,
    big: 1.5e15,
    text: '\u2028\u2029\ufeff\u202e\x01\x7f</script>"\\',
    '': { ' ': [] },
    levels: JSON.parse(nested(31)),
  }
  const { body } = await call('POST', '/api/entries', { json: { ...work, ...kept } })
  const read = (await call('GET', `/api/entries/${body.id}`)).body
  expect(read).toEqual({ ...body, ...kept })
  expect((await call('GET', '/api/sync/pull')).body.changes.entries).toEqual([read])
  const zero = await call('POST', '/api/entries', { raw: literally({ ...work, x: HERE }, '-0') })
  expect(zero.text).toContain('"x":0,')
})

test('[D1] what is no JSON is 400 with a pointer, never a trace', async () => {
  const counter = await counterOf(call)
  const bodies: (string | Uint8Array<ArrayBuffer>)[] = [
    '',
    ' ',
    '{',
    '{"kind":"work",}',
    "{'kind':'work'}",
    '{"a":NaN}',
    '{"a":01}',
    '{"a":"\u0001"}',
    '{} {}',
    'undefined',
    '\ufeff{} x',
    '{"a":"\\u12"}',
    `${'['.repeat(100_000)}`,
    Uint8Array.of(0x22, 0xff, 0x22),
    Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
    Uint8Array.of(0x22, 0xc0, 0x80, 0x22),
    Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
    new Uint8Array(1_000),
  ]
  for (const raw of bodies) {
    for (const path of ['/api/entries', '/api/sync/push', '/api/closed-weeks', '/api/auth/sign-in']) {
      const { status, body, text } = await call('POST', path, { raw })
      expect(status).toBe(400)
      expect(body.code).toBe('invalid_request')
      expect(body.errors[0].pointer).toBe('')
      expect(text).not.toMatch(/SyntaxError|node:|\.ts|position|SELECT/)
    }
  }
  expect(await counterOf(call)).toBe(counter)
})

test('[D1] 100,000 levels are refused everywhere, and answered', async () => {
  const deep = nested(100_000)
  for (const [path, raw, status] of [
    ['/api/entries', deep, 422],
    ['/api/sync/push', deep, 400],
    ['/api/sync/push', `{"changes":[${deep},{"kind":${deep}},{"kind":"entries","op":"delete","id":${deep}}]}`, 200],
    ['/api/closed-weeks', `{"week":${deep}}`, 400],
    ['/api/auth/sign-in', `{"email":${deep},"password":"x"}`, 400],
  ] as const) {
    const answer = await call('POST', path, { raw })
    expect(answer.status, path).toBe(status)
    if (status === 200)
      expect(answer.body.results.map((r: { status: string }) => r.status)).toEqual(Array(3).fill('rejected'))
  }
})
