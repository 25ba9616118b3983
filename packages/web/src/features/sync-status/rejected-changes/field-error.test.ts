import { anAbsence, anAdjustment, aSettingsRow, aWork } from '@saldo/client/testing'
import { contentOf, type WritableKind } from '@saldo/core'
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

test('every field that the app edits has its own name', () => {
  const contents: [WritableKind, object][] = [
    ['entries', contentOf(aWork(0, 1))],
    ['entries', contentOf(anAbsence('sick', '2026-11-20'))],
    ['settings_history', contentOf(aSettingsRow())],
    ['balance_adjustments', contentOf(anAdjustment('2026-11-20', 1))],
  ]
  // Programs that import set these.
  const ofPrograms = ['source', 'import_ref']
  for (const [kind, content] of contents) {
    for (const field of Object.keys(content).filter((name) => !ofPrograms.includes(name))) {
      expect(fieldErrorText(kind, { pointer: `/record/${field}`, detail }), field).toBeDefined()
    }
  }
  expect(fieldErrorText('balance_adjustments', { pointer: '/record/reason', detail })).toEqual({
    key: 'sync.rejected.invalidField',
    field: 'sync.field.reason',
  })
})

test('leaves fields that the app does not know to the service', () => {
  expect(fieldErrorText('entries', { pointer: '/record/mood', detail })).toBeUndefined()
  expect(fieldErrorText('entries', { pointer: '', detail })).toBeUndefined()
})
