import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseRecords } from '../../test/arbitraries.ts'
import type { BaseRecord } from '../store/rows.ts'
import { confirmUpTo, contradictsHistory, findHistoryReset, mergePulled, mergeWriteResult } from './base-record.ts'

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
  test('[D7.27] a write result is stored as unconfirmed if it is newer than the last pull and the base record', () => {
    const base = fc.option(baseRecords, { nil: undefined })
    fc.assert(
      fc.property(base, baseRecords, fc.integer({ min: 0, max: 9 }), (before, told, pulledVersion) => {
        const merged = mergeWriteResult(before, told, pulledVersion)
        const isNew = told.version > pulledVersion && told.version > (before?.version ?? 0)
        const isUnknownTombstone = !before?.record && told.record === null && told.version > (before?.version ?? 0)
        expect(merged).toEqual(isNew || isUnknownTombstone ? { ...told, unconfirmed: isNew } : before)
      }),
    )
  })

  test('[D7.27] a write result and the pull of the same record lead to the same base record in either order', () => {
    fc.assert(
      fc.property(confirmed, (record) => {
        const resultFirst = mergePulled(mergeWriteResult(undefined, record, record.version - 1), record)
        expect(resultFirst).toEqual({ outcome: 'merged', base: record })
        expect(mergeWriteResult(record, record, record.version)).toEqual(record)
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

describe('contradictsHistory', () => {
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
    expect(contradictsHistory(base, incoming, 5)).toBe(expected)
  })
})

describe('findHistoryReset', () => {
  const since = { version: 5, tag: 'five' }
  const page = { version: 8, since_tag: 'five', has_more: false }
  const unconfirmed = (version: number): BaseRecord => ({
    kind: 'entries',
    id: '00000000-0000-4000-8000-000000000001',
    version,
    updatedAt: '2026-11-21T08:00:00.000Z',
    record: {},
    unconfirmed: true,
  })

  test.each([
    ['the same tag and nothing missing is the same history', page, 8, [], undefined],
    ['another tag is a history reset', { ...page, since_tag: 'other' }, 5, [], 'tag'],
    ['a missing version is a history reset', { ...page, since_tag: null }, 5, [], 'tag'],
    ['an end below the known version is a history reset', page, 9, [], 'shorter'],
    ['passing an unconfirmed record without bringing it is a history reset', page, 8, [unconfirmed(7)], 'missing'],
    ['an unconfirmed record may still come', page, 8, [unconfirmed(9)], undefined],
    ['a page with more to come is not judged by its end', { ...page, has_more: true }, 9, [unconfirmed(7)], undefined],
  ] as const)('[D7.35] [D7.36] [D7.38] %s', (_, end, known, records, expected) => {
    expect(findHistoryReset(end, since, known, records)).toBe(expected)
  })

  test('[D7.35] a first pull, for which neither side has a tag, is no history reset', () => {
    expect(findHistoryReset({ version: 8, has_more: false }, { version: 0, tag: null }, 0, [])).toBeUndefined()
  })
})
