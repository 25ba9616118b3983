import { expect, test } from 'vitest'
import { spanOf } from './span.ts'

test('a span has all ids between two ids, in either order', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(spanOf(ids, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(spanOf(ids, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(spanOf(ids, 'a', 'c')).toEqual(['a', 'b', 'c'])
  expect(spanOf(ids, 'b', 'b')).toEqual(['b'])
})

test('a span is one id if the other is not given or not in the list', () => {
  expect(spanOf(['a', 'b'], undefined, 'b')).toEqual(['b'])
  expect(spanOf(['a', 'b', 'c'], 'gone', 'b')).toEqual(['b'])
  expect(spanOf(['a', 'b'], 'b', 'gone')).toEqual(['gone'])
})
