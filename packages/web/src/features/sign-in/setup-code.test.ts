import { expect, test } from 'vitest'
import { setupCodeIn } from './setup-code.ts'

test('[D8.20] reads the set-up code after #setup=', () => {
  expect(setupCodeIn('#setup=aB-_9')).toBe('aB-_9')
  expect(setupCodeIn('#page')).toBeUndefined()
  expect(setupCodeIn('')).toBeUndefined()
})
