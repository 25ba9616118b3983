import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { counterOf, create, etagOf, newId, resources, timeOf } from './resources.ts'

let service: TestService
let call: TestService['call']
beforeAll(async () => {
  service = await startTestService()
  call = (await service.user()).call
})
afterAll(() => service.close())

/** The tag of the same version in another history. */
const nextTag = ({ version, updated_at }: { version: number; updated_at: string }) =>
  etagOf({ version, updated_at: new Date(Date.parse(updated_at) + 1).toISOString() })

describe.each(resources)('$kind', (resource) => {
  const { path, content, other } = resource

  test('[D6] GET answers 304 without a body where If-None-Match names the version that stands', async () => {
    const record = await create(call, resource, content)
    const { id } = record
    const tag = etagOf(record)
    for (const named of [tag, `W/${tag}`, '*', `"0", ${tag}`, `"0" ,W/${tag},"x,y"`]) {
      const { status, headers, text } = await call('GET', `${path}/${id}`, { headers: { 'if-none-match': named } })
      expect(status, named).toBe(304)
      expect(text).toBe('')
      expect(headers.get('etag')).toBe(tag)
    }
    for (const named of [
      nextTag(record),
      `"${record.version}"`,
      tag.slice(1, -1),
      '',
      tag.slice(0, -1),
      'W/""',
      `"x ${tag}"`,
    ]) {
      const { status } = await call('GET', `${path}/${id}`, { headers: { 'if-none-match': named } })
      expect(status, named).toBe(200)
    }
    await call('DELETE', `${path}/${id}`)
    expect((await call('GET', `${path}/${id}`, { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  test.each([
    ['stamped by the service', () => ''],
    ['stamped by a device', () => `?updated_at=${timeOf(service, 1_000)}`],
  ])('[D6] PUT and DELETE, %s, honour If-Match', async (_, query) => {
    const record = await create(call, resource, content)
    const { id } = record
    const tag = etagOf(record)
    const counter = await counterOf(call)
    const stale = [nextTag(record), `W/${tag}`, `"${record.version}"`, '"x"', `${nextTag(record)}, W/${tag}`, '']
    for (const named of stale) {
      for (const method of ['PUT', 'DELETE']) {
        const { status, body } = await call(method, `${path}/${id}${query()}`, {
          json: other,
          headers: { 'if-match': named },
        })
        expect(status, named).toBe(412)
        expect(body.code).toBe('precondition_failed')
      }
    }
    expect(await counterOf(call)).toBe(counter)

    const put = await call('PUT', `${path}/${id}${query()}`, {
      json: other,
      headers: { 'if-match': `"x", ${tag}` },
    })
    expect(put.status).toBe(200)
    service.clock.advance(1)
    const again = await call('PUT', `${path}/${id}${query()}`, { json: content, headers: { 'if-match': '*' } })
    expect(again.status).toBe(200)
    service.clock.advance(1)
    const etag = again.headers.get('etag') ?? ''
    expect((await call('DELETE', `${path}/${id}${query()}`, { headers: { 'if-match': etag } })).status).toBe(204)
  })

  test('[D6] If-Match fails where nothing live stands', async () => {
    const { id } = await create(call, resource, content)
    await call('DELETE', `${path}/${id}`)
    const counter = await counterOf(call)
    for (const one of [id, newId()]) {
      for (const query of ['', `?updated_at=${timeOf(service, 2_000)}`]) {
        for (const method of ['PUT', 'DELETE']) {
          const options = { json: content, headers: { 'if-match': '*' } }
          expect((await call(method, `${path}/${one}${query}`, options)).status).toBe(412)
        }
        const posted = { json: { ...content, id: one }, headers: { 'if-match': '*' } }
        expect((await call('POST', path + query, posted)).status).toBe(412)
      }
    }
    expect(await counterOf(call)).toBe(counter)
  })

  test('[D6] If-None-Match guards writes too: what it names must not stand', async () => {
    const record = await create(call, resource, content)
    const { id } = record
    const counter = await counterOf(call)
    for (const named of ['*', etagOf(record), `W/${etagOf(record)}`]) {
      for (const query of ['', `?updated_at=${timeOf(service, 3_000)}`]) {
        for (const method of ['PUT', 'DELETE']) {
          const options = { json: other, headers: { 'if-none-match': named } }
          expect((await call(method, `${path}/${id}${query}`, options)).status, named).toBe(412)
        }
      }
    }
    expect(await counterOf(call)).toBe(counter)
    const fresh = `${path}/${newId()}?updated_at=${timeOf(service)}`
    const created = await call('PUT', fresh, { json: content, headers: { 'if-none-match': '*' } })
    expect(created.status).toBe(200)
    expect((await call('PUT', fresh, { json: content, headers: { 'if-none-match': '*' } })).status).toBe(412)
    const options = { json: content, headers: { 'if-none-match': '"0"' } }
    expect((await call('PUT', `${path}/${id}`, options)).status).toBe(200)
  })

  test('[D6] of two editors of one version one wins, the other learns of it', async () => {
    const record = await create(call, resource, content)
    const { id } = record
    const edits = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        call('PUT', `${path}/${id}`, { json: { ...other, editor: n }, headers: { 'if-match': etagOf(record) } }),
      ),
    )
    expect(edits.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412])
    const winner = edits.find(({ status }) => status === 200)
    expect((await call('GET', `${path}/${id}`)).body).toEqual(winner?.body)
  })
})
