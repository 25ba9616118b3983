import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { isHeavy, runsOf } from '../../../core/test/tier.ts'
import { heavyTest } from '../heavy-test.ts'
import { type Scenario, stepsIn } from './fuzz-steps.ts'
import { type FuzzedAccount, FuzzStores } from './fuzzed-account.ts'

const RUNS = runsOf(20, 150)
/** A fixed seed keeps chance out of `npm test`, where a few runs must come to what the tests count. */
const SEED = isHeavy ? {} : { seed: 2 }
const NOW = '2026-03-25T12:00:00.000Z'

/** Six weeks of March and April, with clock changes; the clock begins in the fourth. */
const spring: Scenario = { from: '2026-02-26', days: 45, waitDays: 4, beginsClosed: false }
/** Nearly two years, so many closed days that changes of settings are left to jobs. */
const years: Scenario = { from: '2024-08-14', days: 600, waitDays: 9, beginsClosed: true }

const stores = new FuzzStores()
afterAll(() => stores.close())

/** Fuzzes accounts, and adds up the closings that changed. */
async function fuzz(scenario: Scenario, maxLength: number, numRuns: number) {
  const sum = { recomputed: 0, autoClosed: 0, decided: 0 }
  const count = (account: FuzzedAccount) => {
    sum.recomputed += account.recomputed
    sum.autoClosed += account.autoClosed
    sum.decided += account.decided
  }
  const property = fc.asyncProperty(stepsIn(scenario, maxLength), async (steps) => count(await stores.run(steps, NOW)))
  await fc.assert(property, { numRuns, ...SEED })
  return sum
}

test('[D3.1] [D3.27] [D18.2] after any steps, closings, balance and proposals follow from the records', async () => {
  const { recomputed, autoClosed, decided } = await fuzz(spring, 24, RUNS)
  expect(recomputed).toBeGreaterThan(RUNS)
  expect(autoClosed).toBeGreaterThan(RUNS)
  expect(decided).toBeGreaterThan(0)
})

heavyTest('[D3.32] with years of closed days, jobs recompute them and edits do not wait for the jobs', async () => {
  const runs = Math.ceil(RUNS / 20)
  expect((await fuzz(years, 12, runs)).recomputed).toBeGreaterThan(runs)
})
