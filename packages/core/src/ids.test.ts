import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closingId, derivedId, isUserNumber, isUuid, settingsIdOf } from './ids.ts'
import { check, Uuid } from './validation.ts'

/** A version 5 UUID by RFC 9562 §5.5. */
function uuid5(name: string): string {
  const namespace = Buffer.from('6f1d0f1c6a534d0e9a7c5a1d05a1d001', 'hex')
  const bytes = createHash('sha1').update(namespace).update(name, 'utf8').digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const user = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).filter(isUserNumber)

describe('derived ids', () => {
  test('[D2.25] a closing has the version 5 UUID of its user and its date or week', () => {
    fc.assert(
      fc.property(user, fc.constantFrom('2026-11-21', '2026-W47', '0001-01-01'), (userId, dateOrWeek) => {
        expect(closingId(userId, dateOrWeek)).toBe(uuid5(`${userId}/closing/${dateOrWeek}`))
        expect(check(Uuid, closingId(userId, dateOrWeek)).ok).toBe(true)
      }),
    )
  })

  test('[R2.2] settings that had an integer id have the version 5 UUID of user and integer', () => {
    fc.assert(
      fc.property(user, fc.maxSafeInteger(), (userId, integerId) => {
        expect(settingsIdOf(userId, integerId)).toBe(uuid5(`${userId}/settings/${integerId}`))
        expect(check(Uuid, settingsIdOf(userId, integerId)).ok).toBe(true)
      }),
    )
  })

  test('[D2.25] users, dates, weeks, closings and settings have different ids', () => {
    const ids = [1, 2, 11]
      .filter(isUserNumber)
      .flatMap((userId) => [
        ...(['2026-11-21', '2026-11-22', '2026-W47'] as const).map((dateOrWeek) => closingId(userId, dateOrWeek)),
        ...[1, 2, 11, 111].map((integerId) => settingsIdOf(userId, integerId)),
      ])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

test('[D6.19] a user number is a whole number above 0 that a double holds exactly', () => {
  expect([1, 7, Number.MAX_SAFE_INTEGER].every(isUserNumber)).toBe(true)
  expect([0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY].some(isUserNumber)).toBe(false)
})

test('[D1.9] an id is a whole UUID in lower case', () => {
  const id = '0b6e0f3a-7f43-4c52-8a55-6b0f0c1d2e3f'
  expect(isUuid(id)).toBe(true)
  const wrong = [`${id}0`, `0${id}`, ` ${id}`, `${id}\n`, id.toUpperCase(), id.replaceAll('-', ''), id.slice(1), '']
  expect(wrong.filter(isUuid)).toEqual([])
})

test('[D11.2] the ids of names differ by purpose and by name', () => {
  expect(derivedId('import', 'a')).toBe(uuid5('import/a'))
  expect(new Set([derivedId('import', 'a'), derivedId('import', 'b'), derivedId('holiday', 'a')]).size).toBe(3)
})
