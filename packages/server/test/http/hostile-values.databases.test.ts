import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { counterOf, newId, resourceOf, timeOf } from './resources.ts'

const service = await serviceOfFile()
const call = (await service.user()).call

/** Marks where a literal is put that `JSON.stringify` would not write. */
const HERE = '«here»'
const literally = (record: object, json: string) => JSON.stringify(record).replace(`"${HERE}"`, json)
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const { path, content } = resourceOf('entries')
const withX = (json: string) => literally({ ...content, x: HERE }, json)
const withKey = (key: string) => literally({ ...content, x: HERE }, '1').replace('"x"', key)

/** A name, the JSON of a record, and the pointer to what is wrong with it. */
const cases: [name: string, json: string, pointer: string][] = [
  ['null', 'null', ''],
  ['a list of records', `[${JSON.stringify(content)}]`, ''],
  ['a lone surrogate', withX('"\\ud800"'), '/x'],
  ['surrogates in the wrong order', withX('"\\udc00\\ud800"'), '/x'],
  ['a lone surrogate deep inside', withX('{"a":[{"b/c":"\\udfff"}]}'), '/x/a/0/b~1c'],
  ['a lone surrogate in a key', withKey('"\\ud800"'), ''],
  ['NUL', withX('"a\\u0000b"'), '/x'],
  ['NUL in a key', withKey('"\\u0000"'), ''],
  ['the key __proto__', withKey('"__proto__"'), ''],
  ['the key __proto__, escaped', withKey('"\\u005f_proto__"'), ''],
  ['__proto__ deep inside', withX('[{"__proto__":{"polluted":true}}]'), '/x/0'],
  ['2^53', withX('9007199254740992'), '/x'],
  ['−2^53', withX('-9007199254740992'), '/x'],
  ['1e400', withX('1e400'), '/x'],
  ['a number of 400 digits', withX('7'.repeat(400)), '/x'],
  ['32 levels under a field', withX(nested(32)), `/x${'/0'.repeat(31)}`],
  ['40,000 levels under a field', withX(nested(40_000)), `/x${'/0'.repeat(31)}`],
  ['an end of 1e400', literally({ ...content, ended_at: HERE }, '1e400'), '/ended_at'],
  ['a day share of −0', literally({ kind: 'sick', date: '2026-11-20', day_share: HERE }, '-0'), '/day_share'],
  ['an id that is null', JSON.stringify({ ...content, id: null }), '/id'],
]

test('[D1.15] JSON that cannot be kept exactly is 422 with a pointer and is not stored', async () => {
  const counter = await counterOf(call)
  for (const [name, json, pointer] of cases) {
    for (const [method, address] of [
      ['POST', path],
      ['PUT', `${path}/${newId()}?updated_at=${timeOf(service)}`],
    ] as const) {
      const { status, body } = await call(method, address, { raw: json })
      expect([status, body.code], `${method} ${name}`).toEqual([422, 'invalid_record'])
      expect(body.errors[0].pointer, name).toBe(pointer)
    }
    const record = json.startsWith('{') ? `{"id":"${newId()}","updated_at":"${timeOf(service)}",${json.slice(1)}` : json
    const raw = `{"changes":[{"kind":"entries","op":"upsert","record":${record}}]}`
    const { status, body } = await call('POST', '/api/sync/push', { raw })
    expect(status, name).toBe(200)
    expect(body.results[0], name).toMatchObject({ kind: 'entries', status: 'rejected' })
    expect(body.results[0].problem.errors[0].pointer, name).toBe(`/record${pointer}`)
  }
  expect(await counterOf(call)).toBe(counter)
  expect({}).not.toHaveProperty('polluted')
})

test('[D1.3] a record is at most 64 KiB, in bytes and not in characters', async () => {
  const { path, content } = resourceOf('balance_adjustments')
  const sized = (bytes: number) => {
    const empty = JSON.stringify({ ...content, x: '' })
    const wide = 'ä€🙂'.repeat(5_000)
    return JSON.stringify({ ...content, x: wide + 'x'.repeat(bytes - empty.length - Buffer.byteLength(wide)) })
  }
  expect(Buffer.byteLength(sized(65_536))).toBe(65_536)
  const fits = await call('POST', path, { raw: sized(65_536) })
  expect(fits.status).toBe(201)
  // A record can be sent back with the fields that the service adds.
  expect((await call('PUT', `${path}/${fits.body.id}`, { json: fits.body })).status).toBe(200)
  const counter = await counterOf(call)
  const { status, body } = await call('POST', path, { raw: sized(65_537) })
  expect(status).toBe(422)
  expect(body.errors).toEqual([{ pointer: '', detail: 'must be at most 65536 bytes as JSON' }])
  expect(await counterOf(call)).toBe(counter)
  await call('DELETE', `${path}/${fits.body.id}`)
})

test('[D1.11] lengths count code points: 5,000 astral characters fit a note and 500 fit a reason', async () => {
  const note = `${'🙂'.repeat(4_999)}𝔸`
  const made = await call('POST', '/api/entries', {
    json: { ...content, note, project: '🙂'.repeat(200), tags: ['🙂'.repeat(200)] },
  })
  expect(made.status).toBe(201)
  expect((await call('GET', `/api/entries/${made.body.id}`)).body.note).toBe(note)
  const reason = '𝔸'.repeat(500)
  const booked = await call('POST', '/api/balance/adjustments', {
    json: { ...resourceOf('balance_adjustments').content, reason },
  })
  expect(booked.body.reason).toBe(reason)
  await call('DELETE', `/api/entries/${made.body.id}`)
  await call('DELETE', `/api/balance/adjustments/${booked.body.id}`)
})

test('[D1.12] the limits of numbers, odd texts and deep values come back exactly as they were sent', async () => {
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
  const { body } = await call('POST', '/api/entries', { json: { ...content, ...kept } })
  const read = (await call('GET', `/api/entries/${body.id}`)).body
  expect(read).toEqual({ ...body, ...kept })
  expect((await call('GET', '/api/sync/pull')).body.changes.entries).toEqual([read])
  const zero = await call('POST', '/api/entries', { raw: literally({ ...content, x: HERE }, '-0') })
  expect(zero.text).toContain('"x":0,')
})

test('[D1.19] a body that is not JSON is 400 with a pointer, without a stack trace', async () => {
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
    `${'['.repeat(40_000)}`,
    Uint8Array.of(0x22, 0xff, 0x22),
    Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
    Uint8Array.of(0x22, 0xc0, 0x80, 0x22),
    Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
    new Uint8Array(1_000),
  ]
  for (const raw of bodies) {
    for (const path of ['/api/entries', '/api/sync/push', '/api/closed-weeks', '/api/auth/sign-in']) {
      const { status, body, text } = await call('POST', path, { raw })
      // Where no sign-in is needed, a long body is refused for its length.
      const isLong = path.startsWith('/api/auth/') && raw.length > 8_192
      expect([status, body.code]).toEqual(isLong ? [413, 'payload_too_large'] : [400, 'invalid_request'])
      if (!isLong) expect(body.errors[0].pointer).toBe('')
      expect(text).not.toMatch(/SyntaxError|node:|\.ts|position|SELECT/)
    }
  }
  expect(await counterOf(call)).toBe(counter)
})

test('[D1.14] JSON of 15,000 levels is refused by every route that reads a body', async () => {
  const deep = nested(15_000)
  for (const [path, raw, status] of [
    ['/api/entries', deep, 422],
    ['/api/sync/push', deep, 400],
    ['/api/sync/push', `{"changes":[${deep},{"kind":${deep}},{"kind":"entries","op":"delete","id":${deep}}]}`, 200],
    ['/api/closed-weeks', `{"week":${deep}}`, 400],
    ['/api/auth/sign-in', `{"email":${deep},"password":"x"}`, 413],
  ] as const) {
    const answer = await call('POST', path, { raw })
    expect(answer.status, path).toBe(status)
    if (status === 200)
      expect(answer.body.results.map((r: { status: string }) => r.status)).toEqual(Array(3).fill('rejected'))
  }
})

test('[D1.30] a body of more than 50,000 values is 413 before it is parsed, whatever its values are', async () => {
  const counter = await counterOf(call)
  const many = (item: (n: number) => string) => Array.from({ length: 200_000 }, (_, n) => item(n)).join(',')
  const bodies = {
    'keys like integers': `{"changes":[{"kind":"entries","op":"upsert","record":{${many((n) => `"${n * 7_919}":1`)}}}]}`,
    keys: `{"changes":[{"kind":"entries","op":"upsert","record":{${many((n) => `"k${n}":1`)}}}]}`,
    changes: `{"changes":[${many(() => '{}')}]}`,
    levels: nested(200_000),
    'a list that does not end': `[${many(() => '1')}`,
  }
  for (const [name, raw] of Object.entries(bodies)) {
    const { status, body } = await call('POST', '/api/sync/push', { raw })
    expect([status, body.code], name).toEqual([413, 'payload_too_large'])
  }
  const marks = '\\"[{,'.repeat(40_000)
  const text = `{"changes":[${JSON.stringify(marks)},{"kind":${JSON.stringify(`${marks}\\`)}}]}`
  expect((await call('POST', '/api/sync/push', { raw: text })).status).toBe(200)
  expect(await counterOf(call)).toBe(counter)
})

test('[D1.31] an object of more than 1,000 keys is refused with a pointer, the changes beside it apply', async () => {
  const object = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [n, n]))
  const record = (x: object) => ({ ...content, id: newId(), updated_at: timeOf(service), x })
  const { body } = await call('POST', '/api/sync/push', {
    json: {
      changes: [record({ list: [object(1_001)] }), record(object(1_000)), { ...record({}), ...object(1_001) }].map(
        (record) => ({ kind: 'entries', op: 'upsert', record }),
      ),
    },
  })
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'applied', 'rejected'])
  expect(body.results[0].problem.errors).toEqual([
    { pointer: '/record/x/list/0', detail: 'must have at most 1000 keys' },
  ])
})
