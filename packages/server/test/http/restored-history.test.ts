import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../harness.ts'
import { PASSWORD, signUp } from './browser.ts'
import { create, resourceOf } from './resources.ts'

const entries = resourceOf('entries')

test('[D4.6] [D5.5] a restored database that was written on has the same versions with other tags', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { call } = await service.user()
  const pull = async (query: string) => (await call('GET', `/api/sync/pull?${query}`)).body
  for (let n = 0; n < 3; n += 1) await create(call, entries, entries.content)
  const putBack = await service.backUp()

  const common = await pull('since=3')
  for (let n = 0; n < 4; n += 1) await create(call, entries, { ...entries.content, note: 'lost' })
  const lost = await pull('since=5')
  const { cursor } = await pull('limit=1')
  await putBack()

  // Fewer versions than the client has: answered normally, and told by the tag.
  const ahead = await pull('since=7')
  expect(ahead).toMatchObject({ version: 3, tag: common.tag, since_tag: null, changes: {}, has_more: false })
  for (let n = 0; n < 6; n += 1) await create(call, entries, { ...entries.content, note: 'new' })
  const on = await pull('since=7')
  expect(on).toMatchObject({ version: 9, has_more: false })
  expect(on.changes.entries).toHaveLength(2)
  expect(on.since_tag).not.toBeNull()
  expect(on.since_tag).not.toBe(lost.tag)
  expect((await pull('since=5')).since_tag).not.toBe(lost.since_tag)
  // Versions that both histories share have the same tags.
  expect((await pull('since=3')).since_tag).toBe(common.tag)
  expect((await call('GET', `/api/sync/pull?cursor=${cursor}`)).body.code).toBe('invalid_cursor')
})

test('[D6.20] [D6.21] a record at the same version in a restored database has another ETag', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { call } = await service.user()
  const { id } = await create(call, entries, entries.content)
  const path = `${entries.path}/${id}`
  const putBack = await service.backUp()
  const edit = async (note: string) => {
    service.clock.advance(1_000)
    const { body, headers } = await call('PUT', path, { json: { ...entries.content, note } })
    return { version: body.version, etag: headers.get('etag') ?? '' }
  }
  const lost = await edit('lost')
  await putBack()
  const stored = await edit('new')
  expect(stored.version).toBe(lost.version)
  expect((await call('GET', path, { headers: { 'if-none-match': lost.etag } })).status).toBe(200)
  expect((await call('DELETE', path, { headers: { 'if-match': lost.etag } })).status).toBe(412)
  expect((await call('DELETE', path, { headers: { 'if-match': stored.etag } })).status).toBe(204)
})

test('[D8.26] an export from before a restore does not let the account be deleted at the same version', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const browser = await signUp(service)
  const putBack = await service.backUp()
  const write = async (note: string) => {
    await create(browser.call, entries, { ...entries.content, note })
    const { body, headers } = await browser.call('GET', '/api/me/export')
    return { version: body.version, etag: headers.get('etag') ?? '' }
  }
  const lost = await write('lost')
  await putBack()
  const stored = await write('new')
  expect(stored.version).toBe(lost.version)
  const remove = (etag: string) =>
    browser.call('DELETE', '/api/me', { json: { password: PASSWORD }, headers: { 'if-match': etag } })
  expect((await remove(lost.etag)).status).toBe(412)
  expect((await remove(stored.etag)).status).toBe(204)
})

test('[D4.18] versions and tags outlive a restart', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { call } = await service.user()
  const made = await create(call, entries, entries.content)
  const before = (await call('GET', '/api/sync/pull?since=0')).body
  await service.restart()
  expect((await call('GET', '/api/sync/pull?since=0')).body).toEqual(before)
  expect((await create(call, entries, entries.content)).version).toBe(made.version + 1)
})
