import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyJson, anyText, storableJson } from '../test/arbitraries.ts'
import { runsOf } from '../test/tier.ts'
import { appendMember, escapePointer, findUnstorable, isJsonObject, type Json, jsonEqual, utf8Length } from './json.ts'

/** JSON with sorted keys: two values are equal exactly where this text is. */
function sortedText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${sortedText(item)}`)
  return `{${fields.sort().join()}}`
}

/** The same value with the keys of every object in another order. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  )
}

const bad: Record<string, Json> = {
  'a lone high surrogate': 'a\ud83d',
  'a lone low surrogate': '\udc00z',
  'surrogates the wrong way round': '\ude00\ud83d',
  'a NUL': 'a\0b',
  '2^53': 2 ** 53,
  '−2^53': -(2 ** 53),
  'a huge number': 1e300,
  infinity: Number.POSITIVE_INFINITY,
}

const badKeys = ['back\\slash', '__proto__', 'constructor', 'prototype', '\ud800', 'a\0']

/** A JSON tree with a hole in it: `plant` puts a value there, `pointer` tells where it is. */
interface Plantation {
  plant: (value: Json) => Json
  pointer: string
  depth: number
}

const plantation: fc.Arbitrary<Plantation> = fc
  .array(
    fc.oneof(
      fc.record({ items: fc.array(storableJson, { maxLength: 3 }), at: fc.nat(3) }),
      fc.record({
        fields: fc.dictionary(fc.constantFrom('a', 'b~', 'c/d', ''), storableJson),
        key: fc.constantFrom('k', '~1', 'x/y~z', '0'),
      }),
    ),
    { maxLength: 5 },
  )
  .map((steps) =>
    steps.reduceRight<Plantation>(
      (inner, step) => {
        if ('items' in step) {
          const at = Math.min(step.at, step.items.length)
          return {
            plant: (value) => step.items.toSpliced(at, 0, inner.plant(value)),
            pointer: `/${at}${inner.pointer}`,
            depth: inner.depth + 1,
          }
        }
        const token = step.key.replaceAll('~', '~0').replaceAll('/', '~1')
        return {
          plant: (value) => ({ ...step.fields, [step.key]: inner.plant(value) }),
          pointer: `/${token}${inner.pointer}`,
          depth: inner.depth + 1,
        }
      },
      { plant: (value) => value, pointer: '', depth: 0 },
    ),
  )

describe('jsonEqual', () => {
  test('[D6.11] agrees with a comparison of sorted text', () => {
    const pair = storableJson.chain((a) =>
      fc.tuple(
        fc.constant(a),
        fc.oneof(
          fc.constant(turned(a)),
          storableJson,
          plantation.map(({ plant }) => plant(a)),
        ),
      ),
    )
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(jsonEqual(a, b)).toBe(sortedText(a) === sortedText(b))
        expect(jsonEqual(b, a)).toBe(jsonEqual(a, b))
      }),
      { numRuns: runsOf(400, 2_000) },
    )
  })

  test.each<[string, Json | undefined, Json | undefined]>([
    ['an empty object and an empty list', {}, []],
    ['an empty object and null', {}, null],
    ['a list and an object like it', ['a'], { 0: 'a' }],
    ['a field that is null and one that is not there', { a: null }, {}],
    ['fields of another name', { a: null }, { b: null }],
    ['a name that every object has', { toString: null }, { a: null }],
    ['an empty list and an object of length 0', [], { length: 0 }],
    ['a number and its text', 1, '1'],
    ['0 and false', 0, false],
    ['null and nothing', null, undefined],
    ['a longer list', [1], [1, 1]],
    ['a list in another order', [1, 2], [2, 1]],
    ['a field more', { a: 1 }, { a: 1, b: 1 }],
    ['something deep', { a: [{ b: { c: 1 } }] }, { a: [{ b: { c: 2 } }] }],
    ['composed and decomposed text', 'ä', 'a\u0308'],
  ])('[D6.11] %s are not equal', (_, a, b) => {
    expect(jsonEqual(a, b)).toBe(false)
    expect(jsonEqual(b, a)).toBe(false)
  })

  test('[D6.11] undefined equals undefined, and −0 equals 0', () => {
    expect(jsonEqual(undefined, undefined)).toBe(true)
    expect(jsonEqual([-0], [0])).toBe(true)
  })

  test('[D6.11] a field __proto__ is a field like any other', () => {
    const parse = (text: string) => JSON.parse(text) as Json
    expect(jsonEqual(parse('{"__proto__":{"a":1}}'), parse('{"__proto__":{"a":1}}'))).toBe(true)
    expect(jsonEqual(parse('{"__proto__":{"a":1}}'), parse('{"__proto__":{"a":2}}'))).toBe(false)
    expect(jsonEqual(parse('{"__proto__":{}}'), parse('{"a":{}}'))).toBe(false)
  })
})

describe('findUnstorable', () => {
  test('[D1.12] a storable value has no finding', () => {
    fc.assert(
      fc.property(storableJson, (value) => {
        expect(findUnstorable(value)).toBeUndefined()
        expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  test.each(Object.entries(bad))('[D1.11] [D1.12] [D1.15] %s is found anywhere, with its exact pointer', (_, value) => {
    fc.assert(
      fc.property(plantation, ({ plant, pointer }) => {
        expect(findUnstorable(plant(value))).toStrictEqual({ pointer, detail: expect.any(String) })
      }),
    )
  })

  test.each(badKeys.map((key) => [JSON.stringify(key), key]))(
    '[D1.13] the key %s is found, with the pointer of its object',
    (_, key) => {
      const value = JSON.parse(`{"a":1,${JSON.stringify(key)}:"x"}`) as Json
      fc.assert(
        fc.property(plantation, ({ plant, pointer }) => {
          expect(findUnstorable(plant(value))).toStrictEqual({ pointer, detail: expect.any(String) })
        }),
      )
    },
  )

  test('[D1.14] nesting deeper than 32 levels is found, and only that', () => {
    fc.assert(
      fc.property(plantation, fc.array(fc.boolean(), { minLength: 26, maxLength: 40 }), (place, kinds) => {
        const nested = kinds.reduceRight<Json>((inner, isList) => (isList ? [inner] : { k: inner }), 'leaf')
        const levels = place.depth + kinds.length
        const found = findUnstorable(place.plant(nested))
        if (levels <= 32) {
          expect(found).toBeUndefined()
          return
        }
        const tail = kinds.slice(0, 32 - place.depth).map((isList) => (isList ? '/0' : '/k'))
        expect(found?.pointer).toBe(place.pointer + tail.join(''))
      }),
      { numRuns: 300 },
    )
  })

  test('[D1.14] depth without end does not overflow the stack', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as Json
    expect(findUnstorable(deep)?.pointer).toBe('/0'.repeat(32))
  })

  test('[D1.12] the greatest and smallest numbers that are exact can be kept', () => {
    for (const number of [2 ** 53 - 1, -(2 ** 53 - 1), 0, -0, 0.1, 5e-324, -1.5]) {
      expect(findUnstorable(number), String(number)).toBeUndefined()
    }
  })

  test('[D1.19] never throws on what JSON.parse brings', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const found = findUnstorable(value as Json)
        if (found) expect(found.detail).not.toBe('')
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('utf8Length', () => {
  test('[D1.3] is the number of bytes that an encoder writes, lone surrogates included', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
    )
    const illFormed = fc.array(unit, { maxLength: 30 }).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(fc.oneof(illFormed, anyText(30)), (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'))
      }),
      { numRuns: runsOf(1_000, 5_000) },
    )
  })
})

describe('escapePointer', () => {
  test('[D1.15] a token read back by RFC 6901 is the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') }), (key) => {
        const token = escapePointer(key)
        expect(token).not.toContain('/')
        expect(token.replaceAll('~1', '/').replaceAll('~0', '~')).toBe(key)
      }),
    )
  })
})

describe('isJsonObject', () => {
  test('[D1.1] an object is neither null nor a list', () => {
    expect([{}, { a: 1 }].map(isJsonObject)).toStrictEqual([true, true])
    expect([null, [], 'a', 1, true, undefined].some(isJsonObject)).toBe(false)
  })
})

test('a member is appended to the text of any object', () => {
  const object = fc.dictionary(
    anyText(20).filter((name) => name !== '__proto__'),
    anyJson,
  )
  fc.assert(
    fc.property(object, anyJson, (members, value) => {
      const { added: _, ...others } = members
      const text = appendMember(JSON.stringify(others), 'added', JSON.stringify(value))
      expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify({ ...others, added: value })))
    }),
  )
})
