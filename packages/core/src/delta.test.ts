import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import { runsOf } from '../test/tier.ts'
import { composeDelta, type DeltaParts, decomposeDelta, formatDelta, parseDelta } from './delta.ts'

const vectors = readFixture<{
  parts: { ms: number; parts: DeltaParts }[]
  same_as: { ms: number; parts: DeltaParts }[]
  invalid_parts: { why: string; parts: DeltaParts }[]
  formatted: { ms: number; text: string }[]
  parsed: { text: string; ms: number }[]
  refused: { text: string; position: number }[]
}>('deltas')

const delta = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -200_000_000, max: 200_000_000 }),
  fc.integer({ min: -5_000, max: 5_000 }).map((minutes) => minutes * 60_000 + 0),
)

describe('composeDelta and decomposeDelta', () => {
  test.each(vectors.parts)('[R2.8] $ms ms in parts', ({ ms, parts }) => {
    expect(decomposeDelta(ms)).toStrictEqual(parts)
    expect(composeDelta(parts)).toBe(ms)
  })

  test.each(vectors.same_as)('[R2.8] −0 is 0', ({ ms, parts }) => {
    expect(composeDelta(parts)).toBe(ms)
  })

  test.each(vectors.invalid_parts)('[R2.8] parts out of range are an error: $why', ({ parts }) => {
    expect(() => composeDelta(parts)).toThrow(RangeError)
  })

  test('[R2.8] a value that is not whole milliseconds has no parts', () => {
    for (const ms of [0.5, 2 ** 53, -(2 ** 53), Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => decomposeDelta(ms), String(ms)).toThrow(RangeError)
    }
    expect(decomposeDelta(-0)).toStrictEqual(decomposeDelta(0))
  })

  test('[R2.8] composing the parts of a delta gives the delta', () => {
    const inverse = fc.property(delta, (deltaMs) => {
      expect(composeDelta(decomposeDelta(deltaMs))).toBe(deltaMs)
    })
    fc.assert(inverse, { numRuns: 2_000 })
  })

  test('[R2.8] the parts lie in their ranges and add up exactly', () => {
    fc.assert(
      fc.property(delta, (deltaMs) => {
        const { sign, hours, minutes, seconds, ms } = decomposeDelta(deltaMs)
        const size = ((BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)) * 1000n + BigInt(ms)
        expect(BigInt(sign) * size).toBe(BigInt(deltaMs))
        expect(minutes < 60 && seconds < 60 && ms < 1000).toBe(true)
        expect(Math.min(hours, minutes, seconds, ms)).toBeGreaterThanOrEqual(0)
        expect(sign).toBe(deltaMs < 0 ? -1 : 1)
      }),
    )
  })

  test('[R2.8] composing any parts gives their exact sum or an error', () => {
    const part = (limit: number) =>
      fc.oneof({ weight: 5, arbitrary: fc.nat(limit) }, fc.integer(), fc.double(), fc.constantFrom(-0, limit + 1))
    const parts = fc.record({
      sign: fc.constantFrom<1 | -1>(1, -1),
      hours: fc.oneof(part(30), fc.integer({ min: 2_501_999_790, max: 2_501_999_795 })),
      minutes: part(59),
      seconds: part(59),
      ms: part(999),
    })
    fc.assert(
      fc.property(parts, (given) => {
        const { sign, hours, minutes, seconds, ms } = given
        const inRange = [hours, minutes, seconds, ms].every((part) => Number.isInteger(part) && part >= 0)
        if (inRange && minutes < 60 && seconds < 60 && ms < 1000) {
          const size = BigInt(hours) * 3_600_000n + BigInt(minutes) * 60_000n + BigInt(seconds) * 1000n + BigInt(ms)
          if (size <= BigInt(Number.MAX_SAFE_INTEGER)) {
            expect(composeDelta(given)).toBe(Number(BigInt(sign) * size))
            return
          }
        }
        expect(() => composeDelta(given)).toThrow(RangeError)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('formatDelta', () => {
  test.each(vectors.formatted)('[R2.8] $ms ms are written $text', ({ ms, text }) => {
    expect(formatDelta(ms)).toBe(text)
  })

  test('[R2.8] −0 is written 0:00', () => {
    expect(formatDelta(-0)).toBe('0:00')
  })

  test('[R2.8] parsing what was written gives the delta', () => {
    const inverse = fc.property(delta, (deltaMs) => {
      expect(parseDelta(formatDelta(deltaMs))).toStrictEqual({ ok: true, deltaMs })
    })
    fc.assert(inverse, { numRuns: 2_000 })
  })
})

/** The language of `parseDelta`, told once more as one anchored expression. */
const LANGUAGE =
  /^\s*(?<sign>[+\-−]?)(?:(?<hours>\d+):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d)(?:[.,](?<ms>\d{1,3}))?)?|(?:(?<h>\d+(?:[.,]\d+)?)h *)?(?:(?<m>\d+(?:[.,]\d+)?)m *)?(?:(?<s>\d+(?:[.,]\d+)?)s *)?)\s*$/i

function groupsOf(text: string): Record<string, string | undefined> | undefined {
  const groups = LANGUAGE.exec(text)?.groups
  return groups && [groups.hours, groups.h, groups.m, groups.s].some((part) => part !== undefined) ? groups : undefined
}

/** Returns the exact milliseconds of a text; undefined if it is not in the grammar or too large. */
function meaning(text: string): number | undefined {
  const read = groupsOf(text)
  if (!read || text.length > 100) return undefined
  const units = [
    [read.hours ?? read.h, 3_600_000n],
    [read.minutes ?? read.m, 60_000n],
    [read.seconds === undefined ? read.s : `${read.seconds}.${read.ms ?? '0'}`, 1_000n],
  ] as const
  let size = 0n
  for (const [decimal = '0', unitMs] of units) {
    const [whole = '0', fraction = ''] = decimal.replace(',', '.').split('.')
    const scale = 10n ** BigInt(fraction.length)
    const numerator = BigInt(whole + fraction) * unitMs
    size += numerator / scale + ((numerator % scale) * 2n >= scale ? 1n : 0n)
  }
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return Number(read.sign === '-' || read.sign === '−' ? -size : size)
}

describe('parseDelta', () => {
  test.each(vectors.parsed)('[R2.8] "$text" is $ms ms', ({ text, ms }) => {
    expect(parseDelta(text)).toStrictEqual({ ok: true, deltaMs: ms })
  })

  test.each(vectors.refused)('[R2.8] "$text" is rejected at $position', ({ text, position }) => {
    expect(parseDelta(text)).toStrictEqual({ ok: false, position, expected: expect.any(String) })
  })

  const snippet = fc.constantFrom(
    ...['0', '1', '7', '30', '59', '60', '9007199254740991', ':', ':30', ':05', '.', ',', '.5', '.0015', '.25'],
    ...['h', 'm', 's', 'H', 'd', ' ', '  ', '\t', '\n', '-', '−', '+', '–', '1h', '30m', '15s', 'x', '\0', '😀', '١'],
  )
  const almost = fc.array(snippet, { maxLength: 8 }).map((parts) => parts.join(''))
  const decimal = fc.stringMatching(/^[0-9]{1,3}([.,][0-9]{1,9})?$/)
  const spoken = fc
    .tuple(
      fc.constantFrom('', '-', '−', '+'),
      fc.option(decimal),
      fc.option(decimal),
      fc.option(decimal),
      fc.constantFrom('', ' '),
    )
    .map(([sign, h, m, s, gap]) => sign + [h && `${h}h`, m && `${m}m`, s && `${s}s`].filter(Boolean).join(gap))
  const text = fc.oneof(
    { weight: 8, arbitrary: almost },
    { weight: 4, arbitrary: spoken },
    anyText(12),
    fc.string({ maxLength: 200 }),
  )

  test('[R2.8] exactly the texts of the grammar are read, with their exact values', () => {
    fc.assert(
      fc.property(text, (input) => {
        const parsed = parseDelta(input)
        expect(parsed.ok ? parsed.deltaMs : undefined, input).toBe(meaning(input))
      }),
      { numRuns: runsOf(4_000, 20_000) },
    )
  })

  test('[R2.8] a text of more than 100 characters is refused at the end of the first 100', () => {
    expect(parseDelta('1:30'.padStart(100))).toStrictEqual({ ok: true, deltaMs: 5_400_000 })
    expect(parseDelta('1:30'.padStart(101))).toMatchObject({ ok: false, position: 100 })
  })

  test('[R2.8] an error names a position in the text and what was expected', () => {
    fc.assert(
      fc.property(text, (input) => {
        const parsed = parseDelta(input)
        if (parsed.ok) return
        expect(parsed.position).toBeGreaterThanOrEqual(0)
        expect(parsed.position).toBeLessThanOrEqual(input.length)
        expect(parsed.expected).not.toBe('')
      }),
      { numRuns: runsOf(1_000, 5_000) },
    )
  })

  test('[R2.8] the text before the position of an error is the beginning of a delta', () => {
    const endings = ['', '0', '00', '0:00', '00:00', 'h', 'm', 's', '0h', '0m', '0s']
    fc.assert(
      fc.property(text, (input) => {
        const parsed = parseDelta(input)
        if (parsed.ok || input.length > 100) return
        const understood = input.slice(0, parsed.position)
        expect(endings.some((ending) => groupsOf(understood + ending))).toBe(true)
      }),
      { numRuns: runsOf(1_000, 5_000) },
    )
  })
})
