import { OfflineError, RejectedError } from '@saldo/client'
import { problemOf } from '@saldo/core'
import { expect, test } from 'vitest'
import type { OwnWords } from './failure.ts'
import { type Attempt, attemptWork, oneAtATime } from './useAttempt.ts'

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

/** Runs work that the test ends, and tells when it is busy. */
function opened() {
  const busy: boolean[] = []
  const begun: PromiseWithResolvers<string>[] = []
  const run = oneAtATime((isBusy) => busy.push(isBusy))
  const press = () =>
    run(() => {
      begun.push(Promise.withResolvers<string>())
      return (begun.at(-1) as PromiseWithResolvers<string>).promise
    })
  return { busy, begun, press }
}

test('a second press does nothing while the work of the first runs', async () => {
  const { busy, begun, press } = opened()
  const presses = [press(), press()]
  expect([begun.length, busy]).toEqual([1, [true]])
  begun[0]?.resolve('done')
  expect([await Promise.all(presses), busy]).toEqual([
    ['done', undefined],
    [true, false],
  ])
})

test('after work that succeeded or failed, the next press works', async () => {
  const { busy, begun, press } = opened()
  const failing = press()
  begun[0]?.reject(new Error('no network'))
  await expect(failing).rejects.toThrow('no network')
  expect(busy).toEqual([true, false])
  for (const at of [1, 2]) {
    const next = press()
    begun[at]?.resolve('done')
    expect(await next).toBe('done')
  }
  expect(begun.length).toBe(3)
})
