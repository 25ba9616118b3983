import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { counterOf, create, etagOf, newId, push, resources, timeOf } from './resources.ts'

const HOUR_MS = 3_600_000

let service: TestService
let call: TestService['call']
beforeAll(async () => {
  service = await startTestService()
  call = (await service.user()).call
})
afterAll(() => service.close())

/** The query of a device's direct write. */
function stamped(offsetMs: number, device?: string, seq?: number): string {
  const by = device === undefined ? '' : `&device=${device}&seq=${seq}`
  return `?updated_at=${timeOf(service, offsetMs)}${by}`
}

describe.each(resources)('$kind', (resource) => {
  const { kind, path, content, other } = resource

  test('[D6] a device’s POST creates with the device’s time, and PUT is an upsert', async () => {
    const posted = await call('POST', path + stamped(-HOUR_MS), { json: { ...content, id: newId() } })
    expect(posted.status).toBe(201)
    expect(posted.body.updated_at).toBe(timeOf(service, -HOUR_MS))
    expect(posted.body.created_at).toBe(timeOf(service))
    expect(posted.headers.get('location')).toBe(`${path}/${posted.body.id}`)

    const id = newId()
    const put = await call('PUT', `${path}/${id}${stamped(-HOUR_MS)}`, { json: content })
    expect(put.status).toBe(200)
    expect(put.body).toMatchObject({ ...content, id, updated_at: timeOf(service, -HOUR_MS) })
  })

  test('[D6] the strictly later time wins; a losing write answers 200 with what stands', async () => {
    const id = newId()
    const first = (await call('PUT', `${path}/${id}${stamped(-HOUR_MS)}`, { json: content })).body
    const counter = await counterOf(call)
    const losers = [
      await call('PUT', `${path}/${id}${stamped(-HOUR_MS - 1)}`, { json: other }),
      await call('PUT', `${path}/${id}${stamped(-HOUR_MS)}`, { json: other }),
      await call('POST', path + stamped(-HOUR_MS), { json: { ...other, id } }),
      await call('DELETE', `${path}/${id}${stamped(-HOUR_MS)}`),
    ]
    for (const { status, body, headers } of losers) {
      expect(status).toBe(200)
      expect(body).toEqual(first)
      expect(headers.get('etag')).toBe(etagOf(first))
    }
    expect(await counterOf(call)).toBe(counter)

    const later = await call('PUT', `${path}/${id}${stamped(-HOUR_MS + 1)}`, { json: other })
    expect(later.body).toMatchObject({ ...other, id, updated_at: timeOf(service, 1 - HOUR_MS) })
    const posted = await call('POST', path + stamped(-HOUR_MS + 2), { json: { ...content, id } })
    expect(posted.status).toBe(200)
    expect(posted.body).toMatchObject({ ...content, created_at: first.created_at })
  })

  test('[D6] the same write again, as after a lost answer, changes nothing', async () => {
    const id = newId()
    const device = newId()
    const query = stamped(-5, device, 1)
    const first = await call('POST', path + query, { json: { ...content, id } })
    expect(first.status).toBe(201)
    const counter = await counterOf(call)
    const again = await call('POST', path + query, { json: { ...content, id } })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    const del = stamped(-4, device, 2)
    const deleted = await call('DELETE', `${path}/${id}${del}`)
    const deletedAgain = await call('DELETE', `${path}/${id}${del}`)
    expect([deleted.status, deletedAgain.status]).toEqual([204, 204])
    for (const name of ['saldo-version', 'saldo-updated-at']) {
      expect(deletedAgain.headers.get(name)).toBe(deleted.headers.get(name))
    }
    expect(deleted.headers.get('saldo-updated-at')).toBe(timeOf(service, -4))
    expect(await counterOf(call)).toBe(counter + 1)
  })

  test('[D6] against a deletion a losing write answers 404 with the tombstone’s version and time', async () => {
    const { id } = await create(call, resource, content)
    const deleted = await call('DELETE', `${path}/${id}${stamped(5_000)}`)
    expect(deleted.status).toBe(204)
    const tombstone = [deleted.headers.get('saldo-version'), timeOf(service, 5_000)]
    const losers = [
      await call('PUT', `${path}/${id}${stamped(5_000)}`, { json: content }),
      await call('POST', path + stamped(4_999), { json: { ...content, id } }),
      await call('DELETE', `${path}/${id}${stamped(4_999)}`),
      await call('GET', `${path}/${id}`),
    ]
    for (const { status, headers } of losers) {
      expect(status).toBe(404)
      expect([headers.get('saldo-version'), headers.get('saldo-updated-at')]).toEqual(tombstone)
    }
  })

  test('[D2] [D6] a later upsert revives a deleted record, which keeps its created_at', async () => {
    const { id, created_at } = await create(call, resource, content)
    service.clock.advance(1_000)
    await call('DELETE', `${path}/${id}`)
    service.clock.advance(1_000)
    const put = await call('PUT', `${path}/${id}${stamped(0)}`, { json: other })
    expect(put.status).toBe(200)
    expect(put.body).toMatchObject({ ...other, id, created_at })

    await call('DELETE', `${path}/${id}${stamped(1)}`)
    const posted = await call('POST', path + stamped(2), { json: { ...content, id } })
    expect(posted.status).toBe(201)
    expect(posted.body).toMatchObject({ ...content, id, created_at })
  })

  test('[D2] [D6] a delete of an unknown id stores a tombstone that an earlier edit cannot beat', async () => {
    const id = newId()
    const deleted = await call('DELETE', `${path}/${id}${stamped(-1_000)}`)
    expect(deleted.status).toBe(204)
    const late = await call('PUT', `${path}/${id}${stamped(-1_001)}`, { json: content })
    expect(late.status).toBe(404)
    expect(late.headers.get('saldo-version')).toBe(deleted.headers.get('saldo-version'))
    expect((await call('PUT', `${path}/${id}${stamped(-999)}`, { json: content })).status).toBe(200)
  })

  test('[D6] 60 s ahead is taken as it is, a millisecond more is a claim and stored with the service’s time', async () => {
    const near = await call('PUT', `${path}/${newId()}${stamped(60_000)}`, { json: content })
    expect(near.body.updated_at).toBe(timeOf(service, 60_000))
    const far = await call('PUT', `${path}/${newId()}${stamped(60_001)}`, { json: content })
    expect(far.body.updated_at).toBe(timeOf(service))

    const ahead = await call('PUT', `${path}/${near.body.id}${stamped(9 * HOUR_MS)}`, { json: other })
    expect(ahead.body).toMatchObject({ ...other, updated_at: timeOf(service, 60_001) })
  })

  test('[D6] a claim’s repeat never beats what came between, not even hours later when its time has come', async () => {
    const id = newId()
    const device = newId()
    const claim = stamped(5 * HOUR_MS, device, 7)
    const claimed = await call('PUT', `${path}/${id}${claim}`, { json: content })
    expect(claimed.body.updated_at).toBe(timeOf(service))
    expect((await call('PUT', `${path}/${id}${claim}`, { json: content })).body).toEqual(claimed.body)

    service.clock.advance(1_000)
    const edited = await call('PUT', `${path}/${id}${stamped(0)}`, { json: other })
    expect(edited.body).toMatchObject(other)
    for (const laterMs of [0, 6 * HOUR_MS]) {
      service.clock.advance(laterMs)
      const repeat = await call('PUT', `${path}/${id}${claim}`, { json: content })
      expect(repeat.status).toBe(200)
      expect(repeat.body).toEqual(edited.body)
      // An older edit of the device, queued behind a lost answer, is beaten for ever too.
      const older = await call('PUT', `${path}/${id}${stamped(HOUR_MS, device, 6)}`, { json: content })
      expect(older.body).toEqual(edited.body)
    }
    const newer = await call('PUT', `${path}/${id}${stamped(0, device, 8)}`, { json: content })
    expect(newer.body).toMatchObject(content)
  })

  test('[D6] claims are remembered through a deletion, and for each device apart', async () => {
    const id = newId()
    const [one, two] = [newId(), newId()]
    await call('PUT', `${path}/${id}${stamped(HOUR_MS, one, 3)}`, { json: content })
    service.clock.advance(10)
    await call('PUT', `${path}/${id}${stamped(HOUR_MS, two, 1)}`, { json: other })
    service.clock.advance(10)
    const deleted = await call('DELETE', `${path}/${id}`)
    expect(deleted.status).toBe(204)
    for (const [device, seq, json] of [
      [one, 3, content],
      [two, 1, other],
    ] as const) {
      const { status, headers } = await call('PUT', `${path}/${id}${stamped(2 * HOUR_MS, device, seq)}`, { json })
      expect(status).toBe(404)
      expect(headers.get('saldo-version')).toBe(deleted.headers.get('saldo-version'))
    }
    const revived = await call('PUT', `${path}/${id}${stamped(2 * HOUR_MS, two, 2)}`, { json: other })
    expect(revived.status).toBe(200)
  })

  test('[D6] a claimed delete is repeated harmlessly and remembered', async () => {
    const { id } = await create(call, resource, content)
    const device = newId()
    const query = stamped(HOUR_MS, device, 1)
    const deleted = await call('DELETE', `${path}/${id}${query}`)
    expect(deleted.status).toBe(204)
    expect((await call('DELETE', `${path}/${id}${query}`)).status).toBe(204)
    service.clock.advance(1_000)
    const revived = await call('PUT', `${path}/${id}${stamped(0)}`, { json: content })
    service.clock.advance(2 * HOUR_MS)
    const repeat = await call('DELETE', `${path}/${id}${query}`)
    expect(repeat.status).toBe(200)
    expect(repeat.body).toEqual(revived.body)
  })

  test('[D6] a direct write and the same change in a push are one', async () => {
    const id = newId()
    const device = newId()
    const record = { ...content, id, updated_at: timeOf(service, HOUR_MS) }
    const { body } = await call('PUT', `${path}/${id}${stamped(HOUR_MS, device, 4)}`, { json: content })
    const change = { kind, op: 'upsert', seq: 4, record }
    const [again] = await push(call, [change], device)
    expect(again).toEqual({ kind, id, status: 'unchanged', version: body.version, updated_at: body.updated_at })
    const counter = await counterOf(call)
    const [other4] = await push(call, [{ ...change, record: { ...other, id, updated_at: record.updated_at } }], device)
    expect(other4).toEqual({
      kind,
      id,
      status: 'superseded',
      version: body.version,
      updated_at: body.updated_at,
      record: body,
    })
    expect(await counterOf(call)).toBe(counter)
  })

  test('[D1] [D6] a stamp is read in any offset and refused with a pointer where it is wrong', async () => {
    const id = newId()
    const counter = await counterOf(call)
    for (const [query, pointer] of [
      ['updated_at=', '/updated_at'],
      ['updated_at=2026-02-30T00:00:00Z', '/updated_at'],
      ['updated_at=2026-11-21', '/updated_at'],
      ['updated_at=2026-11-21T08:00:00%2B01:00&device=x&seq=1', '/device'],
      ['updated_at=2026-11-21T08:00:00Z&seq=-1', '/seq'],
      ['updated_at=2026-11-21T08:00:00Z&seq=9007199254740992', '/seq'],
      ['updated_at=2026-11-21T08:00:00Z&seq=1.5', '/seq'],
    ] as const) {
      for (const [method, address] of [
        ['PUT', `${path}/${id}`],
        ['POST', path],
        ['DELETE', `${path}/${id}`],
      ] as const) {
        const { status, body } = await call(method, `${address}?${query}`, { json: content })
        expect(status, query).toBe(400)
        expect(body.errors[0].pointer).toBe(pointer)
      }
    }
    expect(await counterOf(call)).toBe(counter)
    const { body } = await call('PUT', `${path}/${id}?updated_at=2026-11-21T09:30:00%2B01:00`, { json: content })
    expect(body.updated_at).toBe('2026-11-21T08:30:00.000Z')
  })
})
