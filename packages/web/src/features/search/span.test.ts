import { expect, test } from 'vitest'
import { spanOf } from './span.ts'

test('a span goes from one to another in either order', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(spanOf(ids, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(spanOf(ids, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(spanOf(ids, 'b', 'b')).toEqual(['b'])
})

test('where nothing was chosen before, or it is found no more, it is the one alone', () => {
  expect(spanOf(['a', 'b'], undefined, 'b')).toEqual(['b'])
  expect(spanOf(['a', 'b'], 'gone', 'b')).toEqual(['b'])
})
