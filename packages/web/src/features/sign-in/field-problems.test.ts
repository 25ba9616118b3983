import { expect, test } from 'vitest'
import { fieldProblems } from './field-problems.ts'

test('each wrong field has its own text', () => {
  expect(fieldProblems({ email: 'ada', password: 'short' }, true)).toEqual({
    email: 'signIn.incompleteEmail',
    password: 'signIn.shortPassword',
  })
  expect(fieldProblems({ email: ' ada@example.com ', password: 'long enough' }, true)).toEqual({})
})

test('a new password has ten characters or more', () => {
  const problems = (password: string) => fieldProblems({ email: 'ada@example.com', password }, true)
  expect([problems('123456789'), problems('1234567890')]).toEqual([{ password: 'signIn.shortPassword' }, {}])
})

test.each(['', 'ada', 'ada@', 'ada@example', '@example.com', 'a b@example.com', 'ada@example.com x', 'a@b@c.de'])(
  'the e-mail address %j is incomplete',
  (email) => {
    expect(fieldProblems({ email, password: 'x' }, false)).toEqual({ email: 'signIn.incompleteEmail' })
  },
)

test('a known password may be short, but not empty', () => {
  expect(fieldProblems({ email: 'ada@example.com', password: 'short' }, false)).toEqual({})
  expect(fieldProblems({ email: 'ada@example.com', password: '' }, false)).toEqual({ password: 'signIn.noPassword' })
})
