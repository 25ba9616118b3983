import { instantOf } from '@saldo/core'
import fc from 'fast-check'
import type { BaseRecord, QueuedChange } from '../src/store/rows.ts'

export const START_MS = Date.parse('2026-11-21T08:00:00.000Z')
const ID = '0b6e0f3a-7f43-4c52-8a55-6b0f0c1d2e3f'

/** A time in the first seconds after `START_MS`: few enough that equal ones come up. */
const instant = fc.integer({ min: 0, max: 5 }).map((second) => instantOf(START_MS + second * 1_000))

const content = fc.option(fc.record({ kind: fc.constant('work'), note: fc.constantFrom('a', 'b', 'c') }))

export const changes: fc.Arbitrary<QueuedChange> = fc.record({
  kind: fc.constant('entries' as const),
  id: fc.constant(ID),
  content,
  updatedAt: instant,
  seq: fc.integer({ min: 1, max: 9 }),
})

export const baseRecords: fc.Arbitrary<BaseRecord> = fc.record({
  kind: fc.constant('entries' as const),
  id: fc.constant(ID),
  version: fc.integer({ min: 1, max: 9 }),
  updatedAt: instant,
  record: content,
  unconfirmed: fc.boolean(),
})
