import { expect, test } from 'vitest'
import { choiceOf, chooseDay, dayChoices } from './holiday-days.ts'

const rule = { country: 'DE', state: 'BY', region: null, partial: { '12-31': 0.25 } }

test.each([
  ['usual', undefined],
  ['working', 0],
  ['half', 0.5],
  ['free', 1],
] as const)('a day that is chosen as %s has the share %s, and other days keep theirs', (choice, share) => {
  const chosen = chooseDay(chooseDay(rule, '12-24', 'free'), '12-24', choice)
  expect(chosen).toEqual({ ...rule, partial: { '12-31': 0.25, ...(share !== undefined && { '12-24': share }) } })
  expect(choiceOf(chosen, '12-24')).toBe(choice)
  expect(choiceOf(chosen, '12-31')).toBe('other')
})

test('each choice is offered once', () => {
  expect(dayChoices).toEqual([...new Set(dayChoices)])
})
