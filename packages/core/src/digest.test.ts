import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { storableJson } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import { canonicalJson, DigestSum, type Digests } from './digest.ts'
import type { Json, JsonObject } from './json.ts'
import { type RecordKind, recordKinds } from './record-kinds.ts'

const { canonical, digests } = readFixture<{
  canonical: { name: string; value: Json; text: string; hash: string }[]
  digests: { name: string; records: JsonObject[]; count: number; digest: string }[]
}>('digests')

type Live = [kind: RecordKind, record: JsonObject]

function digestsOf(live: readonly Live[], before: Partial<Digests> = {}): Digests {
  const sum = new DigestSum(before)
  for (const [kind, record] of live) sum.add(kind, record)
  return sum.digests()
}

const record = fc.dictionary(fc.string({ unit: 'grapheme' }), storableJson, { maxKeys: 5 }) as fc.Arbitrary<JsonObject>
const live = fc.tuple(fc.constantFrom(...recordKinds), record)

/** The same, every object with its keys in the opposite order. */
function turnedAround(value: Json): Json {
  if (Array.isArray(value)) return value.map(turnedAround)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, turnedAround(item)])
      .reverse(),
  )
}

describe('canonicalJson', () => {
  test.each(canonical)('[D10.4] [D10.5] of $name, and its hash', ({ value, text, hash }) => {
    expect(canonicalJson(value)).toBe(text)
    expect(digestsOf([['entries', value as JsonObject]]).entries.digest).toBe(hash)
  })

  test('[D10.4] canonical JSON does not depend on the order of keys and parses back', () => {
    fc.assert(
      fc.property(storableJson, (value) => {
        expect(canonicalJson(turnedAround(value))).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('DigestSum', () => {
  test.each(digests)('[D10.3] of $name', ({ records, count, digest }) => {
    const sums = digestsOf(records.map((each): Live => ['entries', each]))
    expect(sums.entries).toEqual({ count, digest })
    const nothing = { count: 0, digest: '0000000000000000' }
    expect(recordKinds.filter((kind) => kind !== 'entries').map((kind) => sums[kind])).toEqual(Array(4).fill(nothing))
  })

  test('[D10.3] the sum does not depend on the order and continues from a stored one', () => {
    fc.assert(
      fc.property(fc.array(live), fc.array(live), (some, others) => {
        const all = digestsOf([...some, ...others])
        expect(digestsOf([...some, ...others].reverse())).toEqual(all)
        expect(digestsOf(others, digestsOf(some))).toEqual(all)
      }),
    )
  })

  test('[D10.3] adding and removing a record restores the digest', () => {
    fc.assert(
      fc.property(fc.array(live), live, (some, [kind, one]) => {
        const sum = new DigestSum(digestsOf(some))
        sum.add(kind, one)
        sum.remove(kind, one)
        expect(sum.digests()).toEqual(digestsOf(some))
      }),
    )
  })

  test('[D10.4] records that differ in anything have different digests, and so have kinds', () => {
    fc.assert(
      fc.property(live, live, (one, other) => {
        const isSame = one[0] === other[0] && canonicalJson(one[1]) === canonicalJson(other[1])
        expect(JSON.stringify(digestsOf([one])) === JSON.stringify(digestsOf([other]))).toBe(isSame)
      }),
    )
  })

  test('[D10.5] no two of many records that differ only in their version have half a hash in common by rule', () => {
    const halves = Array.from({ length: 5_000 }, (_, version) => digestsOf([['entries', { version }]]).entries.digest)
    // Of 5,000 numbers of 32 bits, 1 in 344 such lists has two that are the same.
    expect(new Set(halves.map((digest) => digest.slice(0, 8))).size).toBeGreaterThan(4_998)
    expect(new Set(halves.map((digest) => digest.slice(8))).size).toBeGreaterThan(4_998)
  })
})
