import { type TestOptions, test } from 'vitest'

/** Skips a test in `npm test`, where it is reported with its reason; `vitest.config.ts` defines the tag. */
const options: TestOptions = { tags: ['heavy'] }

type Run<Args extends unknown[]> = (...args: Args) => void | Promise<void>

/**
 * Declares a test that runs in the heavy tier alone: one that takes long and looks at details of what a test of
 * `npm test` covers; each rule keeps one of those.
 */
export function heavyTest(title: string, run: Run<[]>): void {
  test(title, options, () => run())
}

/** Declares such a test for each case, as `test.each` does; it hangs if it takes longer than `timeout` ms, if given. */
heavyTest.each =
  <Case>(cases: readonly Case[], timeout?: number) =>
  (title: string, run: Run<Case extends readonly unknown[] ? [...Case] : [Case]>): void =>
    test.each(cases as readonly unknown[])(title, { ...options, ...(timeout && { timeout }) }, run as Run<unknown[]>)
