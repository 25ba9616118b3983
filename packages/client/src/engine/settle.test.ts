import { contentOf, type JsonObject, jsonEqual, problemOf } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseRecords, changes, START_MS } from '../../test/arbitraries.ts'
import type { BaseRecord, OutboxRow } from '../store/rows.ts'
import { offerRecord, rowAfterChange, startGeneration } from './outbox.ts'
import { type ChangeOutcome, type Settlement, settle } from './settle.ts'

const outcomes: fc.Arbitrary<ChangeOutcome> = fc.oneof(
  baseRecords.map((current) => ({ outcome: 'accepted' as const, current })),
  baseRecords.map((current) => ({ outcome: 'perhapsSuperseded' as const, current })),
  fc.constant({ outcome: 'rejected' as const, problem: problemOf('invalid_record', 'no') }),
  fc.constant({ outcome: 'skipped' as const }),
)
const isSame = (a: JsonObject | null, b: JsonObject | null) => (a && b ? jsonEqual(a, b) : a === b)
const contentIn = (record: JsonObject | null) => record && contentOf(record)
const sentRows = changes.map((one) =>
  startGeneration(rowAfterChange(undefined, one, { mayBeStored: true, nowMs: START_MS }) as OutboxRow, 'tab'),
)

function settled(settlement: Settlement) {
  if (settlement.outcome !== 'settled') throw new Error('the outcome does not count')
  return settlement
}

describe('settle', () => {
  test('[D7.16] every outcome of the latest change removes it from the outbox', () => {
    fc.assert(
      fc.property(sentRows, outcomes, (sent, outcome) => {
        expect(settled(settle(sent, sent, outcome)).row).toBeUndefined()
      }),
    )
  })

  test('[D7.16] a change made during the request stays queued, whatever the outcome of the one before', () => {
    fc.assert(
      fc.property(sentRows, changes, outcomes, (sent, next, outcome) => {
        fc.pre(next.updatedAt !== sent.updatedAt)
        const { row, conflict, rejected } = settled(
          settle(rowAfterChange(sent, next, { mayBeStored: true, nowMs: START_MS }), sent, outcome),
        )
        expect(row).toMatchObject({ ...next, place: sent.place, generation: 1, sender: null })
        expect([conflict, rejected]).toEqual([undefined, undefined])
      }),
    )
  })

  test('[D7.20] [D7.21] a change that did not win becomes a conflict or a rejected change', () => {
    fc.assert(
      fc.property(sentRows, outcomes, (sent, outcome) => {
        const { conflict, rejected } = settled(settle(sent, sent, outcome))
        const isLost =
          outcome.outcome === 'perhapsSuperseded' && !isSame(contentIn(outcome.current.record), sent.content)
        expect(conflict !== undefined).toBe(isLost)
        expect(rejected !== undefined).toBe(outcome.outcome === 'rejected')
      }),
    )
  })

  test('[D7.20] [D7.21] of a change that did not win, nothing of the outbox is kept', () => {
    fc.assert(
      fc.property(changes, changes, outcomes, (lost, later, outcome) => {
        fc.pre(lost.updatedAt < later.updatedAt)
        const sent = rowAfterChange(offerRecord(undefined, lost, START_MS), later, {
          mayBeStored: false,
          nowMs: START_MS,
        }) as OutboxRow
        const { conflict, rejected } = settled(settle(sent, sent, outcome))
        if (conflict) expect(conflict.mine).toEqual(later)
        if (rejected) expect(rejected.change).toEqual(later)
      }),
    )
  })

  test('[D7.22] a change that lost against the same content is no conflict', () => {
    fc.assert(
      fc.property(sentRows, baseRecords, (sent, theirs) => {
        const record = sent.content && { ...theirs.record, ...sent.content }
        const outcome: ChangeOutcome = { outcome: 'perhapsSuperseded', current: { ...theirs, record } }
        fc.pre(isSame(contentIn(record), sent.content))
        expect(settled(settle(sent, sent, outcome)).conflict).toBeUndefined()
      }),
    )
  })

  test('[D7.22] lists are the same content only as a whole, and their objects may have more fields', () => {
    const isConflict = (mine: JsonObject, theirs: JsonObject) => {
      const [sent] = fc.sample(sentRows, 1) as [OutboxRow]
      const [current] = fc.sample(baseRecords, 1) as [BaseRecord]
      const outcome: ChangeOutcome = { outcome: 'perhapsSuperseded', current: { ...current, record: theirs } }
      const row = { ...sent, content: mine }
      return settled(settle(row, row, outcome)).conflict !== undefined
    }
    expect(isConflict({ tags: ['a', 'b'] }, { tags: ['a', 'b'], note: '' })).toBe(false)
    for (const tags of [['a', 'b', 'c'], ['a'], ['b', 'a'], ['a', 'c'], ['c', 'b'], [], null]) {
      expect(isConflict({ tags: ['a', 'b'] }, { tags })).toBe(true)
    }
    const policy = (rule: JsonObject) => ({ break_policy: { rules: [rule] } })
    expect(isConflict(policy({ required_ms: 1 }), policy({ required_ms: 1, note: 'new' }))).toBe(false)
    expect(isConflict(policy({ required_ms: 1, note: 'new' }), policy({ required_ms: 1 }))).toBe(true)
  })

  test('[D7.29] an offer that lost is no conflict, and one that is rejected is kept with the rejected changes', () => {
    fc.assert(
      fc.property(changes, outcomes, (lost, outcome) => {
        const offer = startGeneration(offerRecord(undefined, lost, START_MS))
        const { row, conflict, rejected } = settled(settle(offer, offer, outcome))
        expect([row, conflict]).toEqual([undefined, undefined])
        expect(rejected !== undefined).toBe(outcome.outcome === 'rejected')
      }),
    )
  })

  test('[D7.29] an offer is sent if a later change of its record is rejected, and settled with it otherwise', () => {
    fc.assert(
      fc.property(changes, changes, outcomes, (lost, later, outcome) => {
        fc.pre(lost.updatedAt < later.updatedAt)
        const sent = startGeneration(
          rowAfterChange(offerRecord(undefined, lost, START_MS), later, {
            mayBeStored: false,
            nowMs: START_MS,
          }) as OutboxRow,
        )
        const { row } = settled(settle(sent, sent, outcome))
        if (outcome.outcome === 'rejected') expect(row).toMatchObject({ ...lost, offer: lost, sender: null })
        else expect(row).toBeUndefined()
      }),
    )
  })

  test('[R3.8] [D6.5] the device takes over the record that the service has, whoever won', () => {
    fc.assert(
      fc.property(sentRows, outcomes, (sent, outcome) => {
        const { current } = settled(settle(sent, sent, outcome))
        expect(current).toEqual('current' in outcome ? outcome.current : undefined)
      }),
    )
  })

  test('[D7.17] an outcome does not count if another request has carried the row later', () => {
    fc.assert(
      fc.property(sentRows, outcomes, (sent, outcome) => {
        for (const row of [startGeneration(sent), startGeneration(sent, 'other'), undefined]) {
          expect(settle(row, sent, outcome)).toEqual({ outcome: 'ignored', row })
        }
      }),
    )
  })
})
