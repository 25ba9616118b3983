import { expect, test } from 'vitest'
import { systemRandom } from '../../src/system/random.ts'

test('tokens have as many bytes as are asked for, also more than are drawn at once, and none comes twice', () => {
  for (const bytes of [1, 8, 4_095, 4_096, 4_097, 10_000]) {
    expect(Buffer.from(systemRandom.token(bytes), 'base64url')).toHaveLength(bytes)
  }
  // Several times what is drawn at once, in pieces that do not divide it.
  const tokens = Array.from({ length: 3_000 }, (_, index) => systemRandom.token(9 + (index % 5)))
  expect(new Set(tokens.map((token) => token.slice(0, 8))).size).toBe(tokens.length)
  expect(new Set(tokens.map((token) => token.slice(-8))).size).toBe(tokens.length)
})
