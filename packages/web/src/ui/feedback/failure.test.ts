import { NotSignedInError, OfflineError, RejectedError, StoreError } from '@saldo/client'
import { problemOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { failureOf } from './failure.ts'
import { noticeMissingParts } from './missing-part.ts'

test('what the service refuses is told in the app’s words, and in those of the place where it has its own', () => {
  const taken = new RejectedError(problemOf('conflict', 'This e-mail address has an account already.'))
  expect(failureOf(taken).key).toBe('ui.problem.conflict')
  expect(failureOf(taken, { conflict: 'signIn.taken' }).key).toBe('signIn.taken')
})

test('a service that cannot do it now is told from one that cannot be reached', () => {
  expect(failureOf(new OfflineError()).key).toBe('ui.failure.offline')
  expect(failureOf(new OfflineError(problemOf('rate_limited', 'Too many requests.'))).key).toBe(
    'ui.problem.rate_limited',
  )
})

test('a service that has other problems than the app knows is told by its own words', () => {
  const later = { ...problemOf('conflict', 'Not on Sundays.'), code: 'later' as 'conflict' }
  expect(failureOf(new RejectedError(later))).toEqual({ key: 'ui.failure.refused', detail: 'Not on Sundays.' })
})

test('who is not let in is told so by the place that asked', () => {
  expect(failureOf(new NotSignedInError()).key).toBe('ui.failure.notSignedIn')
  expect(failureOf(new NotSignedInError(), { invalid_credentials: 'signIn.wrong' }).key).toBe('signIn.wrong')
})

test('trouble with the store is told by its kind, a defect by its message', () => {
  expect(failureOf(new StoreError('full')).key).toBe('ui.failure.store.full')
  expect(failureOf(new TypeError('x is undefined'))).toEqual({ key: 'ui.failure.other', detail: 'x is undefined' })
})

test('a part of the app that could not be loaded is no defect', () => {
  const window = new EventTarget()
  noticeMissingParts(window)
  const error = new TypeError('Failed to fetch dynamically imported module')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  expect(failureOf(error).key).toBe('ui.failure.part')
})
