import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFixture } from '../test/fixtures.ts'
import { runsOf } from '../test/tier.ts'
import { epochMs, instantOf } from './instant.ts'
import type { JsonObject } from './json.ts'
import {
  type Change,
  CLOCK_TOLERANCE_MS,
  type Decision,
  decideChange,
  nextUpdatedAt,
  type RecordState,
} from './merge.ts'
import type { Instant } from './values.ts'

/** A change that a device stamped, of any record. */
type StampedChange = Omit<Change, 'kind' | 'id' | 'updatedAt'> & { updatedAt: Instant }

interface WireState {
  updated_at: Instant
  content: JsonObject | null
  claims: Record<string, number>
}

const vectors = readFixture<{
  devices: Record<string, string>
  cases: {
    name: string
    stored: WireState | null
    change: { updated_at: Instant; content: JsonObject | null; device?: string; seq?: number }
    server_time: Instant
    outcome: Decision['outcome']
    after?: WireState
  }[]
}>('merge')

const NOW = Date.UTC(2026, 10, 21, 8)

function stateOf({ updated_at, content, claims }: WireState): RecordState {
  const named = Object.entries(claims).map(([device, seq]) => [vectors.devices[device], seq])
  return { updatedAt: updated_at, content, claims: Object.fromEntries(named) }
}

/** Returns the state after a decision. */
function settle(stored: RecordState | undefined, decision: Decision): RecordState | undefined {
  if (decision.outcome !== 'applied') return stored
  const { updatedAt, content, claims } = decision
  return { updatedAt, content, claims }
}

const content = fc.constantFrom<JsonObject | null>(null, { note: 'a' }, { note: 'b' }, { note: 'a', x: [1] })
const device = fc.constantFrom('device-a', 'device-b', 'device-c')
const claims = fc.dictionary(device, fc.nat(4), { noNullPrototype: true })

/** Changes at few times, so that they meet; some claims, some of simple programs. */
const changeAt = (updatedMs: fc.Arbitrary<number>): fc.Arbitrary<StampedChange> =>
  fc.record(
    { updatedAt: updatedMs.map(instantOf), content, device, seq: fc.nat(4) },
    { requiredKeys: ['updatedAt', 'content'], noNullPrototype: true },
  )

const nearMs = fc.integer({ min: -5, max: 5 }).map((ms) => NOW + ms)
const aheadMs = fc.oneof(
  fc.integer({ min: -2, max: 4 }).map((ms) => NOW + CLOCK_TOLERANCE_MS + ms),
  fc.constantFrom(3_600_000, 86_400_000).map((ms) => NOW + ms),
)
const change = changeAt(fc.oneof(nearMs, aheadMs))
const stored = fc.option(
  fc.record<RecordState>(
    { updatedAt: fc.oneof(nearMs, aheadMs).map(instantOf), content, claims },
    { noNullPrototype: true },
  ),
  { nil: undefined },
)

/** The service's clock at each of a series of changes: it never runs back. */
const arrivals = fc
  .array(fc.tuple(change, fc.oneof(fc.nat(3), fc.constantFrom(1_000, 61_000, 7_200_000))), { maxLength: 14 })
  .map((steps) => {
    let serverTime = NOW
    return steps.map(([arrived, passed]) => {
      serverTime += passed
      return { change: arrived, serverTime }
    })
  })

/** Conflict rule of D6 once more, from its prose, on numbers. */
function ruled(
  state: RecordState | undefined,
  { updatedAt, content, device, seq }: StampedChange,
  now: number,
): Decision {
  const [time, held] = [Date.parse(updatedAt), state && Date.parse(state.updatedAt)]
  const same = state !== undefined && JSON.stringify(state.content) === JSON.stringify(content)
  const mark = device === undefined ? undefined : state?.claims[device]
  const spent = mark !== undefined && seq !== undefined && !(seq > mark)
  if (spent) return { outcome: same ? 'unchanged' : 'superseded' }
  if (held !== undefined && time === held) return { outcome: same ? 'unchanged' : 'superseded' }
  if (held !== undefined && time < held) return { outcome: 'superseded' }
  const claims = { ...state?.claims }
  const isClaim = time > now + 60_000
  if (isClaim && device !== undefined && seq !== undefined) claims[device] = seq
  const standsAt = isClaim ? Math.max(now, held === undefined ? now : held + 1) : time
  return { outcome: 'applied', updatedAt: instantOf(standsAt), content, claims }
}

describe('decideChange', () => {
  test.each(vectors.cases)(
    '[R3.8] [D6.10] $name',
    ({ stored: held, change: { updated_at, device: by, ...rest }, ...given }) => {
      const incoming: StampedChange = { ...rest, updatedAt: updated_at, device: by && vectors.devices[by] }
      const decision = decideChange(held ? stateOf(held) : undefined, incoming, epochMs(given.server_time))
      const expected = given.after && { outcome: 'applied', ...stateOf(given.after) }
      expect(decision).toStrictEqual(expected ?? { outcome: given.outcome })
      expect(decision.outcome).toBe(given.outcome)
    },
  )

  test('[R3.8] [D6.10] the decision follows the rule for any stored record, change and time', () => {
    fc.assert(
      fc.property(stored, change, fc.oneof(fc.constant(NOW), nearMs, aheadMs), (state, incoming, now) => {
        expect(decideChange(state, incoming, now)).toStrictEqual(ruled(state, incoming, now))
      }),
      { numRuns: runsOf(2_000, 10_000) },
    )
  })

  test('[R3.8] [D6.10] the decision is total over all instants and changes no argument', () => {
    const anyMs = fc.integer({
      min: Date.parse('0001-01-02T00:00:00.000Z'),
      max: Date.parse('9999-12-30T00:00:00.000Z'),
    })
    const anyState = fc.record({ updatedAt: anyMs.map(instantOf), content, claims }, { noNullPrototype: true })
    fc.assert(
      fc.property(fc.option(anyState, { nil: undefined }), changeAt(anyMs), anyMs, (state, incoming, now) => {
        const before = structuredClone([state, incoming])
        expect(decideChange(state, incoming, now)).toStrictEqual(ruled(state, incoming, now))
        expect([state, incoming]).toStrictEqual(before)
      }),
      { numRuns: runsOf(500, 2_000) },
    )
  })

  test('[R3.8] [D6.10] changes with distinct times end in the latest, in any order and repetition', () => {
    const scene = fc
      .uniqueArray(fc.integer({ min: -50, max: CLOCK_TOLERANCE_MS }), { minLength: 1, maxLength: 6 })
      .chain((offsets) => fc.tuple(...offsets.map((ms) => changeAt(fc.constant(NOW + ms)))))
      .chain((changes) =>
        fc.record({
          changes: fc.constant(changes),
          order: fc.shuffledSubarray(changes, { minLength: changes.length }),
          repeats: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...changes)), { maxLength: 8 }),
          later: fc.array(fc.nat(100_000), { minLength: 20, maxLength: 20 }),
        }),
      )
    fc.assert(
      fc.property(scene, ({ changes, order, repeats, later }) => {
        const latest = changes.reduce((a, b) => (a.updatedAt > b.updatedAt ? a : b))
        const series = repeats.reduce((all, [at, again]) => all.toSpliced(at, 0, again), [...order])
        let state: RecordState | undefined
        series.forEach((each, index) => {
          state = settle(state, decideChange(state, each, NOW + (later[index] ?? 0)))
        })
        expect(state).toStrictEqual({ updatedAt: latest.updatedAt, content: latest.content, claims: {} })
      }),
      { numRuns: runsOf(500, 2_000) },
    )
  })

  test('[D6.4] repeating an applied change changes nothing', () => {
    const known = fc.oneof(
      changeAt(nearMs),
      fc.record({ updatedAt: aheadMs.map(instantOf), content, device, seq: fc.nat(4) }),
    )
    fc.assert(
      fc.property(
        stored,
        known,
        fc.oneof(fc.nat(5), fc.constantFrom(61_000, 90_000_000)),
        (state, incoming, passed) => {
          const first = decideChange(state, incoming, NOW)
          if (first.outcome !== 'applied') return
          expect(decideChange(settle(state, first), incoming, NOW + passed)).toStrictEqual({ outcome: 'unchanged' })
        },
      ),
      { numRuns: runsOf(500, 3_000) },
    )
  })

  test('[D6.14] a record remembers the claims of 100 devices; the one applied longest ago is forgotten first', () => {
    const claimOf = (device: string, seq: number, serverTime: number) => ({
      updatedAt: instantOf(serverTime + 120_000),
      content: { seq },
      device,
      seq,
    })
    const devices = Array.from(
      { length: 101 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    )
    const [first, second, ...others] = devices as [string, string, ...string[]]
    let state: RecordState | undefined
    for (const [index, device] of [first, second, first, ...others].entries()) {
      const serverTime = NOW + index * 200_000
      state = settle(state, decideChange(state, claimOf(device, index, serverTime), serverTime))
    }
    expect(Object.keys(state?.claims ?? {})).toEqual([first, ...others])
  })

  test('[R3.8] [D6.14] an applied claim and older changes of its device are never applied again', () => {
    fc.assert(
      fc.property(arrivals, (steps) => {
        const spent = new Map<string, number>()
        let state: RecordState | undefined
        for (const { change: arrived, serverTime } of steps) {
          const decision = decideChange(state, arrived, serverTime)
          const { device: by, seq } = arrived
          if (by !== undefined && seq !== undefined) {
            if (seq <= (spent.get(by) ?? -1)) expect(decision.outcome).not.toBe('applied')
            const wonByClaim = decision.outcome === 'applied' && Date.parse(arrived.updatedAt) > serverTime + 60_000
            if (wonByClaim) spent.set(by, seq)
          }
          state = settle(state, decision)
          expect(state?.claims ?? {}).toStrictEqual(Object.fromEntries(spent))
        }
      }),
      { numRuns: runsOf(500, 3_000) },
    )
  })

  test('[R3.8] [D6.13] a stored time only moves forward, at most 60 s ahead of the clock', () => {
    fc.assert(
      fc.property(arrivals, (steps) => {
        let state: RecordState | undefined
        for (const [index, { change: arrived, serverTime }] of steps.entries()) {
          const next = settle(state, decideChange(state, arrived, serverTime))
          if (next !== state) {
            const time = Date.parse(next?.updatedAt ?? '')
            if (state) expect(time).toBeGreaterThan(Date.parse(state.updatedAt))
            expect(time).toBeLessThanOrEqual(serverTime + 60_000 + index)
          }
          state = next
        }
      }),
      { numRuns: runsOf(500, 2_000) },
    )
  })

  test('[D6.13] an edit of a record that a fast clock wrote wins', () => {
    fc.assert(
      fc.property(
        stored,
        fc.record({ updatedAt: aheadMs.map(instantOf), content, device, seq: fc.nat(4) }),
        (state, fast) => {
          const won = decideChange(state, fast, NOW)
          const after = settle(state, won)
          if (won.outcome !== 'applied' || !after) return
          const edit: StampedChange = {
            updatedAt: nextUpdatedAt(after, NOW),
            content: { note: 'edit' },
            device: 'device-z',
            seq: 1,
          }
          expect(decideChange(after, edit, Math.max(NOW, epochMs(edit.updatedAt)))).toMatchObject({
            outcome: 'applied',
          })
        },
      ),
    )
  })

  test('[D6.15] a change without a time always wins, with a time after what is stored', () => {
    fc.assert(
      fc.property(stored, content, nearMs, (state, next, now) => {
        expect(decideChange(state, { updatedAt: null, content: next }, now)).toStrictEqual({
          outcome: 'applied',
          updatedAt: nextUpdatedAt(state, now),
          content: next,
          claims: state?.claims ?? {},
        })
      }),
    )
  })

  test('[D6.14] device names such as __proto__ work like any other', () => {
    for (const by of ['constructor', 'toString', '__proto__']) {
      const fast: StampedChange = { updatedAt: instantOf(NOW + 3_600_000), content: null, device: by, seq: 3 }
      const won = decideChange(undefined, fast, NOW)
      expect(won.outcome).toBe('applied')
      const again = { ...fast, updatedAt: instantOf(NOW + 7_200_000), content: { note: 'again' } }
      expect(decideChange(settle(undefined, won), again, NOW + 5), by).toStrictEqual({ outcome: 'superseded' })
    }
  })
})

describe('nextUpdatedAt', () => {
  test('[D6.15] the service’s time is now, and always after the record that it changes', () => {
    fc.assert(
      fc.property(fc.oneof(nearMs, aheadMs), fc.oneof(nearMs, aheadMs), (held, now) => {
        const time = epochMs(nextUpdatedAt({ updatedAt: instantOf(held) }, now))
        expect(time).toBe(Math.max(now, held + 1))
      }),
    )
    expect(nextUpdatedAt(undefined, NOW)).toBe(instantOf(NOW))
  })
})
