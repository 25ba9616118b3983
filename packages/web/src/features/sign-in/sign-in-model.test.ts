import { expect, test } from 'vitest'
import { fieldProblems, setupCodeIn } from './sign-in-model.ts'

test('each wrong field has its own text', () => {
  expect(fieldProblems({ name: ' ', email: 'ada', password: 'short' }, true)).toEqual({
    name: 'signIn.noName',
    email: 'signIn.incompleteEmail',
    password: 'signIn.shortPassword',
  })
  expect(fieldProblems({ name: 'Ada', email: ' ada@example.com ', password: 'long enough' }, true)).toEqual({})
})

test('a new password has ten characters or more', () => {
  const problems = (password: string) => fieldProblems({ name: 'Ada', email: 'ada@example.com', password }, true)
  expect([problems('123456789'), problems('1234567890')]).toEqual([{ password: 'signIn.shortPassword' }, {}])
})

test.each(['', 'ada', 'ada@', 'ada@example', '@example.com', 'a b@example.com', 'ada@example.com x', 'a@b@c.de'])(
  'the e-mail address %j is incomplete',
  (email) => {
    expect(fieldProblems({ name: '', email, password: 'x' }, false)).toEqual({ email: 'signIn.incompleteEmail' })
  },
)

test('a known password may be short, but not empty', () => {
  expect(fieldProblems({ name: 'Ada', email: 'ada@example.com', password: 'short' }, false)).toEqual({})
  expect(fieldProblems({ name: 'Ada', email: 'ada@example.com', password: '' }, false)).toEqual({
    password: 'signIn.noPassword',
  })
})

test('[D8.20] reads the set-up code after #setup=', () => {
  expect(setupCodeIn('#setup=aB-_9')).toBe('aB-_9')
  expect(setupCodeIn('#page')).toBeUndefined()
  expect(setupCodeIn('')).toBeUndefined()
})
