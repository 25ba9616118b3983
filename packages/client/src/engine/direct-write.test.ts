import { type JsonObject, problemOf } from '@saldo/core'
import { describe, expect, test } from 'vitest'
import type { ServiceResponse } from '../host/transport.ts'
import type { QueuedChange } from '../store/rows.ts'
import { directRequest, readDirectResponse } from './direct-write.ts'

const id = '00000000-0000-4000-8000-000000000001'
const updatedAt = '2026-11-21T08:00:00.000Z'
const change: QueuedChange = { kind: 'entries', id, content: { note: 'a' }, updatedAt, seq: 7 }
const deletion: QueuedChange = { ...change, content: null }

test('[D6.16] [R5.1] a direct write names its time, its device and its number', () => {
  const { method, path, body } = directRequest(change, 'device 1')
  expect([method, body]).toEqual(['PUT', { note: 'a' }])
  const url = new URL(path, 'https://saldo.example')
  expect(url.pathname).toBe(`/api/entries/${id}`)
  expect(Object.fromEntries(url.searchParams)).toEqual({ updated_at: updatedAt, device: 'device 1', seq: '7' })
  expect(directRequest(deletion, 'x')).toMatchObject({ method: 'DELETE' })
  expect(directRequest(deletion, 'x').body).toBeUndefined()
})

test('[D9.1] a direct write goes to the path of its kind', () => {
  const kinds = ['entries', 'settings_history', 'balance_adjustments'] as const
  expect(kinds.map((kind) => directRequest({ ...change, kind }, 'x').path.split('?')[0])).toEqual([
    `/api/entries/${id}`,
    `/api/settings/${id}`,
    `/api/balance/adjustments/${id}`,
  ])
})

describe('the response to a direct write', () => {
  const answered = (status: number, body?: JsonObject, headers = {}): ServiceResponse => ({
    outcome: 'ok',
    status,
    body,
    headers: new Headers(headers),
  })
  const stored = { id, version: 9, updated_at: updatedAt, note: 'b' }
  const tombstone = { 'saldo-version': '9', 'saldo-updated-at': updatedAt }
  const problem = problemOf('conflict', 'No.')
  const rejected = (status: number, headers = {}): ServiceResponse => ({
    outcome: 'rejected',
    status,
    problem,
    headers: new Headers(headers),
  })
  const current = { kind: 'entries', id, version: 9, updatedAt, unconfirmed: true }

  test('[D6.16] has the record that is stored now, or its tombstone', () => {
    expect(readDirectResponse(change, answered(200, stored))).toEqual({
      outcome: 'perhapsSuperseded',
      current: { ...current, record: stored, isUnreadable: true },
    })
    const deleted = { outcome: 'perhapsSuperseded', current: { ...current, record: null } }
    expect(readDirectResponse(deletion, answered(204, undefined, tombstone))).toEqual(deleted)
    expect(readDirectResponse(deletion, answered(200, stored))).toMatchObject({ current: { record: stored } })
    expect(readDirectResponse(change, rejected(404, tombstone))).toEqual(deleted)
  })

  test('[D7.10] is a refusal with its problem', () => {
    expect(readDirectResponse(change, rejected(409))).toEqual({ outcome: 'rejected', problem })
  })

  test.each<[string, QueuedChange, ServiceResponse]>([
    ['nothing came', change, { outcome: 'retryable', retryAfterMs: 0 }],
    ['a sign-in is needed', change, { outcome: 'unauthenticated' }],
    ['the record is another one', change, answered(200, { ...stored, id: '00000000-0000-4000-8000-000000000002' })],
    ['the body is no record', change, answered(200, { id })],
    ['an upsert is answered without a record', change, answered(204, undefined, tombstone)],
    [
      'a deletion is answered without its version',
      deletion,
      answered(204, undefined, { 'saldo-updated-at': updatedAt }),
    ],
    ['a deletion is answered without its time', deletion, answered(204, undefined, { 'saldo-version': '9' })],
  ])('[D7.7] settles nothing if %s', (_, sent, response) => {
    expect(readDirectResponse(sent, response)).toBeUndefined()
  })
})
