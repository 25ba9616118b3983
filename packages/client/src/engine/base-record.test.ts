import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { held } from '../../test/arbitraries.ts'
import { type Held, holdAnswered, holdPulled, replacementOf } from './base-record.ts'

const confirmed = held.map((one) => ({ ...one, unconfirmed: false }))

describe('holdPulled', () => {
  test('[D7.26] no state is ever replaced by one of a lower version', () => {
    fc.assert(
      fc.property(held, confirmed, (before, incoming) => {
        const after = holdPulled(before, incoming)
        if (after.replaced === undefined) {
          expect(after.held.version).toBeGreaterThanOrEqual(before.version)
          expect(after.held).toEqual(incoming.version < before.version ? before : incoming)
        }
      }),
    )
  })

  test('[D7.37] [D7.39] a state of no lower version and an earlier time, or a version with another time, is of another history', () => {
    fc.assert(
      fc.property(held, confirmed, (before, incoming) => {
        const isLater = incoming.version > before.version && incoming.updatedAt >= before.updatedAt
        const isSame = incoming.version === before.version && incoming.updatedAt === before.updatedAt
        const fits = incoming.version < before.version || isLater || isSame
        expect('held' in holdPulled(before, incoming)).toBe(fits)
      }),
    )
  })

  test('[D7.27] what a pull brings is confirmed', () => {
    fc.assert(
      fc.property(held, (incoming) => {
        expect(holdPulled(undefined, { ...incoming, unconfirmed: false })).toMatchObject({
          held: { unconfirmed: false },
        })
      }),
    )
  })
})

describe('holdAnswered', () => {
  test('[D7.27] is news only above the last version and above what is held, and unconfirmed; and an unknown tombstone', () => {
    fc.assert(
      fc.property(fc.option(held, { nil: undefined }), held, fc.integer({ min: 0, max: 9 }), (before, told, last) => {
        const after = holdAnswered(before, told, last)
        const isNews = told.version > last && told.version > (before?.version ?? 0)
        const isTombstone = !before && told.record === null
        expect(after).toEqual(isNews || isTombstone ? { ...told, unconfirmed: isNews } : before)
      }),
    )
  })

  test('[D7.27] an answer and the pull of the same state end alike, whichever comes first', () => {
    fc.assert(
      fc.property(confirmed, (state) => {
        const answerFirst = holdPulled(holdAnswered(undefined, state, state.version - 1), state)
        expect(answerFirst).toEqual({ held: state })
        expect(holdAnswered(state, state, state.version)).toEqual(state)
      }),
    )
  })
})

describe('replacementOf', () => {
  const since = { version: 5, tag: 'five' }
  const page = { version: 8, sinceTag: 'five', hasMore: false }
  const state = (version: number): Held => ({
    kind: 'entries',
    id: 'one',
    version,
    updatedAt: '2026-11-21T08:00:00.000Z',
    record: {},
    unconfirmed: true,
  })

  test.each([
    ['the same tag, everything known is passed', page, 8, [], undefined],
    ['another tag', { ...page, sinceTag: 'other' }, 5, [], 'tag'],
    ['no such version', { ...page, sinceTag: null }, 5, [], 'tag'],
    ['an end below what was known', page, 9, [], 'shorter'],
    ['an unconfirmed state that was passed', page, 8, [state(7)], 'missing'],
    ['an unconfirmed state that is still to come', page, 8, [state(9)], undefined],
    ['more pages to come', { ...page, hasMore: true }, 9, [state(7)], undefined],
  ] as const)('[D7.35] [D7.36] [D7.38] %s', (_, end, known, unconfirmed, expected) => {
    expect(replacementOf(end, since, known, unconfirmed)).toBe(expected)
  })
})
