import { expect, test } from 'vitest'
import { signOutOf } from './sign-out.ts'

test.each<[string, Parameters<typeof signOutOf>[0], object, stays: boolean, forgets: boolean]>([
  ['nothing', { unsent: 0, rejected: 0 }, { pendingCount: 0, ownCount: 0 }, false, false],
  ['unsent changes', { unsent: 2, rejected: 0 }, { pendingCount: 2, ownCount: 2 }, true, true],
  ['rejected changes', { unsent: 0, rejected: 1 }, { pendingCount: 0, ownCount: 1 }, false, true],
  ['both', { unsent: 2, rejected: 1 }, { pendingCount: 2, ownCount: 3 }, true, true],
  ['changes that nobody can count', { unsent: null, rejected: null }, { isUnknown: true }, true, true],
  ['a status that is not read yet', undefined, { isUnknown: false, ownCount: 0 }, false, false],
])('signing out of a device with %s', (_, status, counts, stays, forgets) => {
  const signOut = signOutOf(status)
  expect(signOut).toMatchObject(counts)
  expect([signOut.needsForce(false), signOut.needsForce(true)]).toEqual([stays, forgets])
})
