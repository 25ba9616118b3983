import { expect, test } from 'vitest'
import { atLeastZero, minus, sum, toNumber, ZERO } from './fraction.ts'

const of = (numerator: bigint, denominator: bigint) => ({ numerator, denominator })

test('[D17.2] sums and differences of fractions are exact, and in lowest terms', () => {
  expect(sum([])).toEqual(of(0n, 1n))
  expect(sum([of(1n, 3n), of(1n, 6n)])).toEqual(of(1n, 2n))
  expect(sum([of(1n, 3n), of(1n, 4n), of(5n, 12n)])).toEqual(of(1n, 1n))
  expect(sum([of(-3n, 4n), of(1n, 4n)])).toEqual(of(-1n, 2n))
  expect(minus(of(1n, 2n), of(1n, 3n))).toEqual(of(1n, 6n))
  expect(minus(of(1n, 3n), of(1n, 2n))).toEqual(of(-1n, 6n))
  expect(minus(of(2n, 4n), of(1n, 2n))).toEqual(of(0n, 1n))
})

test('[D17.2] a negative fraction is cut to nothing, and any is near a number', () => {
  expect([of(-1n, 2n), of(0n, 5n), of(3n, 4n)].map(atLeastZero)).toEqual([ZERO, of(0n, 5n), of(3n, 4n)])
  expect([of(-1n, 2n), of(3n, 4n), ZERO].map(toNumber)).toEqual([-0.5, 0.75, 0])
})
