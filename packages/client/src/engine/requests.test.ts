import type { JsonObject } from '@saldo/core'
import { expect, test } from 'vitest'
import type { QueuedChange } from '../store/rows.ts'
import type { LocalStore } from '../store/store.ts'
import { requestDigests, requestPullPage, requestPush } from './requests.ts'

const server_time = '2026-11-21T12:00:00.000Z'
const id = '00000000-0000-4000-8000-000000000001'
const change: QueuedChange = { kind: 'entries', id, content: { note: 'a' }, updatedAt: server_time, seq: 7 }
const applied = { status: 'applied', id, version: 9, updated_at: server_time }

/** Returns a context whose service answers every request with a body, and the requests that it got. */
function answering(body: JsonObject) {
  const requests: unknown[] = []
  const transport = async (request: unknown) => {
    requests.push(request)
    return { outcome: 'ok', status: 200, body, headers: new Headers() } as const
  }
  const livingTabs = async () => new Set<string>()
  return { requests, context: { store: {} as LocalStore, transport, now: () => Date.parse(server_time), livingTabs } }
}

test.each<[string, JsonObject]>([
  ['is nothing', {}],
  ['lacks a result', { server_time, results: [] }],
  ['has a result too many', { server_time, results: [applied, applied] }],
  ['has the result of another record', { server_time, results: [{ ...applied, id: id.replace(/1$/, '2') }] }],
  ['has a result of no known status', { server_time, results: [{ ...applied, status: 'maybe' }] }],
])('[D7.7] a response to a push that %s settles nothing', async (_, body) => {
  expect(await requestPush(answering(body).context, 'x', [change])).toMatchObject({ outcome: 'retryable' })
})

test('[D7.7] a response to a push with the result of one other record settles nothing at all', async () => {
  const results = [applied, { ...applied, id: id.replace(/1$/, '2') }]
  const pushed = await requestPush(answering({ server_time, results }).context, 'x', [change, change])
  expect(pushed).toMatchObject({ outcome: 'retryable' })
})

test('[D6.3] results that name no record belong to the change in their place', async () => {
  const results = [{ status: 'skipped' }, { status: 'rejected', problem: {} }]
  const pushed = await requestPush(answering({ server_time, results }).context, 'x', [change, change])
  expect(pushed).toMatchObject({ outcome: 'pushed', results })
})

test('[D5.4] a page that announces more has a later version than the one that it follows', async () => {
  const page = { version: 5, tag: 'a', has_more: true, server_time, changes: {}, deleted: {} }
  const requested = (since: number) => requestPullPage(answering(page).context, since)
  expect(await requested(5)).toMatchObject({ outcome: 'retryable' })
  expect(await requested(4)).toMatchObject({ outcome: 'page', page: { version: 5 }, offsetMs: 0 })
  const last = await requestPullPage(answering({ ...page, has_more: false }).context, 5)
  expect(last).toMatchObject({ outcome: 'page' })
})

test('[D10.1] digests that are none are no response', async () => {
  expect(await requestDigests(answering({ kinds: {} }).context.transport)).toMatchObject({ outcome: 'retryable' })
})

test('[D7.4] the clock offset is that of a response within 60 s, counted from the middle of the request', async () => {
  const startMs = Date.parse(server_time) - 10_000
  const offsetAfter = async (tookMs: number) => {
    const { context } = answering({ server_time, results: [applied] })
    const times = [startMs, startMs + tookMs]
    const outcome = await requestPush({ ...context, now: () => times.shift() ?? 0 }, 'device 1', [change])
    return 'offsetMs' in outcome ? outcome.offsetMs : undefined
  }
  expect(await offsetAfter(0)).toBe(10_000)
  expect(await offsetAfter(2_000)).toBe(9_000)
  expect(await offsetAfter(60_000)).toBe(-20_000)
  expect(await offsetAfter(60_001)).toBeUndefined()
  expect(await offsetAfter(-1)).toBeUndefined()
})
