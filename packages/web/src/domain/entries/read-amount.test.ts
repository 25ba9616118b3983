import { MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { readAmount } from './read-amount.ts'

const minutes = (count: number) => count * MINUTE_MS

test.each([
  ['1:30', 90],
  ['1.5', 90],
  ['1,5', 90],
  ['90m', 90],
  ['9:00-10:30', 90],
  ['9 – 10:30', 90],
  ['9 bis 10:30', 90],
  ['9:00 to 10:30', 90],
  ['22-6', 480],
  ['11pm-1am', 120],
])('%s is read as %i minutes', (text, count) => {
  expect(readAmount(text)).toBe(minutes(count))
})

test.each(['', '-', '9-', '9-25', 'bis 10', 'soon', '9:00-10:30-11:00'])('%s is no amount of time', (text) => {
  expect(readAmount(text)).toBeUndefined()
})
