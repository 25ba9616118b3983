import { contentOf, type JsonObject, jsonEqual, problemOf } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edit, held, START_MS } from '../../test/arbitraries.ts'
import type { Pending } from './outbox.ts'
import { disown, queue, send } from './outbox.ts'
import { type Answer, settle } from './settle.ts'

const answer: fc.Arbitrary<Answer> = fc.oneof(
  held.map((stands) => ({ status: 'stored' as const, stands })),
  held.map((stands) => ({ status: 'superseded' as const, stands })),
  fc.constant({ status: 'rejected' as const, problem: problemOf('invalid_record', 'no') }),
  fc.constant({ status: 'skipped' as const }),
)
const isSame = (a: JsonObject | null, b: JsonObject | null) => (a && b ? jsonEqual(a, b) : a === b)
const contentIn = (record: JsonObject | null) => record && contentOf(record)
const sent = edit.map((one) => send(queue(undefined, one, true, START_MS) as Pending, 'tab'))

describe('settle', () => {
  test('[D7.16] every answer to the state that is pending takes it from the outbox', () => {
    fc.assert(
      fc.property(sent, answer, (row, told) => {
        expect(settle(row, row, told).pending).toBeUndefined()
      }),
    )
  })

  test('[D7.16] an edit made during the request stays, is free to be sent, and is neither overridden nor refused', () => {
    fc.assert(
      fc.property(sent, edit, answer, (row, next, told) => {
        fc.pre(next.updatedAt !== row.updatedAt)
        const { pending, overridden, refused } = settle(queue(row, next, true, START_MS), row, told)
        expect(pending).toMatchObject({ ...next, place: row.place, attempts: 1, sender: null })
        expect([overridden, refused]).toEqual([undefined, undefined])
      }),
    )
  })

  test('[D7.20] [D7.21] nothing is dropped silently: what did not get through is overridden or refused', () => {
    fc.assert(
      fc.property(sent, answer, (row, told) => {
        const { overridden, refused } = settle(row, row, told)
        const isLost = told.status === 'superseded' && !isSame(contentIn(told.stands.record), row.content)
        expect(overridden !== undefined).toBe(isLost)
        expect(refused !== undefined).toBe(told.status === 'rejected')
      }),
    )
  })

  test('[D7.22] what stands as it was wanted is not told as overridden, whoever made it', () => {
    fc.assert(
      fc.property(sent, held, (row, theirs) => {
        const record = row.content && { ...theirs.record, ...row.content }
        const told: Answer = { status: 'superseded', stands: { ...theirs, record } }
        fc.pre(isSame(contentIn(record), row.content))
        expect(settle(row, row, told).overridden).toBeUndefined()
      }),
    )
  })

  test('[R3.8] [D6.5] the device has what the service says that stands, whoever won', () => {
    fc.assert(
      fc.property(sent, answer, (row, told) => {
        expect(settle(row, row, told).stands).toEqual('stands' in told ? told.stands : undefined)
      }),
    )
  })

  test('[D7.17] an answer to a request that another has followed says nothing', () => {
    fc.assert(
      fc.property(sent, answer, (row, told) => {
        for (const pending of [disown(row), send(row, 'other'), undefined]) {
          expect(settle(pending, row, told)).toEqual({ counts: false, pending })
        }
      }),
    )
  })
})
