import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { absenceSize } from '../test/arbitraries.ts'
import { type Absence, absenceParts, absencesBeyondDay, givesWayTo, shareOfDay, targetAndCredit } from './absence.ts'
import { absenceKinds } from './choices.ts'
import { DAY_MS, HOUR_MS } from './values.ts'

const BILLION = 1_000_000_000n

const absences: fc.Arbitrary<Absence[]> = fc.array(
  fc.tuple(fc.constantFrom(...absenceKinds), absenceSize).map(([kind, size]) => ({ kind, ...size })),
  { maxLength: 6 },
)
const planned = fc.oneof(fc.nat(DAY_MS), fc.nat(20), fc.constantFrom(0, 8 * HOUR_MS, 7.6 * HOUR_MS))

const ofShare = (day_share: number): Absence => ({ kind: 'vacation', day_share, amount_ms: null })
const ofHours = (hours: number): Absence => ({ kind: 'vacation', day_share: null, amount_ms: hours * HOUR_MS })

/** The part of an absence in billionths of a millisecond; a share has at most nine decimals, read off its digits. */
function partOf({ day_share, amount_ms }: Absence, t: number): bigint {
  if (amount_ms !== null) return BigInt(amount_ms < t ? amount_ms : t) * BILLION
  return BigInt(day_share.toFixed(9).replace('.', '')) * BigInt(t)
}

/** R and C of D3 times the planned time, in billionths of a millisecond: capped at 1 together, in the order there. */
function capped(all: readonly Absence[], t: number): { reducing: bigint; crediting: bigint } {
  let room = BILLION * BigInt(t)
  const take = (kind: string) => {
    let taken = 0n
    for (const absence of all) if (absence.kind === kind) taken += partOf(absence, t)
    if (taken > room) taken = room
    room -= taken
    return taken
  }
  const [holiday, sick, vacation, paid, unpaid] = [
    take('public_holiday'),
    take('sick'),
    take('vacation'),
    take('paid_other'),
    take('unpaid'),
  ]
  return { reducing: holiday + vacation + unpaid, crediting: sick + paid }
}

/** Rounds half up to 1 ms: the greatest n with n − ½ ≤ the part. */
function rounded(part: bigint): number {
  let n = part / BILLION
  while ((2n * (n + 1n) - 1n) * BILLION <= 2n * part) n += 1n
  return Number(n)
}

describe('absenceParts', () => {
  test('[D3.13] [D3.14] absences fill a day in the order public_holiday, sick, vacation, paid_other, unpaid', () => {
    fc.assert(
      fc.property(planned, absences, (t, all) => {
        expect(absenceParts(all, t)).toStrictEqual(capped(all, t))
      }),
      { numRuns: 2_000 },
    )
  })

  test('[D3.13] the parts add up to at most the planned time and are never negative', () => {
    const any = fc.array(
      fc
        .tuple(fc.constantFrom(...absenceKinds), fc.double({ min: 5e-324, max: 1, noNaN: true }))
        .map(([kind, day_share]): Absence => ({ kind, day_share, amount_ms: null })),
    )
    fc.assert(
      fc.property(planned, any, absences, (t, some, others) => {
        const { reducing, crediting } = absenceParts([...some, ...others], t)
        expect(reducing >= 0n && crediting >= 0n && reducing + crediting <= BILLION * BigInt(t)).toBe(true)
      }),
    )
  })

  test('[D3.51] each share is rounded half up to billionths before shares are added up', () => {
    const sharesOf = (...all: number[]) => absenceParts(all.map(ofShare), 1).reducing
    expect(sharesOf(0.5000000005)).toBe(500_000_001n)
    expect(sharesOf(0.50000000049)).toBe(500_000_000n)
    expect(sharesOf(0.0000000004, 0.0000000004, 0.0000000004)).toBe(0n)
    expect(sharesOf(0.0000000005, 0.0000000005)).toBe(2n)
  })

  test('[D14.6] an amount takes that much of the planned time, and no more than all of it', () => {
    fc.assert(
      fc.property(planned, fc.integer({ min: 1, max: DAY_MS }), (t, amount_ms) => {
        const { reducing } = absenceParts([{ kind: 'vacation', day_share: null, amount_ms }], t)
        expect(reducing).toBe(BigInt(Math.min(amount_ms, t)) * BILLION)
      }),
    )
  })

  test('[D14.6] three thirds of a day as amounts are a whole day to the millisecond, which no rounded share is', () => {
    const t = 7 * HOUR_MS + 1
    const third = Math.floor(t / 3)
    const amounts = [third, third, t - 2 * third]
    const parts = absenceParts(
      amounts.map((amount_ms) => ({ kind: 'sick', day_share: null, amount_ms })),
      t,
    )
    expect(parts).toStrictEqual({ reducing: 0n, crediting: BigInt(t) * BILLION })
  })
})

describe('absences beyond the day', () => {
  const isBeyond = (all: readonly Absence[], t: number) => absencesBeyondDay(all, t).length > 0

  test('[D2.27] shares and amounts are compared together with the planned time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: DAY_MS }), absences, (t, all) => {
        const leave = all.filter(({ kind }) => kind !== 'public_holiday' && kind !== 'sick')
        const sum = leave.reduce((total, absence) => total + partOf(absence, t), 0n)
        expect(isBeyond(leave, t)).toBe(sum > BILLION * BigInt(t))
      }),
    )
    expect(isBeyond([ofShare(0.5), ofHours(4)], 8 * HOUR_MS)).toBe(false)
    expect(isBeyond([ofShare(0.5), ofHours(4.5)], 8 * HOUR_MS)).toBe(true)
    expect(isBeyond([ofHours(24)], 8 * HOUR_MS)).toBe(false)
  })

  test('[D2.27] [D14.6] on a date without planned time, amounts are no part of the day and shares are', () => {
    expect(isBeyond([ofHours(24), ofHours(24), ofShare(1)], 0)).toBe(false)
    expect(isBeyond([ofShare(0.6), ofShare(0.5)], 0)).toBe(true)
  })

  test('[D2.39] vacation gives way to sickness and both to a public holiday, so that neither is too much', () => {
    const of = (kind: Absence['kind'], day_share = 1): Absence => ({ kind, day_share, amount_ms: null })
    const [holiday, sick, vacation] = [of('public_holiday'), of('sick'), of('vacation')]
    for (const day of [
      [vacation, sick],
      [vacation, holiday],
      [sick, holiday],
      [vacation, sick, holiday],
    ]) {
      expect(absencesBeyondDay(day, 8 * HOUR_MS)).toEqual([])
    }
    // Of two of a kind, or of leave that was chosen twice, nobody knows which is meant.
    expect(absencesBeyondDay([sick, sick, vacation], 8 * HOUR_MS)).toEqual([sick, sick])
    const both = [of('vacation', 0.5), of('unpaid', 0.75)]
    expect(absencesBeyondDay([holiday, ...both], 8 * HOUR_MS)).toEqual(both)
  })

  test('[D2.39] all kinds but holidays give way to sickness, and nothing gives way to leave', () => {
    const giving = (other: Absence['kind']) => absenceKinds.filter((kind) => givesWayTo(kind, other))
    expect(giving('sick').toSorted()).toEqual(['paid_other', 'time_off_in_lieu', 'unpaid', 'vacation'])
    expect(giving('public_holiday')).toHaveLength(absenceKinds.length - 1)
    expect(
      ['vacation', 'paid_other', 'unpaid', 'time_off_in_lieu'].flatMap((kind) => giving(kind as Absence['kind'])),
    ).toEqual([])
  })
})

test('[D14.6] for display, an amount is at most the day, and nothing where no work is planned', () => {
  expect(shareOfDay(ofShare(0.3), 0)).toBe(0.3)
  expect(shareOfDay(ofHours(2), 8 * HOUR_MS)).toBe(0.25)
  expect(shareOfDay(ofHours(9), 8 * HOUR_MS)).toBe(1)
  expect(shareOfDay(ofHours(9), 0)).toBe(0)
})

describe('targetAndCredit', () => {
  const worked = fc.oneof(fc.nat(2 * DAY_MS), fc.nat(20))

  test('[D3.11] [D3.12] target and credit follow their formulas exactly, products rounded half up', () => {
    fc.assert(
      fc.property(planned, worked, absences, (t, w, all) => {
        const { reducing, crediting } = capped(all, t)
        const whole = BILLION * BigInt(t)
        const target = rounded(whole - reducing)
        const beyond = Math.max(0, w - rounded(whole - reducing - crediting))
        const credited = Math.max(0, rounded(crediting) - beyond)
        expect(targetAndCredit(t, w, absenceParts(all, t))).toStrictEqual({ targetMs: target, creditedMs: credited })
      }),
      { numRuns: 5_000 },
    )
  })

  test('[D3.12] a credit makes no positive delta, except by rounding', () => {
    fc.assert(
      fc.property(planned, worked, absences, (t, w, all) => {
        const { targetMs, creditedMs } = targetAndCredit(t, w, absenceParts(all, t))
        if (creditedMs > 0) expect(w + creditedMs - targetMs).toBeLessThanOrEqual(1)
        expect(targetMs).toBeLessThanOrEqual(t)
        expect(creditedMs).toBeLessThanOrEqual(targetMs + 1)
      }),
      { numRuns: 2_000 },
    )
  })

  test('[D3.12] working more never lowers the delta', () => {
    fc.assert(
      fc.property(planned, worked, fc.nat(100), absences, (t, w, more, all) => {
        const delta = (workedMs: number) => {
          const { targetMs, creditedMs } = targetAndCredit(t, workedMs, absenceParts(all, t))
          return workedMs + creditedMs - targetMs
        }
        expect(delta(w + more)).toBeGreaterThanOrEqual(delta(w))
      }),
      { numRuns: 2_000 },
    )
  })
})
