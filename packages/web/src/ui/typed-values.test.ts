import { expect, test } from 'vitest'
import { dateByKey, exceededLimit, typedOf } from './typed-values.ts'

test('[D32.1] a field takes one value, asks which of several is meant, and says why it refuses one', () => {
  const upToFive = (value: number) => (value > 5 ? `more than 5: ${value}` : undefined)
  expect(typedOf({ kind: 'certain', value: 3 }, upToFive)).toEqual({ kind: 'taken', value: 3 })
  expect(typedOf({ kind: 'doubtful', choices: [3, 4] }, upToFive)).toEqual({ kind: 'asked', choices: [3, 4] })
  expect(typedOf({ kind: 'doubtful', choices: [6, 4] }, upToFive)).toEqual({ kind: 'taken', value: 4 })
  expect(typedOf({ kind: 'doubtful', choices: [6, 7] }, upToFive)).toEqual({ kind: 'refused', why: 'more than 5: 6' })
  expect(typedOf<number>({ kind: 'nothing' }, upToFive)).toEqual({ kind: 'unread' })
})

test('a field takes values from the least to the most, both included', () => {
  const limits = [-6, -5, 0, 5, 6].map((value) => exceededLimit(value, { min: -5, max: 5 }))
  expect(limits).toEqual(['min', undefined, undefined, undefined, 'max'])
  expect(exceededLimit('2026-11-20', { min: '2026-11-21', max: undefined })).toBe('min')
  expect(exceededLimit('2026-11-20', { min: undefined, max: undefined })).toBeUndefined()
})

test('the arrow keys step a date by a day, up to a later one', () => {
  const dates = ['ArrowUp', 'ArrowDown', 'ArrowLeft'].map((key) => dateByKey(key, '2026-03-01'))
  expect(dates).toEqual(['2026-03-02', '2026-02-28', undefined])
})
