/** True in the heavy tier (`npm run test:heavy`), where tests run with more seeds and in more browsers. */
export const isHeavy = process.env.SALDO_TEST_TIER === 'heavy'

/** True in the quick tier (`npm test -- --quick`). */
export const isQuick = process.env.SALDO_TEST_TIER === 'quick'

/** Returns how often a property or a seed runs: `standard` times in `npm test`, `heavy` times in the heavy tier. */
export function runsOf(standard: number, heavy: number): number {
  return isHeavy ? heavy : standard
}
