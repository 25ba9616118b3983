import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the benchmark runs, at a tiny size', () => {
  const run = join(import.meta.dirname, 'run.ts')
  // The service knows no settings of the tests.
  const { SALDO_TEST_TIER: _tier, ...env } = process.env
  const output = execFileSync(process.execPath, [run, '--tiny'], { encoding: 'utf8', env })
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  expect(lines.length).toBeGreaterThan(100)
  for (const line of lines) expect(line).toMatch(/\d+\.\d\d(?: {2}[≥≤] [\d.,]+(?: \S+)?)?$/)
})
