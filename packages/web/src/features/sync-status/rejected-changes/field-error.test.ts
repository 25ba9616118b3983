import { expect, test } from 'vitest'
import { fieldErrorText } from './field-error.ts'

const detail = 'is not right'

test('names the field of an error inside a record and inside a push', () => {
  const text = { key: 'sync.rejected.invalidField', field: 'sync.field.tags' }
  expect(fieldErrorText('entries', { pointer: '/tags/3', detail })).toEqual(text)
  expect(fieldErrorText('entries', { pointer: '/record/tags/3', detail })).toEqual(text)
})

test('an adjustment beyond the limit of the account has its own message', () => {
  const beyond = { key: 'sync.rejected.beyondBalance' }
  expect(fieldErrorText('balance_adjustments', { pointer: '/record/delta_ms', detail })).toEqual(beyond)
  expect(fieldErrorText('balance_adjustments', { pointer: '/delta_ms', detail })).toEqual(beyond)
})

test('leaves fields that the app does not know to the service', () => {
  expect(fieldErrorText('entries', { pointer: '/record/mood', detail })).toBeUndefined()
  expect(fieldErrorText('entries', { pointer: '', detail })).toBeUndefined()
})
