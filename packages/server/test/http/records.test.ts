import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { counterOf, create, etagOf, newId, resources, timeOf } from './resources.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

let service: TestService
let call: TestService['call']
beforeAll(async () => {
  service = await startTestService()
  call = (await service.user()).call
})
afterAll(() => service.close())

describe.each(resources)('$kind', (resource) => {
  const { kind, path, content, other } = resource

  test('[R1.2] [R3.1] [D9] POST without an id makes one and answers 201 with the record, its place and its tag', async () => {
    const before = await counterOf(call)
    const { status, body, headers } = await call('POST', path, { json: content })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...content,
      version: before + 1,
      updated_at: timeOf(service),
      created_at: timeOf(service),
    })
    expect(body.id).toMatch(UUID)
    expect(headers.get('location')).toBe(`${path}/${body.id}`)
    expect(headers.get('etag')).toBe(etagOf(body))

    const read = await call('GET', headers.get('location') ?? '')
    expect(read.status).toBe(200)
    expect(read.body).toEqual(body)
    expect(read.headers.get('etag')).toBe(headers.get('etag'))
  })

  test('[R2.3] the id that the service makes is a new random UUID each time', async () => {
    const first = await create(call, resource, content)
    const second = await create(call, resource, content)
    expect(first.id).not.toBe(second.id)
    for (const { id } of [first, second]) expect(id).toMatch(/^.{14}4.{4}[89ab]/)
  })

  test('[R2.3] [D6] POST keeps the id of a client, and the same id again creates nothing', async () => {
    const id = newId()
    const first = await call('POST', path, { json: { ...content, id } })
    expect(first.status).toBe(201)
    expect(first.body.id).toBe(id)
    const counter = await counterOf(call)
    const again = await call('POST', path, { json: { ...other, id } })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(again.headers.has('location')).toBe(false)
    expect(await counterOf(call)).toBe(counter)
  })

  test('[D6] POST of one id many times at once creates one record', async () => {
    const id = newId()
    const counter = await counterOf(call)
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, { json: { ...content, id } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await counterOf(call)).toBe(counter + 1)
  })

  test('[R2.4] [R3.1] [R3.11] PUT replaces the record, keeps created_at and sets updated_at', async () => {
    const { id, created_at, version } = await create(call, resource, content)
    service.clock.advance(5_000)
    const { status, body, headers } = await call('PUT', `${path}/${id}`, { json: other })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...other, id, created_at })
    expect(body.updated_at).toBe(timeOf(service))
    expect(body.version).toBeGreaterThan(version)
    expect(headers.get('etag')).toBe(etagOf(body))
    for (const gone of Object.keys(content).filter((key) => !(key in other))) expect(body).not.toHaveProperty(gone)
    expect((await call('GET', `${path}/${id}`)).body).toEqual(body)
  })

  test('[D6] REST stamps a time later than what it changes, also when the clock goes back or stands', async () => {
    const { id, updated_at } = await create(call, resource, content)
    const stored = Date.parse(updated_at)
    const now = service.clock.now()
    const times: number[] = []
    for (const moved of [0, -3_600_000, -1, 2, 10_000]) {
      service.clock.set(new Date(now + moved).toISOString())
      const { body } = await call('PUT', `${path}/${id}`, { json: content })
      times.push(Date.parse(body.updated_at))
    }
    expect(times).toEqual([stored + 1, stored + 2, stored + 3, stored + 4, now + 10_000])
    service.clock.set(new Date(now - 86_400_000).toISOString())
    const { status, headers } = await call('DELETE', `${path}/${id}`)
    expect(status).toBe(204)
    expect(Date.parse(headers.get('saldo-updated-at') ?? '')).toBe(now + 10_001)
    service.clock.set(new Date(now + 10_001).toISOString())
  })

  test('[D6] what the service keeps is ignored in a body, so a record read, changed and sent back is an update', async () => {
    const made = await call('POST', path, {
      json: { ...content, updated_at: '2030-01-01T00:00:00.000Z', created_at: 'yesterday', version: 'x' },
    })
    expect(made.status).toBe(201)
    expect(made.body.created_at).toBe(timeOf(service))
    expect(made.body.updated_at).toBe(made.body.created_at)

    const { status, body } = await call('PUT', `${path}/${made.body.id}`, { json: { ...made.body, colour: 'red' } })
    expect(status).toBe(200)
    expect(body.colour).toBe('red')
    expect(body.created_at).toBe(made.body.created_at)
    expect(Date.parse(body.updated_at)).toBe(Date.parse(made.body.updated_at) + 1)
    expect(body.version).toBeGreaterThan(made.body.version)
  })

  test('[R3.1] [D9] DELETE answers 204 with the version and time of the tombstone, and the record is gone', async () => {
    const { id } = await create(call, resource, content)
    const counter = await counterOf(call)
    const { status, headers, text } = await call('DELETE', `${path}/${id}`)
    expect(status).toBe(204)
    expect(text).toBe('')
    expect(headers.get('saldo-version')).toBe(String(counter + 1))
    const tombstone = { version: headers.get('saldo-version'), at: headers.get('saldo-updated-at') }

    for (const [method, json] of [['GET'], ['PUT', content], ['DELETE']] as const) {
      const gone = await call(method, `${path}/${id}`, json && { json })
      expect(gone.status, method).toBe(404)
      expect(gone.body.code).toBe('not_found')
      expect({ version: gone.headers.get('saldo-version'), at: gone.headers.get('saldo-updated-at') }).toEqual(
        tombstone,
      )
    }
    const posted = await call('POST', path, { json: { ...content, id } })
    expect(posted.status).toBe(404)
    expect(posted.headers.get('saldo-version')).toBe(tombstone.version)
    expect(posted.headers.get('saldo-updated-at')).toBe(tombstone.at)
    expect(await counterOf(call)).toBe(counter + 1)
  })

  test('[D9] an id that never was is 404 without a tombstone, and nothing is stored', async () => {
    const counter = await counterOf(call)
    for (const [method, json] of [['GET'], ['PUT', content], ['DELETE']] as const) {
      const { status, headers, body } = await call(method, `${path}/${newId()}`, json && { json })
      expect(status, method).toBe(404)
      expect(body.code).toBe('not_found')
      expect(headers.has('saldo-version')).toBe(false)
      expect(headers.has('saldo-updated-at')).toBe(false)
    }
    expect(await counterOf(call)).toBe(counter)
  })

  test('[D1] PUT refuses a body that names another id', async () => {
    const { id } = await create(call, resource, content)
    const { status, body } = await call('PUT', `${path}/${id}`, { json: { ...content, id: newId() } })
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ pointer: '/id', detail: 'must be the id of the address' }])
  })

  test('[R3.2] every create, update and delete is in the log, so that pull delivers it', async () => {
    const since = await counterOf(call)
    const kept = await create(call, resource, content)
    const gone = await create(call, resource, content)
    const updated = (await call('PUT', `${path}/${kept.id}`, { json: other })).body
    const { headers } = await call('DELETE', `${path}/${gone.id}`)
    const { body } = await call('GET', `/api/sync/pull?since=${since}`)
    expect(body.version).toBe(since + 4)
    expect(body.changes).toEqual({ [kind]: [updated] })
    const tombstone = { id: gone.id, updated_at: headers.get('saldo-updated-at'), version: since + 4 }
    expect(body.deleted).toEqual({ [kind]: [tombstone] })
  })

  test('[D1] unknown fields survive REST, push and both mixed', async () => {
    const unknown = {
      colour: '🟢 green',
      nested: { deep: [1, -0.5, null, true, { '': '', 'a/b~c': 'x', ünï: [] }], toString: 'no function' },
      '0': 'zero',
      hasOwnProperty: 7,
    }
    const made = await create(call, resource, { ...content, ...unknown })
    expect(made).toMatchObject(unknown)
    expect((await call('GET', `${path}/${made.id}`)).body).toEqual(made)
    service.clock.advance(1_000)

    // As an old client does: it takes the record from a pull, changes what it knows, and pushes it.
    const pulled = (await call('GET', `/api/sync/pull?since=${made.version - 1}`)).body.changes[kind][0]
    expect(pulled).toEqual(made)
    const record = { ...pulled, ...other, updated_at: timeOf(service) }
    const { body: pushed } = await call('POST', '/api/sync/push', {
      json: { changes: [{ kind, op: 'upsert', record }] },
    })
    expect(pushed.results[0].status).toBe('applied')
    const read = (await call('GET', `${path}/${made.id}`)).body
    expect(read).toMatchObject({ ...unknown, ...other })

    const put = (await call('PUT', `${path}/${made.id}`, { json: { ...read, one_more: [[]] } })).body
    expect(put).toMatchObject({ ...unknown, one_more: [[]] })
    const [snapshot] = (await call('GET', '/api/sync/pull')).body.changes[kind].filter(
      (one: { id: string }) => one.id === made.id,
    )
    expect(snapshot).toEqual(put)
  })
})

test('[R2.1] [R2.2] every client-writable record carries its id in text form and updated_at', async () => {
  for (const resource of resources) {
    const record = await create(call, resource, resource.content)
    expect(record.id).toMatch(UUID)
    expect(record.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
})

test('[R3.11] settings routes take a string id and refuse the integers of old', async () => {
  for (const id of ['1', '0', 'x', '6F1D0F1C-6A53-4D0E-9A7C-5A1D05A1D001', '%20', 'null']) {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body } = await call(method, `/api/settings/${id}`)
      expect(status, id).toBe(400)
      expect(body.errors[0].pointer).toBe('/id')
    }
  }
})

test('[D2] a record has defaults filled in and is stored in canonical form', async () => {
  const { body } = await call('POST', '/api/entries', {
    json: {
      kind: 'work',
      started_at: '2026-11-20T09:00:00.1239+01:00',
      tags: [' a ', 'b', 'a', ''],
    },
  })
  expect(body).toMatchObject({
    started_at: '2026-11-20T08:00:00.123Z',
    ended_at: null,
    tags: ['a', 'b'],
    note: '',
    project: null,
    time_zone: null,
    source: null,
    import_ref: null,
  })
  const day = (await call('POST', '/api/entries', { json: { kind: 'vacation', date: '2026-11-19' } })).body
  expect(day.day_share).toBe(1)
  const settings = (await call('POST', '/api/settings', { json: resources[1]?.content })).body
  expect(settings).toMatchObject({ break_policy: null, auto_close: null, week_starts_on: 1, note: '' })
})

test('[D2] what is merely odd is accepted', async () => {
  const odd = [
    { kind: 'work', started_at: '2026-11-10T08:00:00Z', ended_at: '2026-11-11T10:00:00Z' },
    { kind: 'work', started_at: '2026-11-10T09:00:00Z', ended_at: '2026-11-10T10:00:00Z' },
    { kind: 'work', started_at: '2026-11-10T09:00:00Z', ended_at: '2026-11-10T09:00:00Z' },
    { kind: 'work', started_at: '2026-11-10T08:00:00Z' },
    { kind: 'work', started_at: '2026-11-10T08:00:00Z' },
    { kind: 'vacation', date: '2026-11-10' },
    { kind: 'vacation', date: '2026-11-10' },
    { kind: 'work', started_at: '2031-11-10T08:00:00Z', ended_at: '2031-11-10T09:00:00Z' },
  ]
  for (const json of odd) expect((await call('POST', '/api/entries', { json })).status).toBe(201)
})
