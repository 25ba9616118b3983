import { expect, test } from 'vitest'
import { fieldErrorOf } from './field-error.ts'

const detail = 'is not right'

test('a fault is told by its field, wherever in the field and in whichever message it is', () => {
  const told = { key: 'sync.refused.fault', field: 'sync.fact.tags' }
  expect(fieldErrorOf('entries', { pointer: '/tags/3', detail })).toEqual(told)
  expect(fieldErrorOf('entries', { pointer: '/record/tags/3', detail })).toEqual(told)
})

test('an adjustment beyond what an account can hold has words of its own', () => {
  const beyond = { key: 'sync.refused.beyondBalance' }
  expect(fieldErrorOf('balance_adjustments', { pointer: '/record/delta_ms', detail })).toEqual(beyond)
  expect(fieldErrorOf('balance_adjustments', { pointer: '/delta_ms', detail })).toEqual(beyond)
})

test('what the app has no name for is left to the service', () => {
  expect(fieldErrorOf('entries', { pointer: '/record/mood', detail })).toBeUndefined()
  expect(fieldErrorOf('entries', { pointer: '', detail })).toBeUndefined()
})
