import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { parseHours, within } from './parse-hours.ts'

test.each([
  ['8', 8],
  ['7,7', 7.7],
  ['7:42', 7.7],
  ['-3:30', -3.5],
  ['−3:30', -3.5],
  ['+8', 8],
  [' 8.5 ', 8.5],
  ['90m', 1.5],
  ['', undefined],
  ['x', undefined],
])('«%s»', (text, hours) => {
  expect(parseHours(text)).toBe(hours === undefined ? undefined : Math.round(hours * HOUR_MS))
})

test('a field takes durations from the least to the most, both included', () => {
  expect([-6, -5, 0, 5, 6, undefined].map((ms) => within(ms, -5, 5))).toEqual([
    undefined,
    -5,
    0,
    5,
    undefined,
    undefined,
  ])
})
