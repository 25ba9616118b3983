import { describe, expect, test } from 'vitest'
import { runsOf } from '../../packages/core/test/tier.ts'
import { problemOf, run } from './run.ts'
import { scenarioOf } from './scenario.ts'

const SEEDS = runsOf(3, 500)
const AT_ONCE = runsOf(3, 5)

describe('devices, a service and a network in which everything fails that can', () => {
  for (let from = 1; from <= SEEDS; from += AT_ONCE) {
    test(`[R1.4] [R5.3] [R5.4] [R5.5] [R5.6] [D7.42] [D16.6] devices agree: seeds from ${from}`, async () => {
      for (let seed = from; seed < from + AT_ONCE; seed += 1) {
        expect(await problemOf(scenarioOf(seed)), `seed ${seed}`).toBeUndefined()
      }
    })
  }

  for (let from = 1; from <= SEEDS; from += AT_ONCE) {
    test(`[D27.4] [D27.5] [D27.8] [D27.11] [D27.14] sheets equal records: seeds from ${from}`, async () => {
      for (let seed = from; seed < from + AT_ONCE; seed += 1) {
        expect(await problemOf(scenarioOf(seed, { company: true })), `seed ${seed}`).toBeUndefined()
      }
    })
  }

  test('a seed always gives the same run', async () => {
    const schedule = scenarioOf(4)
    expect(await run(schedule)).toBe(await run(schedule))
  })
})
