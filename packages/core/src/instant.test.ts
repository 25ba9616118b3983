import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyJson, anyText } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import { epochMs, instantOf, isInstant, normalizeInstant } from './instant.ts'
import type { Instant } from './values.ts'

const vectors = readFixture<{ valid: { text: string; canonical: string }[]; invalid: string[] }>('instants')

const FIRST_MS = Date.UTC(2001, 0, 1) - 2000 * (146_097 / 400) * 86_400_000
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const instantMs = fc.oneof(
  fc.integer({ min: FIRST_MS, max: LAST_MS }),
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
  fc.integer({ min: -2_000, max: 2_000 }),
)

const two = (part: number) => String(part).padStart(2, '0')

/** A local time with an offset, as text, and the milliseconds that it means by plain arithmetic. */
const rfc3339 = fc
  .record({
    localMs: instantMs.map((ms) => Math.floor(ms / 1000) * 1000),
    decimals: fc.stringMatching(/^(\.[0-9]{1,12})?$/),
    offsetMinutes: fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 }),
    zulu: fc.constantFrom('Z', 'z', undefined, undefined),
    separator: fc.constantFrom('T', 't'),
  })
  .map(({ localMs, decimals, offsetMinutes, zulu, separator }) => {
    const size = Math.abs(offsetMinutes)
    const offset = zulu ?? `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
    const local = new Date(localMs).toISOString().slice(0, 19).replace('T', separator)
    const ms = localMs + Number(decimals.slice(1, 4).padEnd(3, '0')) - (zulu ? 0 : offsetMinutes * 60_000)
    return { text: local + decimals + offset, ms }
  })

describe('normalizeInstant', () => {
  test.each(vectors.valid)('[D1.5] $text is $canonical', ({ text, canonical }) => {
    expect(normalizeInstant(text)).toBe(canonical)
  })

  test.each(vectors.invalid)('[D1.4] %j is not an instant', (text) => {
    expect(normalizeInstant(text)).toBeUndefined()
  })

  test('[D1.5] any offset and number of decimals is normalised to UTC with three decimals', () => {
    fc.assert(
      fc.property(rfc3339, ({ text, ms }) => {
        const inYears = ms >= FIRST_MS && ms <= LAST_MS
        expect(normalizeInstant(text)).toBe(inYears ? new Date(ms).toISOString() : undefined)
      }),
      { numRuns: 3_000 },
    )
  })

  test('[D1.4] byte order of canonical instants is time order', () => {
    fc.assert(
      fc.property(rfc3339, rfc3339, (a, b) => {
        const [first, second] = [normalizeInstant(a.text), normalizeInstant(b.text)]
        if (first === undefined || second === undefined) return
        expect(Math.sign(Buffer.compare(Buffer.from(first), Buffer.from(second)))).toBe(Math.sign(a.ms - b.ms))
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D1.4] a calendar day is accepted exactly where the calendar has it', () => {
    const pad = (part: number, length: number) => String(part).padStart(length, '0')
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(13), fc.nat(32), fc.boolean(), (year, month, day, short) => {
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T12:00:00${short ? '' : '.000'}Z`
        const date = new Date(0)
        date.setUTCFullYear(year, month - 1, day)
        const exists = year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        expect(normalizeInstant(text) !== undefined).toBe(exists)
      }),
      { numRuns: 2_000 },
    )
  })

  test('[D1.4] no text makes it throw', () => {
    const digits = fc.stringMatching(
      /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?[Zz+-].{0,5}$/,
    )
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(30),
          digits,
          anyJson.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const canonical = normalizeInstant(text)
          if (canonical !== undefined) expect(instantOf(epochMs(canonical))).toBe(canonical)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('epochMs and instantOf', () => {
  test('[D1.4] instantOf and epochMs are inverse', () => {
    fc.assert(
      fc.property(instantMs, (ms) => {
        expect(epochMs(instantOf(ms))).toBe(ms)
        expect(normalizeInstant(instantOf(ms))).toBe(instantOf(ms))
      }),
    )
  })

  test('[D1.4] a text that is not an instant throws', () => {
    expect(() => epochMs('2026-11-21T25:00Z')).toThrow(RangeError)
    expect(() => epochMs('' as Instant)).toThrow(RangeError)
    expect(() => instantOf(Number.NaN)).toThrow(RangeError)
  })
})

test('[D1.4] an instant is canonical as a whole, and in a month that has its day', () => {
  const text = '2026-02-28T23:59:59.999Z'
  expect(isInstant(text)).toBe(true)
  const wrong = [`x${text}`, `${text}x`, ` ${text}`, `${text}\n`, `+00${text}`, text.replace('28', '29')]
  expect(wrong.filter(isInstant)).toEqual([])
  for (const other of [`x${text}`, `${text}x`, ` ${text}`, `${text}\n`]) {
    expect(normalizeInstant(other), JSON.stringify(other)).toBeUndefined()
    expect(normalizeInstant(other.replace('Z', '+00:00')), JSON.stringify(other)).toBeUndefined()
  }
})
