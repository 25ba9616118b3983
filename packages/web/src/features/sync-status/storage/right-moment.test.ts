import { expect, test } from 'vitest'
import { isRightMoment } from './right-moment.ts'

test('the browser is asked to keep the data once something is nowhere else', () => {
  expect(isRightMoment({ unsent: 1, online: false })).toBe(true)
  expect(isRightMoment({ unsent: 1, online: true })).toBe(false)
  expect(isRightMoment({ unsent: 0, online: false })).toBe(false)
})
