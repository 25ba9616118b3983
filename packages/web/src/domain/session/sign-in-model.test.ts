import { OfflineError, RejectedError } from '@saldo/client'
import { problemOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { isSignInFailure, needsCodeAfter, signInFailureIn } from './sign-in-model.ts'

const rejectedBy = (code: 'second_factor_required' | 'invalid_credentials') =>
  new RejectedError(problemOf(code, 'Not like this.'))

test.each([
  ['a request for a code', rejectedBy('second_factor_required'), [true, true], [false, true]],
  ['a wrong password', rejectedBy('invalid_credentials'), [false, false], [true, true]],
  ['no network', new OfflineError(), [false, true], [true, true]],
])('after %s, the form has the field of the code or not, and says what failed', (_, error, needed, failed) => {
  expect([false, true].map((isCodeNeeded) => needsCodeAfter(error, isCodeNeeded))).toEqual(needed)
  expect([false, true].map((isCodeNeeded) => isSignInFailure(error, isCodeNeeded))).toEqual(failed)
})

test.each([
  ['#sign-in-failed=domain', 'domain'],
  ['#sign-in-failed=somebody%20wrote%20this', undefined],
  ['#sign-in-failed=', undefined],
  ['#setup=domain', undefined],
  ['', undefined],
])('[D20.13] the address %s has the reason %s', (hash, reason) => {
  expect(signInFailureIn(hash)).toBe(reason)
})
