import { expect, test } from 'vitest'
import { fieldProblems } from './field-problems.ts'

test('each wrong field has its own text', () => {
  expect(fieldProblems({ email: 'ada', password: 'short' }, true)).toEqual({
    email: 'signIn.incompleteEmail',
    password: 'signIn.shortPassword',
  })
  expect(fieldProblems({ email: ' ada@example.com ', password: 'long enough' }, true)).toEqual({})
})

test('a known password may be short, but not empty', () => {
  expect(fieldProblems({ email: 'ada@example.com', password: 'short' }, false)).toEqual({})
  expect(fieldProblems({ email: 'ada@example.com', password: '' }, false)).toEqual({ password: 'signIn.noPassword' })
})
