import { expect, test } from 'vitest'
import { timerKeys } from './timer-keys.ts'

test('a break ends with the key that began it, and the other key ends the day', () => {
  expect(timerKeys('working')).toEqual({ main: 'S', other: 'B' })
  expect(timerKeys('break')).toEqual({ main: 'B', other: 'S' })
})
