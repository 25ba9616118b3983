import { expect, test } from 'vitest'
import { signInFailureIn } from './sign-in-failure.ts'

test.each([
  ['#sign-in-failed=domain', 'domain'],
  ['#sign-in-failed=somebody%20wrote%20this', undefined],
  ['#sign-in-failed=', undefined],
  ['#setup=domain', undefined],
  ['', undefined],
])('[D20.13] the address %s has the reason %s', (hash, reason) => {
  expect(signInFailureIn(hash)).toBe(reason)
})
