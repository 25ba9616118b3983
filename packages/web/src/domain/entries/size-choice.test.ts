import { sizeOfAmount, sizeOfShare } from '@saldo/client/entries'
import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { choiceOfSize, firstSizes, sizeChoices } from './size-choice.ts'

test('a size is shown as a whole day, half of one, hours or another share', () => {
  expect([1, 0.5, 0.75].map((share) => choiceOfSize(sizeOfShare(share)))).toEqual(['whole', 'half', 'share'])
  expect(choiceOfSize(sizeOfAmount(2 * HOUR_MS))).toBe('hours')
})

test('each choice begins with a size of its own', () => {
  expect(sizeChoices.map((choice) => choiceOfSize(firstSizes[choice]))).toEqual([...sizeChoices])
  expect([firstSizes.hours, firstSizes.share]).toEqual([sizeOfAmount(HOUR_MS), sizeOfShare(0.25)])
})
