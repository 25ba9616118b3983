import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Marks the tests that run in the heavy tier alone. */
export const HEAVY_TAG = 'heavy'

/** Says why a test is skipped, which is the one reason that there is. */
export const HEAVY_REASON = 'runs in the heavy tier (npm run test:heavy)'

/** True if all tests of a file run in the heavy tier alone. */
export function isHeavyFile(path: string): boolean {
  return path.endsWith('.heavy.test.ts')
}

/** Returns those of the skipped tests that are not of the heavy tier. */
export function wronglySkipped<T extends { tags: readonly string[] }>(skipped: readonly T[]): T[] {
  return skipped.filter(({ tags }) => !tags.includes(HEAVY_TAG))
}

/** Fails a run in which a test was skipped for another reason than its tier. */
export class SkippedTests implements Reporter {
  #isPart = false

  onInit(vitest: Vitest): void {
    // Whoever names some tests skips the others.
    this.#isPart = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isPart) return
    const wrong = wronglySkipped(modules.flatMap((module) => [...module.children.allTests('skipped')]))
    for (const test of wrong)
      process.stderr.write(
        `saldo: skipped, though it is not of the heavy tier: ${test.module.relativeModuleId} ${test.fullName}\n`,
      )
    if (wrong.length > 0) process.exitCode = 1
  }
}
