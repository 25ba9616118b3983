import { isDeepStrictEqual } from 'node:util'
import { type JsonObject, MINUTE_MS, wireLimits } from '@saldo/core'
import { assertEqual, assertFields, assertTrue, type Check } from '../check.ts'
import { readFixture } from '../fixtures.ts'
import { assertValidRecord, deletion, kinds, resources, type ServiceSession, upsert } from './session.ts'

const { path, content } = resources.entries

/** Content of a fixture, moved by millennia to where it touches nothing of an account that is in use. */
function far(said: JsonObject): JsonObject {
  const places = ['started_at', 'ended_at', 'date', 'effective_from', 'effective_date']
  const moved = places.flatMap((place) => {
    const value = said[place]
    return typeof value === 'string' ? [[place, value.replace(/^[12](?=\d{3}-)/, '9')]] : []
  })
  return { ...said, ...Object.fromEntries(moved) }
}

/** Adjustments together stay within so much, signs aside (D2). */
const MAX_ADJUSTMENTS_MS = 2 ** 52
/** The most values of a body (D1.30), and the most keys of an object (D1.31). */
const MAX_VALUES = 50_000
const MAX_KEYS = 1_000

const validRecords = readFixture('records').valid.filter(({ input }) => {
  const deltaMs = 'delta_ms' in input ? Number(input.delta_ms) : 0
  return Math.abs(deltaMs) <= MAX_ADJUSTMENTS_MS
})
/** Those that can be sent from here: JSON has numbers that no double holds. */
const invalidRecords = readFixture('records').invalid.filter(({ input }) =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(input)), input),
)

/** Values, errors and limits (D1, D2). */
export const valueChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['D1.16', 'D1.18'],
    title: 'every response has the protocol version, and errors are problems with a stable code',
    async run(session) {
      const id = session.newId()
      const json = { 'content-type': 'application/json' }
      const wrong: [
        status: number,
        code: string,
        method: string,
        path: string,
        options: Parameters<ServiceSession['call']>[2],
      ][] = [
        [400, 'invalid_request', 'POST', path, { raw: '{', headers: json }],
        [400, 'invalid_request', 'GET', `${path}?limit=x`, {}],
        [401, 'unauthenticated', 'GET', '/api/balance', { token: null }],
        [404, 'not_found', 'GET', `${path}/${id}`, {}],
        [404, 'not_found', 'GET', '/api/no-such-thing', {}],
        [405, 'method_not_allowed', 'PATCH', path, { json: {} }],
        [415, 'unsupported_media_type', 'POST', path, { raw: 'x', headers: { 'content-type': 'text/plain' } }],
        [422, 'invalid_record', 'POST', path, { json: { kind: 'work' } }],
      ]
      for (const [status, code, method, asked, options] of wrong) {
        const answer = await session.call(method, asked, options)
        assertEqual([answer.status, answer.body?.code], [status, code], `${method} ${asked}`)
      }
      const { body } = await session.call('POST', path, { json: { kind: 'work', started_at: 'soon', day_share: 1 } })
      assertEqual(
        body.errors?.map(({ pointer }: { pointer: string }) => pointer),
        ['/started_at'],
        'the pointers of a bad record',
      )
    },
  },
  {
    rules: ['D1.5', 'D1.4'],
    title: 'instants of any offset are accepted and returned in UTC with three decimals (fixtures/instants.json)',
    async run(session) {
      const { valid, invalid } = readFixture('instants')
      const { version, ms } = await session.now()
      const at = new Date(ms - 1_000).toISOString()
      const changes = [...valid.map(({ text }) => text), ...invalid].map((text) =>
        upsert('entries', session.newId(), at, { kind: 'work', started_at: text }),
      )
      const results = await session.push(changes)
      const pulled = ((await session.pull(`?since=${version}`)).changes.entries ?? []) as JsonObject[]
      for (const [index, { text, canonical }] of valid.entries()) {
        assertEqual(results[index]?.status, 'applied', `the instant ${text}`)
        const record = pulled.find(({ id }) => id === results[index]?.id) ?? {}
        assertValidRecord('entries', record)
        assertEqual(record.started_at, canonical, `the instant ${text}`)
      }
      for (const [index, text] of invalid.entries()) {
        assertEqual(results[valid.length + index]?.status, 'rejected', `«${text}», which is no instant`)
      }
    },
  },
  {
    rules: ['D2.13', 'D1.4'],
    title: 'records are stored in canonical form (fixtures/records.json, valid)',
    async run(session) {
      const at = await session.time(-1_000)
      for (const { name, kind, input, canonical } of validRecords) {
        const id = session.newId()
        const result = await session.pushOne(upsert(kind, id, at, far(input)))
        assertEqual(result.status, 'applied', name)
        const record = await session.read(kind, id)
        assertValidRecord(kind, record)
        const { id: _id, created_at: _created, updated_at: _updated, version: _version, ...kept } = record
        assertEqual(sorted(kept), sorted(far(canonical)), name)
      }
    },
  },
  {
    rules: ['D1.15', 'D2.8', 'D2.9', 'D2.10', 'D2.17', 'D2.18', 'D2.19', 'D2.20', 'D2.21'],
    title: 'invalid records are rejected with the pointers of all errors (fixtures/records.json, invalid)',
    async run(session) {
      for (const { name, kind, input, pointers } of invalidRecords) {
        const { status, body } = await session.call('POST', resources[kind].path, { json: input })
        assertEqual([status, body?.code], [422, 'invalid_record'], name)
        assertEqual(
          body.errors?.map(({ pointer }: { pointer: string }) => pointer).toSorted(),
          pointers.toSorted(),
          name,
        )
      }
    },
  },
  {
    rules: ['D1.2'],
    title: 'unknown fields of a record survive REST, push and pull',
    async run(session) {
      const unknown = { 'x-mood': { deep: [1, null, 'ä', { more: true }] }, mood: null }
      const { version } = await session.now()
      for (const kind of kinds) {
        const created = await session.create(kind, { ...resources[kind].content, ...unknown })
        assertFields(await session.read(kind, created.id), unknown, `one of ${kind} with unknown fields`)
        const pushed = session.newId()
        const change = upsert(kind, pushed, await session.time(-1_000), { ...resources[kind].other, ...unknown })
        assertEqual((await session.pushOne(change)).status, 'applied', 'a change with unknown fields')
      }
      const { changes } = await session.pull(`?since=${version}`)
      for (const kind of kinds) {
        const pulled = (changes[kind] ?? []) as JsonObject[]
        assertTrue(pulled.length >= 2, `pull brings ${pulled.length} of ${kind}, of 2`)
        for (const record of pulled) assertFields(record, unknown, `one of ${kind} with unknown fields, pulled`)
      }
    },
  },
  {
    rules: ['D1.33'],
    title: 'fields that the service does not know are named',
    async run(session) {
      const named = async (method: string, address: string, json?: object) => {
        const { headers } = await session.call(method, address, json && { json })
        return headers.get('saldo-unknown-fields')
      }
      const id = session.newId()
      assertEqual(await named('POST', path, { ...content, id, proj: 'x' }), '/proj', 'a mistyped field of a record')
      assertEqual(await named('PUT', `${path}/${id}`, { ...content, 'ä,': 1 }), '/%C3%A4%2C', 'a name with a comma')
      const change = upsert('entries', session.newId(), await session.time(-1_000), { ...content, proj: 'x' })
      const pushed = await named('POST', '/api/sync/push', { changes: [change] })
      assertEqual(pushed, '/changes/0/record/proj', 'a mistyped field of a record in a push')
      assertEqual(await named('GET', `${path}?form=9000-01-01&limit=1`), '?form', 'a mistyped field of a query')
      assertEqual(await named('GET', `${path}?limit=1`), null, 'a query without a mistyped field')
    },
  },
  {
    rules: ['D1.3', 'D6.2', 'D1.20'],
    title: 'limits: a record of 64 KiB, 1,000 changes and 4 MiB a push',
    async run(session) {
      const at = await session.time(-1_000)
      const tooLong = { ...content, x: 'x'.repeat(wireLimits.record_bytes) }
      assertEqual((await session.call('POST', path, { json: tooLong })).status, 422, 'a record above 64 KiB over REST')
      const [long, right] = await session.push([
        upsert('entries', session.newId(), at, tooLong),
        upsert('entries', session.newId(), at, { ...content, x: 'x'.repeat(wireLimits.record_bytes - 1_024) }),
      ])
      assertEqual(
        [long?.status, right?.status],
        ['rejected', 'applied'],
        'records above and just below 64 KiB in a push',
      )
      const nothing = Array.from({ length: wireLimits.push_changes }, () => ({}))
      assertEqual((await session.push(nothing)).length, wireLimits.push_changes, 'a push of 1,000 changes')
      const tooMany = await session.call('POST', '/api/sync/push', { json: { changes: [...nothing, {}] } })
      assertEqual([tooMany.status, tooMany.body?.code], [413, 'payload_too_large'], 'a push of 1,001 changes')
      const tooBig = await session.call('POST', '/api/sync/push', {
        raw: `{"changes":[]${' '.repeat(wireLimits.push_bytes)}}`,
      })
      assertEqual(tooBig.status, 413, 'a push of more than 4 MiB')
    },
  },
  {
    rules: ['D1.30'],
    title: 'a body of more than 50,000 JSON values is too large, before it is parsed',
    async run(session) {
      // Beside the zeros these are the body, its changes, the change, and its list.
      const bodyOf = (values: number) => ({ changes: [{ x: Array(values - 4).fill(0) }] })
      const full = await session.call('POST', '/api/sync/push', { json: bodyOf(MAX_VALUES) })
      assertEqual([full.status, full.body?.results?.length], [200, 1], 'a push of 50,000 values')
      const tooLarge = { 'a push of 50,001 values': JSON.stringify(bodyOf(MAX_VALUES + 1)) }
      for (const [name, raw] of Object.entries({
        ...tooLarge,
        'the same without an end': `[${'0,'.repeat(MAX_VALUES)}`,
      })) {
        const { status, body } = await session.call('POST', '/api/sync/push', { raw })
        assertEqual([status, body?.code], [413, 'payload_too_large'], name)
      }
    },
  },
  {
    rules: ['D1.31'],
    title: 'an object of more than 1,000 keys is refused, and the changes beside it apply',
    async run(session) {
      const at = await session.time(-1_000)
      const withKeys = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))
      const changeOf = (count: number) => upsert('entries', session.newId(), at, { ...content, x: [withKeys(count)] })
      const [full, tooMany] = await session.push([changeOf(MAX_KEYS), changeOf(MAX_KEYS + 1)])
      assertEqual([full?.status, tooMany?.status], ['applied', 'rejected'], 'objects of 1,000 and of 1,001 keys')
      assertEqual(tooMany?.problem?.errors?.[0]?.pointer, '/record/x/0', 'the pointer to an object of 1,001 keys')
      const { status } = await session.call('POST', path, { json: { ...content, x: withKeys(MAX_KEYS + 1) } })
      assertEqual(status, 422, 'an object of 1,001 keys over REST')
    },
  },
  {
    rules: ['D6.1', 'D6.6', 'D6.7', 'R3.7', 'R3.9'],
    title: 'changes of a push are read one by one (fixtures/changes.json)',
    async run(session) {
      const { valid, skipped, invalid } = readFixture('changes')
      for (const { name, input, read } of valid) {
        const id = session.newId()
        const change = structuredClone(input) as JsonObject & { record?: JsonObject }
        if (change.op === 'upsert') change.record = { ...far(change.record as JsonObject), id }
        else change.id = id
        assertFields(
          await session.pushOne(change),
          { kind: read.kind, id, status: 'applied', updated_at: read.updated_at },
          name,
        )
        const record = await session.read(read.kind, id)
        if (read.content === null) assertEqual(record, undefined, name)
        else assertFields(record, far(read.content), name)
      }
      for (const { name, input, kind, id } of skipped) {
        assertEqual(await session.pushOne(input), { kind, id, status: 'skipped' }, name)
      }
      for (const { name, input, pointers, id } of invalid) {
        const result = await session.pushOne(input)
        assertFields(result, { id, status: 'rejected' }, name)
        assertEqual(result.problem?.errors?.map(({ pointer }) => pointer).toSorted(), pointers.toSorted(), name)
      }
    },
  },
  {
    rules: ['D2.26'],
    title: 'unusual entries are accepted: overlaps, an entry of 26 hours, two running timers',
    async run(session) {
      const started = '9000-03-01T08:00:00.000Z'
      const odd = [
        { kind: 'work', started_at: started, ended_at: '9000-03-02T10:00:00.000Z' },
        { kind: 'work', started_at: started, ended_at: '9000-03-01T09:00:00.000Z' },
        { kind: 'work', started_at: started },
        { kind: 'work', started_at: started },
        { kind: 'vacation', date: '9000-03-01', day_share: 0.7 },
        { kind: 'sick', date: '9000-03-01', day_share: 0.7 },
        { kind: 'paid_other', date: '9000-03-01', amount_ms: 5_400_000 },
      ]
      for (const entry of odd) assertValidRecord('entries', await session.create('entries', entry))
    },
  },
  {
    rules: ['D2.34'],
    title: 'an absence is a share of the day or an amount of time, and has both fields, one of them null',
    async run(session) {
      const absence = { kind: 'paid_other', date: '9000-03-01' }
      const stored = async (size: JsonObject) => {
        const { day_share, amount_ms } = await session.create('entries', { ...absence, ...size })
        return [day_share, amount_ms]
      }
      assertEqual(await stored({}), [1, null], 'an absence that names no size')
      assertEqual(await stored({ day_share: 0.5 }), [0.5, null], 'an absence with a share')
      assertEqual(await stored({ amount_ms: 5_400_000 }), [null, 5_400_000], 'an absence with an amount')
      const sizes = [{ day_share: 0.5, amount_ms: 1 }, { day_share: null }, { amount_ms: 0 }, { amount_ms: 86_400_001 }]
      for (const size of sizes) {
        const { status } = await session.call('POST', '/api/entries', { json: { ...absence, ...size } })
        assertEqual(status, 422, `an absence with ${JSON.stringify(size)}`)
      }
    },
  },
  {
    rules: ['D2.38'],
    title: 'work counts unless it says that it does not, and other kinds have no such field',
    async run(session) {
      const stored = async (entry: JsonObject) => (await session.create('entries', entry)).counts
      const times = { started_at: '9000-03-01T08:00:00.000Z', ended_at: '9000-03-01T09:00:00.000Z' }
      assertEqual(await stored({ kind: 'work', ...times }), true, 'work that names nothing')
      assertEqual(await stored({ kind: 'work', ...times, counts: false }), false, 'work that does not count')
      assertEqual(await stored({ kind: 'break', ...times }), undefined, 'a break')
      const { status } = await session.call('POST', '/api/entries', { json: { kind: 'work', ...times, counts: null } })
      assertEqual(status, 422, 'work whose counts is null')
    },
  },
  {
    rules: ['D2.5', 'D2.6', 'D2.2'],
    title: 'an earlier change does not revive a deleted record, a later one does, and created_at stays',
    async run(session) {
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms - MINUTE_MS + offsetMs).toISOString()
      for (const kind of kinds) {
        const id = session.newId()
        const { content, other } = resources[kind]
        await session.push([upsert(kind, id, at(0), content)])
        const { created_at: createdAt } = await session.read(kind, id)
        assertEqual((await session.pushOne(deletion(kind, id, at(2)))).status, 'applied', `deleting one of ${kind}`)
        assertEqual(await session.read(kind, id), undefined, `one of ${kind} that was deleted`)
        const late = await session.pushOne(upsert(kind, id, at(1), other))
        assertFields(
          late,
          { status: 'superseded', deleted: true, updated_at: at(2) },
          'an earlier edit after a deletion',
        )
        assertEqual(await session.read(kind, id), undefined, 'what an earlier edit makes of a deleted record')
        assertEqual(
          (await session.pushOne(upsert(kind, id, at(3), other))).status,
          'applied',
          'a later edit after a deletion',
        )
        assertFields(await session.read(kind, id), { ...other, created_at: createdAt }, 'a record that was revived')
      }
    },
  },
  {
    rules: ['D2.7'],
    title: 'deleting an unknown id stores a tombstone, which pull delivers and which beats earlier changes',
    async run(session) {
      const { version, ms } = await session.now()
      const [id, at] = [session.newId(), new Date(ms - 5_000).toISOString()]
      assertFields(
        await session.pushOne(deletion('entries', id, at)),
        { status: 'applied', updated_at: at },
        'deleting what is unknown',
      )
      const { deleted } = await session.pull(`?since=${version}`)
      assertFields(
        deleted.entries?.find((tombstone) => tombstone.id === id),
        { updated_at: at },
        'the tombstone',
      )
      const early = await session.pushOne(upsert('entries', id, new Date(ms - 6_000).toISOString(), content))
      assertFields(
        early,
        { status: 'superseded', deleted: true },
        'an earlier edit of what was deleted before it was known',
      )
    },
  },
]

/** Its keys in order: which comes first is nobody's business. */
function sorted(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
