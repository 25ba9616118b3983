import { expect, test } from 'vitest'
import { systemRandom } from './platform.ts'

test('a random token has only characters that a URL may have, six bits in each', () => {
  for (const bytes of [1, 2, 3, 16, 32]) {
    const tokens = Array.from({ length: 200 }, () => systemRandom.token(bytes))
    const length = Math.ceil((bytes * 8) / 6)
    for (const token of tokens) expect(token).toMatch(new RegExp(`^[\\w-]{${length}}$`))
  }
})

test('a random id is a UUID of version 4', () => {
  const ids = Array.from({ length: 200 }, () => systemRandom.uuid())
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(200)
})
