import { instantOf } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edit, START_MS } from '../../test/arbitraries.ts'
import { editTime, type Pending, queue, release, send, sendable } from './outbox.ts'

const fresh = { place: 1, attempts: 0, queuedAtMs: START_MS, sender: null }
const nobody = new Set<string>()

describe('editTime', () => {
  test('[D7.3] is the service’s time, and always after the state that is edited', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), (editedS, offsetS) => {
        const edited = { updatedAt: instantOf(START_MS + editedS * 1_000) }
        const at = editTime(edited, { nowMs: START_MS, offsetMs: offsetS * 1_000 })
        expect(at > edited.updatedAt).toBe(true)
        expect(at >= instantOf(START_MS + offsetS * 1_000)).toBe(true)
        expect(editTime(undefined, { nowMs: START_MS, offsetMs: 0 })).toBe(instantOf(START_MS))
      }),
    )
  })
})

describe('queue', () => {
  test('[D7.12] keeps one row for a record: the latest state, in the place of the first', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        const numbered = edits.map((one, index) => ({ ...one, seq: index + 1 }))
        const row = numbered.reduce<Pending | undefined>((before, one) => queue(before, one, true, START_MS), undefined)
        expect(row).toMatchObject({ ...numbered.at(-1), place: 1 })
      }),
    )
  })

  test('[D7.14] a record that no request has carried and that is deleted leaves nothing to send', () => {
    fc.assert(
      fc.property(edit, edit, (made, deleted) => {
        const row = queue(undefined, made, false, START_MS)
        expect(queue(row, { ...deleted, content: null }, false, START_MS)).toBeUndefined()
      }),
    )
  })

  test('[D7.14] unless an attempt may have reached the service, or the service has the record', () => {
    fc.assert(
      fc.property(edit, edit, (made, deleted) => {
        const row = queue(undefined, made, false, START_MS) as Pending
        const deletion = { ...deleted, content: null }
        expect(queue(release(send(row, 'tab')), deletion, false, START_MS)).toMatchObject(deletion)
        expect(queue(row, deletion, true, START_MS)).toMatchObject(deletion)
        expect(queue(undefined, deletion, false, START_MS)).toMatchObject(deletion)
      }),
    )
  })

  test('[D7.45] an edit during a request keeps the request’s tab, so that nobody sends the record twice at a time, until that tab is gone', () => {
    fc.assert(
      fc.property(edit, edit, (first, second) => {
        const sent = send({ ...first, ...fresh }, 'tab')
        const row = queue(sent, second, true, START_MS) as Pending
        expect(sendable([row], new Set(['tab']))).toEqual([])
        expect(sendable([row], nobody)).toEqual([row])
      }),
    )
  })
})

test('[D7.13] what waits is sent in the order in which the records were first queued', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 99 })), edit, (places, one) => {
      const rows = places.map((place) => ({ ...one, ...fresh, place }))
      expect(sendable(rows, nobody).map(({ place }) => place)).toEqual(places.toSorted((a, b) => a - b))
    }),
  )
})
