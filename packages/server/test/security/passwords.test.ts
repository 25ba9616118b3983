import { check } from '@saldo/core'
import { expect, test } from 'vitest'
import { isCommonPassword, NewPassword } from '../../src/users/credentials.ts'

const isTaken = async (password: string) => check(NewPassword, password).ok && !(await isCommonPassword(password))

test('[D8.6] common passwords are refused, in any case and with digits and signs around them', async () => {
  for (const common of [
    '1234567890',
    'qwertyuiop',
    'QWERTYUIOP',
    'basketball',
    'password123',
    'Password2026!',
    '!!dragon!!1987',
    'Saldo-2026-11',
    'Arbeitszeit1',
    'timetracker',
    'love1234567',
    '!2026-Blue-11',
  ]) {
    expect(await isTaken(common), common).toBe(false)
  }
})

test('[D8.6] any other password of 10 to 128 characters is accepted', async () => {
  for (const fine of [
    'correct horse battery',
    'my dragon eats saldo',
    '8402719365',
    'dog-84027193',
    '  spaces around it  ',
    'päßwört-über-öde',
    '密码密码密码密码密码',
    '🔑🔑🔑🔑🔑',
    'x'.repeat(64).replace('x', 'y'),
    'ü'.repeat(127).concat('!'),
  ]) {
    expect(await isTaken(fine), fine).toBe(true)
  }
  expect(await isTaken('ninechars')).toBe(false)
  expect(await isTaken('z'.repeat(129))).toBe(false)
})
