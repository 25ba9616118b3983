import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { share } from '../test/arbitraries.ts'
import { type Absence, absenceShares, targetAndCredit } from './absence.ts'
import { dayEntryKinds } from './record.ts'
import { DAY_MS } from './values.ts'

const BILLION = 1_000_000_000n

const absences: fc.Arbitrary<Absence[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...dayEntryKinds), day_share: share }),
  { maxLength: 6 },
)

/** A share of at most nine decimals, in billionths, read off its digits. */
const billionths = (dayShare: number) => BigInt(dayShare.toFixed(9).replace('.', ''))

/** R and C of D3, in billionths: shares capped at 1 together, in the order given there. */
function capped(all: readonly Absence[]): { reducing: bigint; crediting: bigint } {
  let room = BILLION
  const take = (kind: string) => {
    let taken = 0n
    for (const absence of all) if (absence.kind === kind) taken += billionths(absence.day_share)
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

/** t · share, rounded half up to 1 ms: the greatest n with n − ½ ≤ t · share. */
function rounded(planned: number, shares: bigint): number {
  const twice = 2n * BigInt(planned) * shares
  let n = twice / (2n * BILLION)
  while ((2n * (n + 1n) - 1n) * BILLION <= twice) n += 1n
  return Number(n)
}

describe('absenceShares', () => {
  test('[D3.13] [D3.14] shares fill a day in the order public_holiday, sick, vacation, paid_other, unpaid', () => {
    fc.assert(
      fc.property(absences, (all) => {
        expect(absenceShares(all)).toStrictEqual(capped(all))
      }),
      { numRuns: 2_000 },
    )
  })

  test('[D3.13] shares add up to at most a whole day and are never negative', () => {
    const any = fc.array(
      fc.record({
        kind: fc.constantFrom(...dayEntryKinds),
        day_share: fc.double({ min: 5e-324, max: 1, noNaN: true }),
      }),
    )
    fc.assert(
      fc.property(any, (all) => {
        const { reducing, crediting } = absenceShares(all)
        expect(reducing >= 0n && crediting >= 0n && reducing + crediting <= BILLION).toBe(true)
      }),
    )
  })

  test('[D3.13] the order of the records makes no difference', () => {
    fc.assert(
      fc.property(absences, (all) => {
        expect(absenceShares(all.toReversed())).toStrictEqual(absenceShares(all))
      }),
    )
  })

  test('[D3.51] each share is rounded half up to billionths before shares are added up', () => {
    const sharesOf = (...all: number[]) =>
      absenceShares(all.map((day_share) => ({ kind: 'vacation', day_share }))).reducing
    expect(sharesOf(0.5000000005)).toBe(500_000_001n)
    expect(sharesOf(0.50000000049)).toBe(500_000_000n)
    expect(sharesOf(0.0000000004, 0.0000000004, 0.0000000004)).toBe(0n)
    expect(sharesOf(0.0000000005, 0.0000000005)).toBe(2n)
  })

  test('[D3.15] time off in lieu changes nothing', () => {
    fc.assert(
      fc.property(absences, share, (all, day_share) => {
        expect(absenceShares([{ kind: 'time_off_in_lieu', day_share }, ...all])).toStrictEqual(absenceShares(all))
      }),
    )
  })
})

describe('targetAndCredit', () => {
  const planned = fc.oneof(fc.nat(DAY_MS), fc.nat(20), fc.constantFrom(8 * 3_600_000, 7.6 * 3_600_000))
  const worked = fc.oneof(fc.nat(2 * DAY_MS), fc.nat(20))

  test('[D3.11] [D3.12] target and credit follow their formulas exactly, products rounded half up', () => {
    fc.assert(
      fc.property(planned, worked, absences, (t, w, all) => {
        const { reducing, crediting } = capped(all)
        const target = rounded(t, BILLION - reducing)
        const beyond = Math.max(0, w - rounded(t, BILLION - reducing - crediting))
        const credited = Math.max(0, rounded(t, crediting) - beyond)
        expect(targetAndCredit(t, w, absenceShares(all))).toStrictEqual({ targetMs: target, creditedMs: credited })
      }),
      { numRuns: 5_000 },
    )
  })

  test('[D3.12] a credit makes no positive delta, except by rounding', () => {
    fc.assert(
      fc.property(planned, worked, absences, (t, w, all) => {
        const { targetMs, creditedMs } = targetAndCredit(t, w, absenceShares(all))
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
          const { targetMs, creditedMs } = targetAndCredit(t, workedMs, absenceShares(all))
          return workedMs + creditedMs - targetMs
        }
        expect(delta(w + more)).toBeGreaterThanOrEqual(delta(w))
      }),
      { numRuns: 2_000 },
    )
  })
})
