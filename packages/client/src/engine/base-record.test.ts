import {
  accountEntryOf,
  affectedRange,
  buildTimeline,
  type Entry,
  entryKinds,
  isTimed,
  type RecordStamp,
} from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseRecords } from '../../test/arbitraries.ts'
import { storedSpanOf } from '../store/entry-span.ts'
import type { BaseRecord } from '../store/rows.ts'
import {
  confirmUpTo,
  endsOtherHistory,
  hasOtherTag,
  mergePulled,
  mergeWriteResult,
  toBaseRecord,
} from './base-record.ts'
import { showRecord } from './shown-record.ts'

const confirmed = baseRecords.map((one) => ({ ...one, unconfirmed: false }))

describe('mergePulled', () => {
  test('[D7.26] a pull never replaces a base record by a lower version', () => {
    fc.assert(
      fc.property(baseRecords, confirmed, (before, incoming) => {
        const merge = mergePulled(before, incoming)
        if (merge.outcome === 'merged') {
          expect(merge.base.version).toBeGreaterThanOrEqual(before.version)
          expect(merge.base).toEqual(incoming.version < before.version ? { ...before, lastPulled: incoming } : incoming)
        }
      }),
    )
  })

  test('[D7.37] [D7.39] a later version with an earlier time, or a version with two times, is a history reset', () => {
    fc.assert(
      fc.property(baseRecords, confirmed, (before, incoming) => {
        const isLater = incoming.version > before.version && incoming.updatedAt >= before.updatedAt
        const isSame = incoming.version === before.version && incoming.updatedAt === before.updatedAt
        const fits = incoming.version < before.version || isLater || isSame
        expect(mergePulled(before, incoming).outcome).toBe(fits ? 'merged' : 'historyReset')
      }),
    )
  })

  test('[D7.27] a pull confirms the records that it brings', () => {
    fc.assert(
      fc.property(baseRecords, (incoming) => {
        const merge = mergePulled(undefined, { ...incoming, unconfirmed: false })
        expect(merge).toMatchObject({ outcome: 'merged', base: { unconfirmed: false } })
      }),
    )
  })
})

describe('mergeWriteResult', () => {
  test('[D7.27] a write result that is newer replaces the base record, unconfirmed until a pull brings it', () => {
    const base = fc.option(baseRecords, { nil: undefined })
    const pulledVersions = fc.integer({ min: 0, max: 9 })
    fc.assert(
      fc.property(base, baseRecords, pulledVersions, fc.boolean(), (before, incoming, pulledVersion, isOffer) => {
        const merge = mergeWriteResult(before, incoming, { pulledVersion, isOffer })
        if (merge.outcome === 'historyReset') return
        const unconfirmed = incoming.version > pulledVersion
        const isNewer = incoming.version > (before?.version ?? 0)
        expect(merge.base).toEqual(isNewer ? { ...incoming, unconfirmed, lastPulled: before } : before)
      }),
    )
  })

  test('[D7.27] a write result and the pull of the same record lead to the same base record in either order', () => {
    fc.assert(
      fc.property(confirmed, (record) => {
        const before = { pulledVersion: record.version - 1, isOffer: false }
        const resultFirst = mergeWriteResult(undefined, record, before)
        if (resultFirst.outcome !== 'merged') throw new Error('no history was reset')
        expect(mergePulled(resultFirst.base, record)).toEqual({ outcome: 'merged', base: record })
        const after = { pulledVersion: record.version, isOffer: false }
        expect(mergeWriteResult(record, record, after)).toEqual({ outcome: 'merged', base: record })
      }),
    )
  })
})

test('[D7.27] a record is unconfirmed if its version is beyond those that pulls have brought', () => {
  fc.assert(
    fc.property(baseRecords, fc.integer({ min: -1, max: 1 }), (row, beyond) => {
      expect(confirmUpTo(row, row.version - beyond).unconfirmed).toBe(beyond === 1)
    }),
  )
})

describe('a write result of another history', () => {
  const row = (version: number, second: number, record: BaseRecord['record'] = {}): BaseRecord => ({
    kind: 'entries',
    id: '00000000-0000-4000-8000-000000000001',
    version,
    updatedAt: `2026-11-21T08:00:0${second}.000Z`,
    record,
    unconfirmed: false,
  })

  test.each([
    ['a later version than pulls have brought is new', row(3, 3), row(6, 6), false],
    ['the version of the base record with its time is known', row(3, 3), row(3, 3), false],
    ['a lower version with a later time contradicts', row(3, 3), row(2, 6), true],
    ['a record that pulls should have brought contradicts', row(3, 3), row(4, 6), true],
    ['a record that pulls should have brought as the first contradicts', undefined, row(4, 6), true],
    ['a tombstone that pulls should have brought contradicts a live base record', row(3, 3), row(4, 6, null), true],
    ['a tombstone may be unknown, because a snapshot brings none', undefined, row(4, 6, null), false],
    ['a later tombstone may be unknown after a snapshot', row(3, 3, null), row(4, 6, null), false],
    ['a record of the last version that pulls have brought contradicts', undefined, row(5, 5), true],
    ['a record of the first version that no pull has brought is new', undefined, row(6, 6), false],
    ['a record that was revived contradicts a tombstone', row(3, 3, null), row(4, 6), true],
  ] as const)('[D7.40] %s', (_, base, incoming, expected) => {
    const { outcome } = mergeWriteResult(base, incoming, { pulledVersion: 5, isOffer: false })
    expect(outcome).toBe(expected ? 'historyReset' : 'merged')
  })
})

test('[D7.35] a pull whose tag is not that of the sync position is of another history', () => {
  expect(hasOtherTag({ since_tag: 'five' }, { version: 5, tag: 'five' })).toBe(false)
  expect(hasOtherTag({ since_tag: 'other' }, { version: 5, tag: 'five' })).toBe(true)
  expect(hasOtherTag({ since_tag: null }, { version: 5, tag: 'five' })).toBe(true)
  // Neither side has a tag for the first pull.
  expect(hasOtherTag({}, { version: 0, tag: null })).toBe(false)
})

describe('endsOtherHistory', () => {
  const unconfirmed = (version: number): BaseRecord => ({
    kind: 'entries',
    id: '00000000-0000-4000-8000-000000000001',
    version,
    updatedAt: '2026-11-21T08:00:00.000Z',
    record: {},
    unconfirmed: true,
  })

  test.each([
    ['nothing missing is the same history', 8, [], false],
    ['an end below the known version is a history reset', 9, [], true],
    ['passing an unconfirmed record without bringing it is a history reset', 8, [unconfirmed(7)], true],
    ['an unconfirmed record may still come', 8, [unconfirmed(9)], false],
  ] as const)('[D7.36] [D7.38] %s', (_, known, records, expected) => {
    expect(endsOtherHistory(8, known, records)).toBe(expected)
  })
})

describe('reading a record that a service sent', () => {
  const stamp = { id: '00000000-0000-4000-8000-000000000001', version: 3, updated_at: '2026-11-21T08:00:00.000Z' }
  const read = (record: object) => toBaseRecord('entries', stamp as RecordStamp, { ...stamp, ...record })
  const texts = { time_zone: null, note: '', tags: [], project: null, source: null, import_ref: null }
  const work = { kind: 'work', started_at: '2026-11-20T08:00:00.000Z', ended_at: null, counts: true, ...texts }
  const leave = { kind: 'vacation', date: '2026-11-20', day_share: 1, amount_ms: null, ...texts }
  const created_at = '2026-11-20T08:00:00.000Z'

  test('[D7.28] a record that is written as this program writes it is read as it came', () => {
    for (const record of [work, leave]) {
      const base = read({ created_at, ...record, of_a_newer_program: { is: 'kept' } })
      expect(base).not.toHaveProperty('readAs')
      expect(base).not.toHaveProperty('isUnreadable')
    }
  })

  test.each([
    ['fields with a default are left out', { kind: 'work', started_at: work.started_at }, work],
    ['an absence without its size is of the whole day', { kind: 'vacation', date: leave.date }, leave],
    ['a time has another form', { ...work, started_at: '2026-11-20T09:00:00.0009+01:00' }, work],
    ['tags have spaces around them', { ...work, tags: [' a ', 'a'] }, { ...work, tags: ['a'] }],
  ])('[D7.28] %s: it stays as it came for its digest, and is shown as it is read', (_case, sent, wanted) => {
    const base = read({ created_at, ...sent, x: 'of a newer program' })
    expect(base.record).toEqual({ ...stamp, created_at, ...sent, x: 'of a newer program' })
    const shown = { ...stamp, created_at, ...wanted, x: 'of a newer program' }
    expect(showRecord(base, undefined)).toEqual({ record: shown, pending: false })
  })

  test('[D7.28] each record of a service is unreadable, or has times and figures', () => {
    const timeline = buildTimeline([])
    const times = ['2026-11-20', '2026-02-30', '2026-11-20T23:59:60.5Z', '2026-11-19T08:00:00.000Z']
    const values = [null, '', 0, 0.5, -1, 3_600_000, {}, [], ...times]
    const fields = ['kind', 'started_at', 'ended_at', 'date', 'day_share', 'amount_ms', 'days', 'counts']
    const kinds = fc.constantFrom(...entryKinds, 'sabbatical')
    const complete = kinds.map((kind) => ({ ...leave, ...work, days: 2, kind }))
    const changed = fc.dictionary(fc.constantFrom(...fields), fc.constantFrom(...values), { maxKeys: 2 })
    const left = fc.subarray(fields)
    const sent = fc.tuple(complete, changed, left).map(([record, change, names]) => {
      const all = Object.entries({ created_at, ...record, ...change })
      return Object.fromEntries(all.filter(([name]) => !names.includes(name) || name === 'kind'))
    })
    const outcomes = { unreadable: 0, timed: 0, absence: 0 }
    fc.assert(
      fc.property(sent, (record) => {
        const base = read(record)
        const entry = showRecord(base, undefined)?.record as unknown as Entry | undefined
        expect(storedSpanOf(base) === undefined).toBe(entry === undefined)
        if (!entry) {
          outcomes.unreadable += 1
          return
        }
        outcomes[isTimed(entry) ? 'timed' : 'absence'] += 1
        affectedRange(entry, timeline)
        const numbers = Object.values(accountEntryOf(entry) ?? {}).filter((value) => typeof value === 'number')
        expect(numbers.every(Number.isFinite)).toBe(true)
        expect(Object.values(accountEntryOf(entry) ?? {})).not.toContain(undefined)
      }),
      { numRuns: 2_000 },
    )
    expect(Object.values(outcomes).every((count) => count > 50)).toBe(true)
  })
})
