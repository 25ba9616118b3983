import { OfflineError, RejectedError } from '@saldo/client'
import { problemOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { isSignInFailure, needsCodeAfter } from './sign-in-step.ts'

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
