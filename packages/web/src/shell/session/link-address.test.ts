import { expect, test } from 'vitest'
import { linkIn } from './link-address.ts'

test.each([
  ['/link', '#abc-_9', { purpose: 'password', secret: 'abc-_9' }],
  ['/confirm-email', '#abc', { purpose: 'email', secret: 'abc' }],
  ['/link', '#', undefined],
  ['/link', '', undefined],
  ['/', '#abc', undefined],
  ['/links', '#abc', undefined],
])('[D19.11] the address %s%s has the link %o', (pathname, hash, link) => {
  expect(linkIn({ pathname, hash })).toEqual(link)
})
