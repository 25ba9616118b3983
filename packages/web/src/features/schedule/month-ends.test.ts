import { expect, test } from 'vitest'
import { daysToChoose } from './month-ends.ts'

test('the days to choose are the ends of the months and what is chosen, each once and in order', () => {
  expect(daysToChoose([])).toHaveLength(12)
  expect(daysToChoose(['12-31', '02-15']).slice(0, 3)).toEqual(['01-31', '02-15', '02-29'])
  expect(daysToChoose(['12-31', '02-15']).slice(-2)).toEqual(['11-30', '12-31'])
})
