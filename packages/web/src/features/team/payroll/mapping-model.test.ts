import { noMapping, type PayrollMapping } from '@saldo/core'
import { expect, test } from 'vitest'
import { choicesOf, formOfMapping, lacksWageType, mappingOfForm, unitsOf, withMoved } from './mapping-model.ts'

test('[D31.2] a mapping that nobody changes in the form stays the same', () => {
  const mapping: PayrollMapping = {
    ...noMapping,
    columns: ['wage_type', 'personnel_number', 'amount'],
    rules: [
      { sum: 'worked', wage_type: '100', unit: 'minutes' },
      ...(['target', 'credited', 'delta', 'adjustments', 'balance'] as const).map((sum) => ({
        ...{ sum, wage_type: null, unit: 'hours' as const },
      })),
      { sum: 'sick', wage_type: null, unit: 'hours' },
    ],
  }
  expect(mappingOfForm(formOfMapping(mapping))).toEqual(mapping)
})

test('[D31.3] a kind of absence is undecided until somebody decides, and no figure has days', () => {
  const { rules } = formOfMapping(noMapping)
  const choices = rules.map(({ sum, choice, unit }) => `${sum} ${choice} ${unit}`)
  expect(choices).toContain('worked leave_out hours')
  expect(choices).toContain('sick undecided days')
  expect([choicesOf('worked'), unitsOf('worked')]).toEqual([
    ['leave_out', 'send'],
    ['hours', 'minutes'],
  ])
  expect(rules.some(lacksWageType)).toBe(false)
  expect(lacksWageType({ sum: 'sick', choice: 'send', wageType: '=1', unit: 'days' })).toBe(true)
})

test('an item moves up and down', () => {
  expect([withMoved(['a', 'b', 'c'], 1, -1), withMoved(['a', 'b', 'c'], 1, 1)]).toEqual([
    ['b', 'a', 'c'],
    ['a', 'c', 'b'],
  ])
})
