import type { UserNumber } from '@saldo/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isHeavy, runsOf } from '../../../core/test/tier.ts'
import { JobPace } from '../../src/account/job-pace.ts'
import { JobRunner } from '../../src/account/jobs.ts'
import { startTestService, type TestService } from '../harness.ts'
import { settings } from './samples.ts'
import { TestAccount } from './test-account.ts'

const [anna, berta, cleo] = [1, 2, 3] as UserNumber[] as [UserNumber, UserNumber, UserNumber]

/** A pace whose clock moves only when the test moves it. */
function paceWithClock() {
  const time = { ms: 1_000_000 }
  const pace = new JobPace(() => time.ms)
  /** Runs pieces of a user's jobs while they may run, for `forMs` at most. Returns the time that they took. */
  const runFor = (user: UserNumber, forMs: number, pieceMs: number, beforeEach = () => {}) => {
    const endMs = time.ms + forMs
    let ranMs = 0
    while (time.ms < endMs) {
      beforeEach()
      if (pace.mayRun(user)) {
        time.ms += pieceMs
        ranMs += pieceMs
        pace.notePiece(pieceMs)
      } else time.ms += 10
    }
    return ranMs
  }
  return { time, pace, runFor }
}

describe('the pace of jobs', () => {
  test('[D3.61] without requests, jobs run all the time', () => {
    const { runFor } = paceWithClock()
    expect(runFor(anna, 10_000, 10)).toBe(10_000)
  })

  test('[D3.61] requests of the user whose jobs run do not slow them down', () => {
    const { pace, runFor } = paceWithClock()
    expect(runFor(anna, 10_000, 10, () => pace.noteRequest(anna))).toBe(10_000)
  })

  test('[D3.61] beside requests of another user, jobs take a thirtieth of the time', () => {
    const { pace, runFor } = paceWithClock()
    const ranMs = runFor(anna, 100_000, 10, () => pace.noteRequest(berta))
    expect(ranMs / 100_000).toBeCloseTo(1 / 30, 2)
  })

  test('[D3.61] a user who sends more requests than another does not hide that one', () => {
    const { pace, runFor } = paceWithClock()
    pace.noteRequest(berta)
    const ranMs = runFor(anna, 1_500, 10, () => pace.noteRequest(anna))
    expect(ranMs).toBeLessThan(150)
  })

  test('[D3.61] jobs that ran without a pause give way to the first request of another user', () => {
    const { time, pace, runFor } = paceWithClock()
    runFor(anna, 1_000, 60)
    pace.noteRequest(berta)
    expect([pace.mayRun(anna), pace.mayRun(cleo), pace.mayRun(berta)]).toEqual([false, false, true])
    time.ms += 1_999
    expect(pace.mayRun(anna)).toBe(true)
  })

  test('[D3.61] five seconds after the last request of another user, jobs run all the time again', () => {
    const { time, pace } = paceWithClock()
    pace.noteRequest(berta)
    time.ms += 4_000
    pace.notePiece(200)
    // The time of the piece does not count.
    time.ms += 1_199
    expect(pace.mayRun(anna)).toBe(false)
    time.ms += 1
    expect(pace.mayRun(anna)).toBe(true)
  })

  test('[D3.61] the time of a long piece, in which requests wait to be noted, is not a time without requests', () => {
    const { time, pace } = paceWithClock()
    pace.noteRequest(berta)
    time.ms += 10_000
    pace.notePiece(10_000)
    expect(pace.mayRun(anna)).toBe(false)
  })

  test('[D3.61] a long piece is followed by a rest of two seconds at most', () => {
    const { time, pace } = paceWithClock()
    pace.notePiece(5_000)
    for (const step of [0, 1_000, 999]) {
      time.ms += step
      pace.noteRequest(berta)
      expect(pace.mayRun(anna)).toBe(false)
    }
    time.ms += 1
    expect(pace.mayRun(anna)).toBe(true)
  })
})

describe('jobs at a pace', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ now: '2026-11-21T12:00:00.000Z' })
  })
  afterAll(() => service.close())

  test('[D3.35] [D3.61] a job waits while its pace forbids it, and is done when it may run', async () => {
    const account = await TestAccount.open(service)
    const autoClose = { auto_close: { day_after_ms: 0, week_after_days: 0 } }
    await account.post('settings_history', settings('2026-06-01', autoClose))
    const { time, pace } = paceWithClock()
    const { records, close } = await service.openBeside()
    const jobs = new JobRunner({
      store: records,
      clock: service.clock,
      onFailure: (_, error) => expect.unreachable(String(error)),
    })
    pace.noteRequest(berta)
    pace.notePiece(50)
    await jobs.runDue({ pace })
    expect(await account.list('/api/closed-days')).toEqual([])
    time.ms += 60_000
    await jobs.runDue({ pace })
    await close()
    expect(await account.list('/api/closed-days')).toHaveLength(30 + 31 + 31 + 30 + 31 + 20)
  })

  test('[D3.61] a signed-in request of another user makes the jobs of the service give way', async () => {
    const [busy, other] = [await TestAccount.open(service), await TestAccount.open(service)]
    const autoClose = { auto_close: { day_after_ms: 0, week_after_days: 0 } }
    await busy.post('settings_history', settings(isHeavy ? '2006-01-02' : '2016-01-04', autoClose))
    for (let pulls = 0; pulls < runsOf(2, 6); pulls += 1) {
      await other.call('GET', '/api/balance')
      await service.service.runJobsAtPace(1_000)
      const closed = (await busy.call('GET', '/api/closed-days?from=2026-11-20&to=2026-11-20')).body.items
      expect(closed).toEqual([])
    }
    await service.service.runDueJobs()
    expect((await busy.call('GET', '/api/closed-days?from=2026-11-20&to=2026-11-20')).body.items).toHaveLength(1)
  })
})
