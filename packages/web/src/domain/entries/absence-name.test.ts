import { expect, test } from 'vitest'
import { ownNameOf } from './absence-name.ts'

test('a public holiday has its own name; the note of another absence is no name', () => {
  expect(ownNameOf({ kind: 'public_holiday', note: 'Epiphany' })).toBe('Epiphany')
  expect(ownNameOf({ kind: 'public_holiday', note: '' })).toBeUndefined()
  expect(ownNameOf({ kind: 'vacation', note: 'Sea' })).toBeUndefined()
})
