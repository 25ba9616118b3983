import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { newId } from './resources.ts'

const service = await serviceOfFile()

const json = (body: object) => ({ json: body })

const work = { kind: 'work', started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T09:00:00Z' }
const header = 'saldo-unknown-fields'

test('[D1.33] a mistyped field of a record is kept, and named', async () => {
  const { call } = await service.user()
  const created = await call('POST', '/api/entries', json({ ...work, proj: 'x', id: newId() }))
  expect([created.status, created.headers.get(header), created.body.proj]).toEqual([201, '/proj', 'x'])
  const { id } = created.body
  // A record may be sent back with the fields of the service.
  const sentBack = await call('PUT', `/api/entries/${id}`, json({ ...created.body, proj: undefined }))
  expect([sentBack.status, sentBack.headers.get(header)]).toEqual([200, null])
})

test('[D1.33] fields inside others and in changes of a push are named by their pointers', async () => {
  const { call } = await service.user()
  const stamp = { id: newId(), updated_at: '2026-11-20T10:00:00Z' }
  const pushed = await call(
    'POST',
    '/api/sync/push',
    json({
      changes: [
        { kind: 'entries', op: 'upsert', seq: 1, record: { ...work, ...stamp } },
        { kind: 'entries', op: 'upsert', seq: 2, record: { ...work, ...stamp, id: newId(), notes: 'x' }, mode: 1 },
        { kind: 'entries', op: 'delete', seq: 3, ...stamp, id: newId(), force: true },
      ],
      dry: true,
    }),
  )
  expect(pushed.status).toBe(200)
  expect(pushed.headers.get(header)?.split(', ').sort()).toEqual(
    ['/changes/1/mode', '/changes/1/record/notes', '/changes/2/force', '/dry'].sort(),
  )
  const settings = await call(
    'POST',
    '/api/settings',
    json({
      ...{ effective_from: '2026-01-01', time_zone: 'Europe/Berlin', target_ms: [0, 0, 0, 0, 0, 0, 0] },
      break_policy: { rules: [{ worked_above_ms: 0, required_ms: 1, after: 1 }] },
    }),
  )
  expect([settings.status, settings.headers.get(header)]).toEqual([201, '/break_policy/rules/0/after'])
})

test('[D1.33] an unknown field of a query is named, also where the request is refused', async () => {
  const { call } = await service.user()
  const listed = await call('GET', '/api/entries?form=2026-11-01&limit=5')
  expect([listed.status, listed.headers.get(header)]).toEqual([200, '?form'])
  expect((await call('GET', '/api/balance?x=1')).headers.get(header)).toBe('?x')
  const refused = await call('POST', '/api/entries?a=1', json({ kind: 'work', started: work.started_at }))
  expect([refused.status, refused.headers.get(header)]).toEqual([422, '?a, /started'])
  expect((await call('GET', '/api/entries?limit=5')).headers.get(header)).toBeNull()
})

test('[D1.33] names are encoded, and neither many nor long ones make a long header', async () => {
  const { call } = await service.user()
  const odd = { 'ü,\r\n/~': 1, '\ud83d\ude42': 2 }
  const created = await call('POST', '/api/entries', json({ ...work, ...odd }))
  expect([created.status, created.headers.get(header)]).toEqual([201, '/%C3%BC%2C%0D%0A~1~0, /%F0%9F%99%82'])
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field_${index}`, index]))
  const named = (await call('POST', '/api/entries', json({ ...work, ...many }))).headers.get(header)
  expect(named?.split(', ')).toEqual(Array.from({ length: 20 }, (_, index) => `/field_${index}`))
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}${'€'.repeat(1_000)}`, index]))
  const short = (await call('POST', '/api/entries', json({ ...work, ...long }))).headers.get(header) ?? ''
  expect(short.length).toBeLessThanOrEqual(1_000)
  expect(decodeURIComponent(short)).toMatch(/^\/0€{99}/)
})
