import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  check,
  DateText,
  InstantText,
  SignedMs,
  textBetween,
  textUpTo,
  Uuid,
  WeekText,
  wholeNumber,
  Zone,
} from './validation.ts'

describe('check', () => {
  const Shelf = v.object({ 'a/b~c': v.array(v.object({ '': v.boolean() }, 'must be a box'), 'must be a shelf') })

  test('[D1.15] an error points into the input by RFC 6901, below the given pointer', () => {
    const input = { 'a/b~c': [{ '': true }, { '': 1 }, null, {}] }
    const pointers = (at?: string) => {
      const checked = check(Shelf, input, at)
      return checked.ok ? [] : checked.errors.map(({ pointer }) => pointer)
    }
    expect(pointers()).toStrictEqual(['/a~1b~0c/1/', '/a~1b~0c/2', '/a~1b~0c/3/'])
    expect(pointers('/record')).toStrictEqual(pointers().map((pointer) => `/record${pointer}`))
  })

  test('[D1.15] errors say what is expected, where the schema has no message', () => {
    const Plain = v.object({ a: v.object({}), b: v.boolean(), c: v.string(), d: v.picklist(['x', 'y']) })
    expect(check(Plain, { a: 5, b: 'true', d: 'z' })).toStrictEqual({
      ok: false,
      errors: [
        { pointer: '/a', detail: 'must be an object' },
        { pointer: '/b', detail: 'must be boolean' },
        { pointer: '/c', detail: 'is missing' },
        { pointer: '/d', detail: 'must be ("x" | "y")' },
      ],
    })
    expect(check(Shelf, null)).toStrictEqual({ ok: false, errors: [{ pointer: '', detail: 'must be an object' }] })
  })

  test('[D1.15] at most 20 errors are reported', () => {
    const boxes = (count: number) => check(Shelf, { 'a/b~c': Array.from({ length: count }, () => 0) })
    for (const [count, told] of [
      [20, 20],
      [21, 20],
      [500, 20],
    ] as const) {
      const checked = boxes(count)
      expect(checked.ok ? 0 : checked.errors.length).toBe(told)
    }
  })

  test('[D1.15] [D1.37] checking ends at the first error of large input', () => {
    let steps = 0
    const isRight = () => {
      steps += 1
      return false
    }
    const Counted = v.array(v.pipe(v.unknown(), v.check(isRight, 'must be right')))
    const checked = check(Counted, Array(49_000).fill('a'))
    expect(checked).toStrictEqual({ ok: false, errors: [{ pointer: '/0', detail: 'must be right' }] })
    expect(steps).toBe(1)
    expect(check(v.array(v.string()), Array(49_000).fill('a')).ok).toBe(true)
  })
})

describe('values', () => {
  const accepts = (schema: v.GenericSchema, input: unknown) => check(schema, input).ok

  test('[D1.9] an id is a UUID in lower case', () => {
    const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
    expect(accepts(Uuid, uuid)).toBe(true)
    for (const other of [
      uuid.toUpperCase(),
      `{${uuid}}`,
      `${uuid} `,
      ` ${uuid}`,
      `${uuid}\n`,
      uuid.replaceAll('-', ''),
      '',
      7,
      null,
    ]) {
      expect(accepts(Uuid, other), String(other)).toBe(false)
    }
  })

  test('[D1.8] milliseconds are whole numbers of at most 2^53 − 1', () => {
    for (const ms of [0, 1, -1, 2 ** 53 - 1, -(2 ** 53 - 1)]) expect(accepts(SignedMs, ms), String(ms)).toBe(true)
    for (const ms of [0.5, 2 ** 53, -(2 ** 53), Number.NaN, Number.POSITIVE_INFINITY, '1', null, true, 1n]) {
      expect(accepts(SignedMs, ms), String(ms)).toBe(false)
    }
  })

  test('[D1.8] a whole number lies within its bounds, both included', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -20, max: 20 }),
        fc.nat(20),
        fc.integer({ min: -50, max: 50 }),
        (min, size, half) => {
          const number = half / 2
          const fits = Number.isInteger(number) && number >= min && number <= min + size
          expect(accepts(wholeNumber(min, min + size), number)).toBe(fits)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('[D1.11] the length of text is counted in characters, not in UTF-16 units', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '€', '😀'), maxLength: 12 })
    fc.assert(
      fc.property(text, fc.nat(10), (input, max) => {
        const { length } = Array.from(input)
        expect(accepts(textUpTo(max), input)).toBe(length <= max)
        expect(accepts(textBetween(1, max), input)).toBe(length >= 1 && length <= max)
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D1.5] instants are read into canonical form, all else stays as it is', () => {
    expect(check(InstantText, '2026-11-21T09:30:00+01:00')).toStrictEqual({
      ok: true,
      value: '2026-11-21T08:30:00.000Z',
    })
    for (const [schema, text] of [
      [DateText, '2026-11-21'],
      [WeekText, '2026-W47'],
      [Zone, 'Europe/Berlin'],
    ] as const) {
      expect(check(schema, text)).toStrictEqual({ ok: true, value: text })
    }
  })

  test('[D1.15] a value that is not text is not an instant, date, week or zone', () => {
    for (const schema of [InstantText, DateText, WeekText, Zone, textUpTo(5)]) {
      for (const input of [null, 20261121, ['2026-11-21'], { toString: '2026-11-21' }, true, undefined]) {
        expect(accepts(schema, input)).toBe(false)
      }
    }
  })
})
