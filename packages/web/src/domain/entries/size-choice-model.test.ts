import { HOUR_MS, MINUTE_MS, sizeOfAmount, sizeOfShare } from '@saldo/core'
import { expect, test } from 'vitest'
import { choiceOfSize, firstSizes, readAmount, sizeChoices } from './size-choice-model.ts'

test('a size is shown as a whole day, half of one, hours or another share', () => {
  expect([1, 0.5, 0.75].map((share) => choiceOfSize(sizeOfShare(share)))).toEqual(['whole', 'half', 'share'])
  expect(choiceOfSize(sizeOfAmount(2 * HOUR_MS))).toBe('hours')
})

test('each choice begins with a size of its own', () => {
  expect(sizeChoices.map((choice) => choiceOfSize(firstSizes[choice]))).toEqual([...sizeChoices])
  expect([firstSizes.hours, firstSizes.share]).toEqual([sizeOfAmount(HOUR_MS), sizeOfShare(0.25)])
})

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
  expect(readAmount(text, 'hours')).toEqual({ kind: 'certain', value: minutes(count) })
})

test.each(['', '-', '9-', '9-25', 'bis 10', 'soon', '9:00-10:30-11:00'])('%s is no amount of time', (text) => {
  expect(readAmount(text, 'hours')).toEqual({ kind: 'nothing' })
})
