import { instantOf } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changes, START_MS } from '../../test/arbitraries.ts'
import type { OutboxRow } from '../store/rows.ts'
import { clearSender, isBeingSent, offerRecord, rowAfterChange, startGeneration, updatedAtOfChange } from './outbox.ts'

const fresh = { place: 1, generation: 0, queuedAtMs: START_MS, sender: null }

test('[D7.3] the time of a change is that of the service, and always after the state that is changed', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), (changedS, offsetS) => {
      const changed = { updatedAt: instantOf(START_MS + changedS * 1_000) }
      const at = updatedAtOfChange(changed, { nowMs: START_MS, offsetMs: offsetS * 1_000 })
      expect(at > changed.updatedAt).toBe(true)
      expect(at >= instantOf(START_MS + offsetS * 1_000)).toBe(true)
      expect(updatedAtOfChange(undefined, { nowMs: START_MS, offsetMs: 0 })).toBe(instantOf(START_MS))
    }),
  )
})

describe('rowAfterChange', () => {
  test('[D7.12] the outbox has one row for a record: the latest change, in the place of the first', () => {
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 6 }), (made) => {
        const numbered = made.map((one, index) => ({ ...one, seq: index + 1 }))
        const row = numbered.reduce<OutboxRow | undefined>(
          (before, one) => rowAfterChange(before, one, { mayBeStored: true, nowMs: START_MS + one.seq }),
          undefined,
        )
        expect(row).toMatchObject({ ...numbered.at(-1), place: 1, queuedAtMs: START_MS + 1 })
      }),
    )
  })

  test('[D7.14] deleting a record that no request has carried leaves nothing to send', () => {
    fc.assert(
      fc.property(changes, changes, (made, deleted) => {
        const row = rowAfterChange(undefined, made, { mayBeStored: false, nowMs: START_MS })
        expect(
          rowAfterChange(row, { ...deleted, content: null }, { mayBeStored: false, nowMs: START_MS }),
        ).toBeUndefined()
      }),
    )
  })

  test('[D7.14] a deletion is sent if an attempt may have reached the service, or the service has the record', () => {
    fc.assert(
      fc.property(changes, changes, (made, deleted) => {
        const row = rowAfterChange(undefined, made, { mayBeStored: false, nowMs: START_MS }) as OutboxRow
        const deletion = { ...deleted, content: null }
        const sent = clearSender(startGeneration(row, 'tab'))
        expect(rowAfterChange(sent, deletion, { mayBeStored: false, nowMs: START_MS })).toMatchObject(deletion)
        expect(rowAfterChange(row, deletion, { mayBeStored: true, nowMs: START_MS })).toMatchObject(deletion)
        expect(rowAfterChange(undefined, deletion, { mayBeStored: false, nowMs: START_MS })).toMatchObject(deletion)
      }),
    )
  })

  test('[D7.29] deleting a record that the service lost is sent, though no request has carried it', () => {
    fc.assert(
      fc.property(fc.option(changes, { nil: undefined }), changes, changes, (unsent, lost, deleted) => {
        const row = offerRecord(
          unsent && rowAfterChange(undefined, unsent, { mayBeStored: true, nowMs: START_MS }),
          lost,
          START_MS,
        )
        expect(
          rowAfterChange(row, { ...deleted, content: null }, { mayBeStored: false, nowMs: START_MS }),
        ).toMatchObject({ content: null })
      }),
    )
  })

  test('[D7.45] changing an in-flight record does not let another tab send it while the sending tab lives', () => {
    fc.assert(
      fc.property(changes, changes, (first, second) => {
        const sent = startGeneration({ ...first, ...fresh }, 'tab')
        const row = rowAfterChange(sent, second, { mayBeStored: true, nowMs: START_MS }) as OutboxRow
        expect(isBeingSent(row, new Set(['tab']))).toBe(true)
        expect(isBeingSent(row, new Set())).toBe(false)
      }),
    )
  })
})

test('[D7.29] of an offer, an earlier offer and an unsent change, the latest is sent', () => {
  fc.assert(
    fc.property(changes, changes, changes, (first, unsent, second) => {
      const row = rowAfterChange(offerRecord(undefined, first, START_MS), unsent, {
        mayBeStored: false,
        nowMs: START_MS,
      }) as OutboxRow
      const { offer, ...rest } = offerRecord(row, second, START_MS)
      expect(offer?.updatedAt).toBe(first.updatedAt > second.updatedAt ? first.updatedAt : second.updatedAt)
      expect(rest.updatedAt >= unsent.updatedAt && rest.updatedAt >= (offer?.updatedAt ?? '')).toBe(true)
    }),
  )
})

test('[D7.29] an offer keeps the place, the age, the number of requests and the sender of the row before', () => {
  fc.assert(
    fc.property(changes, changes, (unsent, lost) => {
      const before = { ...startGeneration({ ...unsent, ...fresh, place: 7 }, 'tab') }
      const { place, generation, queuedAtMs, sender } = offerRecord(before, lost, START_MS + 9)
      expect({ place, generation, queuedAtMs, sender }).toEqual({ ...fresh, place: 7, generation: 1, sender: 'tab' })
    }),
  )
})
