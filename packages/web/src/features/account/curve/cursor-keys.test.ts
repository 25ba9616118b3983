import { expect, test } from 'vitest'
import { indexByKey } from './cursor-keys.ts'

test.each([
  ['ArrowLeft', 49, 0],
  ['ArrowDown', 49, 0],
  ['ArrowRight', 51, 99],
  ['ArrowUp', 51, 99],
  ['PageUp', 20, 0],
  ['PageDown', 80, 99],
  ['Home', 0, 0],
  ['End', 99, 99],
  ['x', undefined, undefined],
])('%s moves the cursor of a curve, and no further than its ends', (key, from50, atEnd) => {
  expect(indexByKey(key, 50, 100)).toBe(from50)
  const isForward = ['ArrowRight', 'ArrowUp', 'PageDown', 'End'].includes(key)
  expect(indexByKey(key, isForward ? 99 : 0, 100)).toBe(atEnd)
})
