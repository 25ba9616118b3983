import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextState, phaseOf, type SyncEvent, type SyncState, syncEvents, syncStates } from './sync-state.ts'

const event = fc.constantFrom(...syncEvents)
const run = (from: SyncState, happened: readonly SyncEvent[]) => happened.reduce(nextState, from)

describe('the state table', () => {
  test('[D7.23] a sync pushes, then pulls, and syncs again if something happens meanwhile', () => {
    expect(run('idle', ['outboxReady', 'pushedAll', 'pulledAll'])).toBe('idle')
    expect(run('idle', ['outboxReady', 'outboxReady', 'pushedAll', 'pulledAll'])).toBe('pushing')
    expect(run('idle', ['outboxReady', 'pushedAll', 'syncRequested', 'pulledSome', 'pulledAll'])).toBe('pushing')
  })

  test('[D7.24] the backoff is short if something happened during the attempt that failed', () => {
    expect(run('pushing', ['failed'])).toBe('waiting')
    expect(run('pushing', ['syncRequested', 'failed'])).toBe('waitingBriefly')
  })

  test('[R5.5] a pruned log leads through a cold start to a pull', () => {
    expect(run('pulling', ['snapshotNeeded', 'coldStarted', 'pushedAll'])).toBe('pulling')
    expect(run('pulling', ['historyReset', 'coldStarted', 'pushedAll'])).toBe('pulling')
  })

  test('a stopped engine ignores every event but a start', () => {
    fc.assert(
      fc.property(fc.array(event), (happened) => {
        const late = happened.filter((one) => one !== 'start')
        expect(run('stopped', late)).toBe('stopped')
      }),
    )
  })

  test('[D7.23] no state is a trap: an engine that is signed in, online and answered becomes idle', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (happened) => {
        let state = run('stopped', happened)
        for (const healing of ['start', 'elected', 'syncRequested', 'backoffElapsed'] as const) {
          state = nextState(state, healing)
        }
        state = nextState(state, 'coldStarted')
        for (let round = 0; round < 2; round += 1) state = run(state, ['pushedAll', 'pulledAll'])
        expect(state).toBe('idle')
      }),
    )
  })

  test('only a completed pull leads to idle', () => {
    for (const state of syncStates) {
      for (const one of syncEvents) {
        const isCompleted = state === 'idle' || (state === 'pulling' && one === 'pulledAll')
        if (!isCompleted) expect(phaseOf(nextState(state, one)), `${state} ${one}`).not.toBe('idle')
      }
    }
  })
})
