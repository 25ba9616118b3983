import { DAY_MS, type EpochMs } from '@saldo/core'
import { expect, test } from 'vitest'
import { ClockGuard } from '../../src/account/clock-guard.ts'
import { StoredServiceState } from '../../src/store/service-state.ts'
import { openTemporary } from '../store/temporary.ts'

const START_MS = Date.parse('2026-09-07T12:00:00.000Z')

/** Returns the plausible day at each of some days, both counted from the first run, and the doubts that began. */
async function plausibleDays(days: readonly number[]): Promise<{ plausible: number[]; doubts: EpochMs[] }> {
  const { driver } = await openTemporary()
  const doubts: EpochMs[] = []
  const guard = new ClockGuard(new StoredServiceState(driver), (seenMs) => doubts.push(seenMs))
  await guard.plausibleMs(START_MS)
  const plausible: number[] = []
  for (const day of days) {
    plausible.push(((await guard.plausibleMs(START_MS + day * DAY_MS)) - START_MS) / DAY_MS)
  }
  return { plausible, doubts }
}

test('[D3.57] a clock is in doubt when it is more than 35 days ahead of the last run', async () => {
  expect(await plausibleDays([35, 70, 105])).toEqual({ plausible: [35, 70, 105], doubts: [] })
  expect(await plausibleDays([36])).toEqual({ plausible: [35], doubts: [START_MS] })
})

test('[D3.58] a clock that has been ahead for a day is trusted, also if it was further ahead before', async () => {
  expect((await plausibleDays([365, 365.9, 366, 366.1])).plausible).toEqual([35, 35, 366, 366.1])
  expect((await plausibleDays([730, 365, 365.9, 366])).plausible).toEqual([35, 35, 35, 366])
})

test('[D3.58] a clock that is set back ends the doubt', async () => {
  expect((await plausibleDays([365, 10, 365, 365.9])).plausible).toEqual([35, 10, 45, 45])
})
