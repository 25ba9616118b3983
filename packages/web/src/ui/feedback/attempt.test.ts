import { OfflineError, RejectedError } from '@saldo/client'
import { problemOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { type Attempt, attemptWork } from './attempt.ts'
import type { OwnWords } from './failure.ts'

/** Attempts work of a form that shows `shown` already. */
async function attempted(work: Promise<unknown>, own: OwnWords = {}, shown: Attempt[] = []) {
  const isDone = await attemptWork(work, own, (attempt) => shown.push(attempt))
  return { isDone, shown }
}

test('a form is busy until its work is done, which succeeds', async () => {
  expect(await attempted(Promise.resolve())).toEqual({ isDone: true, shown: [{ isBusy: true }, { isBusy: false }] })
})

test('a form whose work fails says why in its own words, at the field that it is about, and is not busy', async () => {
  const taken = Promise.reject(new RejectedError(problemOf('conflict', 'Has an account.')))
  const failed = { key: 'signIn.taken', field: 'email', detail: 'Has an account.' }
  expect(await attempted(taken, { conflict: ['signIn.taken', 'email'] })).toEqual({
    isDone: false,
    shown: [{ isBusy: true }, { isBusy: false, failed }],
  })
})

test('the next attempt of a form forgets the failure of the one before as soon as it begins', async () => {
  const { shown } = await attempted(Promise.reject(new OfflineError()))
  await attempted(Promise.resolve(), {}, shown)
  expect(shown.map(({ failed }) => failed?.key)).toEqual([undefined, 'ui.failure.offline', undefined, undefined])
})
