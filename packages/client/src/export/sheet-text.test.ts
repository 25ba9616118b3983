import { expect, test } from 'vitest'
import { deltaText, hoursText } from './sheet-text.ts'

test.each([
  [0, '0:00', '0:00'],
  [5, '0:05', '+0:05'],
  [60, '1:00', '+1:00'],
  [450, '7:30', '+7:30'],
  [-5, '−0:05', '−0:05'],
  [-6_061, '−101:01', '−101:01'],
])('%d minutes are %s, as a delta %s', (minutes, hours, delta) => {
  expect([hoursText(minutes), deltaText(minutes)]).toEqual([hours, delta])
})
