import { aWork } from '@saldo/client/testing'
import { expect, test } from 'vitest'
import { knownNames } from './known-names.ts'

test('known names are those of all entries, the most used first, and of equal ones the first seen', () => {
  const names: [string | null, string[]][] = [
    ['a', []],
    ['b', ['x']],
    [null, ['y', 'z']],
    ['c', ['y']],
    ['b', []],
  ]
  const entries = names.map(([project, tags], index) => aWork(index, index + 1, { project, tags }))
  expect(knownNames(entries)).toEqual({ projects: ['b', 'a', 'c'], tags: ['y', 'x', 'z'] })
})
