import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { after, events, type State, type Sync, states } from './sync-state.ts'

const event = fc.constantFrom(...events)
const run = (from: Sync, happened: readonly (typeof events)[number][]) => happened.reduce(after, from)

describe('the states of a syncing device', () => {
  test('[D7.23] push is before pull, and what happens meanwhile is not missed', () => {
    const idle: Sync = { state: 'idle', again: false }
    expect(run(idle, ['mutated', 'pushedAll', 'pulledAll'])).toEqual(idle)
    expect(run(idle, ['mutated', 'mutated', 'pushedAll', 'pulledAll'])).toEqual({ state: 'pushing', again: false })
    expect(run(idle, ['mutated', 'pushedAll', 'woken', 'pulledSome', 'pulledAll'])).toMatchObject({ state: 'pushing' })
  })

  test('[R5.5] a stale log leads through a cold start to a pull', () => {
    const pulling: Sync = { state: 'pulling', again: false }
    expect(run(pulling, ['stale', 'coldStarted', 'pushedAll'])).toEqual(pulling)
    expect(run(pulling, ['replaced', 'gaveUp'])).toMatchObject({ state: 'broken' })
  })

  test('a stopped device stays stopped whatever comes late, until it is started', () => {
    fc.assert(
      fc.property(fc.array(event), (happened) => {
        const late = happened.filter((one) => one !== 'start')
        expect(run({ state: 'stopped', again: false }, late).state).toBe('stopped')
      }),
    )
  })

  test('[D7.23] no state is a trap: a device that is signed in, online and answered comes to rest', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (happened) => {
        let sync = run({ state: 'stopped', again: false }, happened)
        for (const heals of ['start', 'elected', 'signedIn', 'online', 'woken', 'waited', 'coldStarted'] as const)
          sync = after(sync, heals)
        for (let round = 0; round < 2; round += 1) sync = run(sync, ['pushedAll', 'pulledAll'])
        expect(sync).toEqual({ state: 'idle', again: false })
      }),
    )
  })

  test('only these states wait for something outside', () => {
    const resting = states.filter((state) =>
      events.every((one) => after({ state, again: false }, one).state !== 'idle'),
    )
    expect(resting satisfies State[]).toEqual(states.filter((state) => state !== 'idle' && state !== 'pulling'))
  })
})
