import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { systemRandom } from '../../src/system.ts'
import { newSecret, secretKeyOf } from '../../src/users/secret.ts'

const USER = 4_503_599_627_370_497 as UserNumber

test('[D8.47] a secret has the number of its user and is found by it', () => {
  for (const prefix of ['saldo_', 'feed_', '']) {
    const { secret, key } = newSecret(systemRandom, prefix, USER)
    expect(secret).toMatch(new RegExp(`^${prefix}4503599627370497_[\\w-]{43}$`))
    expect(key.user).toBe(USER)
    expect(secretKeyOf(prefix, secret)).toEqual(key)
    expect(key.hash).not.toContain(secret.slice(-43))
  }
})

test('[D8.47] two secrets of a user, and one text after two numbers, have different hashes', () => {
  const [one, other] = [newSecret(systemRandom, '', USER), newSecret(systemRandom, '', USER)]
  expect(one.key.hash).not.toBe(other.key.hash)
  const moved = secretKeyOf('', one.secret.replace(`${USER}`, '1'))
  expect(moved?.user).toBe(1)
  expect(moved?.hash).not.toBe(one.key.hash)
})

test('[D8.47] a text without a number of a user has no key, so that nobody looks for it', () => {
  const random = systemRandom.token(32)
  const wrong = ['', '_', '0_', '-1_', '+1_', ' 1_', '1.5_', '1e3_', '0x1_', '01_', '9007199254740992_', '٣_']
  for (const number of wrong) expect(secretKeyOf('saldo_', `saldo_${number}${random}`), number).toBeUndefined()
  for (const secret of ['', 'saldo_', '1_', `1_${random}`, `feed_1_${random}`, `saldo_1_${random}\n`, 'saldo_1_']) {
    expect(secretKeyOf('saldo_', secret), secret).toBeUndefined()
  }
})
