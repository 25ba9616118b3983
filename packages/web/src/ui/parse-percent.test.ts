import { expect, test } from 'vitest'
import { parsePercent } from './parse-percent.ts'

test.each([
  ['50', 0.5],
  ['50 %', 0.5],
  ['33,3%', 0.333],
  [' 100 % ', 1],
])('reads %s as a share', (text, share) => {
  expect(parsePercent(text)).toBeCloseTo(share)
})

test.each(['1.5h', '0', '101', '', '1:30', 'half', '-5'])('refuses %j', (text) => {
  expect(parsePercent(text)).toBeUndefined()
})
