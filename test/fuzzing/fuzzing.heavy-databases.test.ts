import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runsOf } from '../../packages/core/test/tier.ts'
import { newDatabase } from '../../packages/server/test/postgres/database.ts'
import { FuzzedService } from './fuzzed-service.ts'
import { fuzzRound, type Range, rangeOn } from './round.ts'

/** Each round begins with passwords, which are slow on purpose. */
const [ROUNDS, REQUESTS] = inject('postgres') ? [1, 400] : [2, runsOf(250, 1_500)]

let range: Range
beforeAll(async () => {
  range = await rangeOn(await FuzzedService.start(await newDatabase()))
})
afterAll(() => range.service.stop())

test(`[D1.19] ${ROUNDS * REQUESTS} hostile requests cause no defect, and every answer is documented`, async () => {
  for (let seed = 1; seed <= ROUNDS; seed += 1) await fuzzRound(range, seed, REQUESTS)
  expect(range.tally.get('200')).toBeGreaterThan(REQUESTS / 10)
  expect([...range.tally.keys()].filter((status) => status.startsWith('5'))).toEqual([])
})
