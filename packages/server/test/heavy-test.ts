import { test } from 'vitest'
import { isHeavy } from './tier.ts'

const declareNothing = Object.assign(() => {}, { each: () => declareNothing })

/**
 * `test` in the heavy tier; elsewhere it declares nothing. For tests that take long and look at details of what a test
 * of `npm test` covers; each rule keeps one of those.
 */
export const heavyTest = (isHeavy ? test : declareNothing) as Pick<typeof test, 'each'> &
  ((title: string, run: () => Promise<void>) => void)
