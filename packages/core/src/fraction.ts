/** An exact number. The denominator is above 0. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

/** The number 0. */
export const ZERO: Fraction = { numerator: 0n, denominator: 1n }

/** Returns the sum of fractions, in lowest terms. */
export function sum(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce(
    (total, { numerator, denominator }) =>
      reduce({
        numerator: total.numerator * denominator + numerator * total.denominator,
        denominator: total.denominator * denominator,
      }),
    ZERO,
  )
}

/** Returns `a` − `b`, in lowest terms. */
export function minus(a: Fraction, b: Fraction): Fraction {
  return sum([a, negative(b)])
}

/** Returns a number with the other sign. */
export function negative({ numerator, denominator }: Fraction): Fraction {
  return { numerator: -numerator, denominator }
}

/** Returns the fraction, or 0 for a negative one. */
export function atLeastZero(fraction: Fraction): Fraction {
  return fraction.numerator < 0n ? ZERO : fraction
}

/** Returns the nearest number that a program can compute with. */
export function toNumber({ numerator, denominator }: Fraction): number {
  return Number(numerator) / Number(denominator)
}

/** Returns a number of days as shares of a day are counted, in billionths, so that sums of thirds are whole. */
export function inBillionths(days: number): number {
  return Math.round(days * 1e9) / 1e9
}

function reduce({ numerator, denominator }: Fraction): Fraction {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator]
  while (b > 0n) [a, b] = [b, a % b]
  return { numerator: numerator / a, denominator: denominator / a }
}
