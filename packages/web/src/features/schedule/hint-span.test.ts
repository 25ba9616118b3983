import { expect, test } from 'vitest'
import { isFilledSpan, spanOf } from './hint-span.ts'

test.each([
  ['', '', true],
  ['09:00', '', false],
  ['', '15:00', false],
  ['09:00', '09:00', false],
  ['15:00', '09:00', false],
  ['09:00', '15:00', true],
])('a span from «%s» to «%s» can be saved: %s', (from, to, isFilled) => {
  const span = spanOf({ from, to })
  expect(span).toEqual(from === '' && to === '' ? null : { from, to })
  expect(isFilledSpan(span)).toBe(isFilled)
})
