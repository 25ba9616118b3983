import { expect, test } from 'vitest'
import { shortListOf } from './short-list.ts'

test('four names are all shown, of more only three', () => {
  expect(shortListOf(['a'])).toEqual({ shown: ['a'], otherCount: 0 })
  expect(shortListOf(['a', 'b', 'c', 'd'])).toEqual({ shown: ['a', 'b', 'c', 'd'], otherCount: 0 })
  expect(shortListOf(['a', 'b', 'c', 'd', 'e'])).toEqual({ shown: ['a', 'b', 'c'], otherCount: 2 })
})
