import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { stateAfterAttempt } from '../../src/webhooks/retries.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const works = { failing_since: null, disabled: null }
const failingFor = (ms: number) => ({ failing_since: instantOf(NOW - ms), disabled: null })
const after = (result: string, attempts = 0, webhook: Parameters<typeof stateAfterAttempt>[1] = works, tookMs = 0) =>
  stateAfterAttempt({ type: 'week.closed', attempts }, webhook, { result, tookMs }, NOW)

test('[D22.9] every 2xx is a delivery, which ends a series of failures, and nothing else is', () => {
  const delivered = { state: 'delivered', dueMs: null, failingSince: null, disabled: null }
  for (const status of ['200', '202', '204', '299']) expect(after(status, 3, failingFor(DAY_MS))).toEqual(delivered)
  for (const result of ['199', '301', '304', '400', '429', '500', 'timeout', 'unreachable']) {
    expect(after(result), result).toMatchObject({ state: 'waiting', failingSince: instantOf(NOW), disabled: null })
  }
})

test('[D22.10] eight tries take some two days, after which the delivery has failed', () => {
  const waits = Array.from({ length: 8 }, (_, attempts) => {
    const { state, dueMs } = after('500', attempts)
    return state === 'failed' ? state : (dueMs ?? 0) - NOW
  })
  const minutes = [1, 5, 30].map((count) => count * MINUTE_MS)
  expect(waits).toEqual([...minutes, ...[2, 6, 14, 24].map((count) => count * HOUR_MS), 'failed'])
})

test('[D22.11] a 410 and a failure after five days without a delivery switch a webhook off', () => {
  expect(after('410')).toMatchObject({ state: 'failed', dueMs: null, disabled: 'gone' })
  expect(after('500', 0, failingFor(5 * DAY_MS - 1))).toMatchObject({ state: 'waiting', disabled: null })
  expect(after('500', 0, failingFor(5 * DAY_MS))).toMatchObject({ state: 'failed', disabled: 'failing' })
  // An attempt at another node that began before the webhook was switched off.
  expect(after('500', 0, { ...failingFor(0), disabled: 'gone' })).toMatchObject({ state: 'failed', disabled: 'gone' })
})

test('[D22.13] after a failed try, other deliveries of the webhook wait a minute', () => {
  expect(after('500').othersWaitUntilMs).toBe(NOW + MINUTE_MS)
  expect(after('500', 7).othersWaitUntilMs).toBe(NOW + MINUTE_MS)
  expect(after('204').othersWaitUntilMs).toBeUndefined()
})

test('[D22.15] a test is tried once, changes nothing if it fails, and switches the webhook on if it arrives', () => {
  const off = { ...failingFor(HOUR_MS), disabled: 'failing' as const }
  const ping = (result: string) => stateAfterAttempt({ type: 'ping', attempts: 0 }, off, { result, tookMs: 0 }, NOW)
  const { failing_since: failingSince, disabled } = off
  for (const result of ['500', '410']) {
    expect(ping(result)).toEqual({ state: 'failed', dueMs: null, failingSince, disabled })
  }
  expect(ping('200')).toEqual({ state: 'delivered', dueMs: null, failingSince: null, disabled: null })
})

test('[D22.13] after an answer that took more than two seconds, other deliveries of the webhook wait a minute', () => {
  expect(after('204', 0, works, 2_000).othersWaitUntilMs).toBeUndefined()
  expect(after('204', 0, works, 2_001)).toMatchObject({ state: 'delivered', othersWaitUntilMs: NOW + MINUTE_MS })
})
