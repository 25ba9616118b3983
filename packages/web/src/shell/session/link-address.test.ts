import { expect, test } from 'vitest'
import { secretOfLink } from './link-address.ts'

test.each([
  ['/link', '#abc-_9', 'abc-_9'],
  ['/link', '#', undefined],
  ['/link', '', undefined],
  ['/', '#abc', undefined],
  ['/links', '#abc', undefined],
])('[D19.11] the address %s%s has the secret %s', (pathname, hash, secret) => {
  expect(secretOfLink({ pathname, hash })).toBe(secret)
})
