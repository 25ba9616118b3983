import { expect, test } from 'vitest'
import { isRightMoment } from './right-moment.ts'

test('the browser is asked to keep the data once something is nowhere else', () => {
  expect(isRightMoment({ pending: 1, online: false })).toBe(true)
  expect(isRightMoment({ pending: 1, online: true })).toBe(false)
  expect(isRightMoment({ pending: 0, online: false })).toBe(false)
})
