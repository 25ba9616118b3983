import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { runsOf } from '../tier.ts'
import { type Stage, stepsOn } from './life.ts'
import { type Life, LifeHouse } from './life-runner.ts'

const LIVES = runsOf(40, 150)
const NOW = '2026-03-25T12:00:00.000Z'

/** Six weeks of March and April, with clock changes; the clock begins in the fourth. */
const spring: Stage = { from: '2026-02-26', days: 45, waitDays: 4, beginsClosed: false }
/** Nearly two years, so many closed days that changes of settings are left to jobs. */
const years: Stage = { from: '2024-08-14', days: 600, waitDays: 9, beginsClosed: true }

const house = new LifeHouse()
afterAll(() => house.close())

/** Leads lives, and adds up what happened in them. */
async function leadLives(stage: Stage, maxLength: number, numRuns: number) {
  const sum = { recomputed: 0, autoClosed: 0 }
  const led = (life: Life) => {
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += life[name]
  }
  const property = fc.asyncProperty(stepsOn(stage, maxLength), async (steps) => led(await house.lead(steps, NOW)))
  await fc.assert(property, { numRuns })
  return sum
}

test('[D3.1] [D3.27] whatever happens to an account, every closing and the balance are what its records say', async () => {
  const { recomputed, autoClosed } = await leadLives(spring, 24, LIVES)
  expect(recomputed).toBeGreaterThan(LIVES)
  expect(autoClosed).toBeGreaterThan(LIVES)
})

test('[D3.32] so it is with years of closed days, where jobs recompute and edits do not wait for them', async () => {
  const lives = Math.ceil(LIVES / 20)
  expect((await leadLives(years, 12, lives)).recomputed).toBeGreaterThan(lives)
})
