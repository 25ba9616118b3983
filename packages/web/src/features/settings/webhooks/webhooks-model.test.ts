import { expect, test } from 'vitest'
import { hasUntried, outcomeOf } from './webhooks-model.ts'

const later = '2026-11-20T12:00:00.000Z'
const status = { key: 'status', status: '503' }

test.each<[string, Parameters<typeof outcomeOf>[0], object]>([
  ['arrived', { state: 'delivered', result: null, next_attempt_at: null }, { key: 'delivered' }],
  ['was not tried yet', { state: 'waiting', result: null, next_attempt_at: later }, { key: 'waiting' }],
  ['is tried again', { state: 'waiting', result: '503', next_attempt_at: later }, { key: 'again', problem: status }],
  ['is tried now', { state: 'waiting', result: '503', next_attempt_at: null }, { key: 'waiting', problem: status }],
  [
    'failed for good',
    { state: 'failed', result: 'timeout', next_attempt_at: null },
    { key: 'failed', problem: { key: 'timeout' } },
  ],
  ['was never sent', { state: 'failed', result: null, next_attempt_at: null }, { key: 'notSent' }],
])('a delivery that %s', (_, delivery, outcome) => {
  expect(outcomeOf(delivery)).toMatchObject(outcome)
})

test('there is more to see while a waiting delivery was not tried', () => {
  expect(hasUntried([{ state: 'waiting', attempts: 0 }])).toBe(true)
  expect(hasUntried([{ state: 'waiting', attempts: 1 }])).toBe(false)
  expect(hasUntried([{ state: 'failed', attempts: 0 }])).toBe(false)
})
