import { expect, test } from 'vitest'
import { textOnceFailed, textOnceKept } from './typed-text.ts'

test('a stored text leaves the field, and comes back if it was rejected; what is typed meanwhile stays', () => {
  expect([textOnceKept('9-12', '9-12'), textOnceKept('13-17', '9-12'), textOnceKept('', '9-12')]).toEqual([
    '',
    '13-17',
    '',
  ])
  expect([textOnceFailed('', '9-12'), textOnceFailed('13-17', '9-12')]).toEqual(['9-12', '13-17'])
})
