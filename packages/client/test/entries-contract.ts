import { DAY_MS, HOUR_MS, instantOf, type JsonObject, type LocalDate, utcDate } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BaseRecord, recordKey } from '../src/store/rows.ts'
import type { LocalStore } from '../src/store/store.ts'
import { baseRecord } from './rows.ts'

const timed = (number: number, started_at: string, ended_at: string | null): BaseRecord =>
  baseRecord(number, { kind: 'work', started_at, ended_at })
const day = (number: number, date: string): BaseRecord => baseRecord(number, { kind: 'vacation', date })

/** The versions of the entries that are found in a range. */
async function versionsIn(store: LocalStore, from: LocalDate, to: LocalDate): Promise<number[]> {
  const found = await store.read((tables) => tables.baseRecords.entriesIn({ from, to }))
  return found.map(({ version }) => version).toSorted((a, b) => a - b)
}

/** Tests `entriesIn` of a local store. */
export function describeEntriesIn(opened: () => Promise<LocalStore>): void {
  test('[D7.54] a range of dates returns the entries that overlap it', async () => {
    const store = await opened()
    const rows = [
      timed(1, '2026-11-19T20:00:00.000Z', '2026-11-20T00:00:00.000Z'),
      timed(2, '2026-11-19T20:00:00.000Z', '2026-11-20T00:00:00.001Z'),
      timed(3, '2026-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z'),
      timed(4, '2026-11-21T23:59:59.999Z', '2026-11-22T04:00:00.000Z'),
      timed(5, '2026-11-22T00:00:00.000Z', '2026-11-22T04:00:00.000Z'),
      timed(6, '2020-01-01T00:00:00.000Z', null),
      timed(7, '2026-11-22T10:00:00.000Z', null),
      timed(8, '2026-11-01T10:00:00.000Z', '2026-12-01T10:00:00.000Z'),
      day(9, '2026-11-19'),
      day(10, '2026-11-20'),
      day(11, '2026-11-21'),
      day(12, '2026-11-22'),
      { ...day(13, '2026-11-20'), kind: 'closed_days' as const },
      baseRecord(14, null),
    ]
    await store.write((tables) => tables.baseRecords.put(rows))
    expect(await versionsIn(store, '2026-11-20', '2026-11-21')).toEqual([2, 3, 4, 6, 8, 10, 11])
    expect(await versionsIn(store, '2026-11-20', '2026-11-20')).toEqual([2, 3, 6, 8, 10])
    expect(await versionsIn(store, '2026-11-20', '2026-11-19')).toEqual([])
    expect(await versionsIn(store, '0001-01-01', '9999-12-31')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(await versionsIn(store, '9999-12-31', '9999-12-31')).toEqual([6, 7])
    const found = await store.read((tables) => tables.baseRecords.entriesIn({ from: '2026-11-19', to: '2026-11-19' }))
    expect(found.find(({ version }) => version === 9)).toEqual(day(9, '2026-11-19'))
  })

  test('[D7.54] a changed or deleted entry is found by its current dates', async () => {
    const store = await opened()
    await store.write((tables) =>
      tables.baseRecords.put([timed(1, '2026-11-20T08:00:00.000Z', null), day(2, '2026-11-20'), day(3, '2026-11-20')]),
    )
    await store.write(async (tables) => {
      await tables.baseRecords.put([day(1, '2026-11-23'), baseRecord(2, null)])
      await tables.baseRecords.delete([recordKey(baseRecord(3))])
    })
    expect(await versionsIn(store, '2026-11-20', '2026-11-22')).toEqual([])
    expect(await versionsIn(store, '2026-11-23', '2026-11-23')).toEqual([1])
  })

  test('[D7.54] an entry without valid times is in no range', async () => {
    const store = await opened()
    const records: JsonObject[] = [
      { kind: 'work' },
      { kind: 'work', started_at: 'soon', ended_at: null },
      { kind: 'work', started_at: '2026-11-20T08:00:00.000Z', ended_at: 5 },
      { kind: 'work', date: '2026-11-20' },
      { kind: 'vacation', date: '2026-02-30' },
      { kind: 'vacation', date: null },
      { kind: 'of a newer program', date: '2026-11-20' },
      { kind: 'of a newer program', started_at: '2026-11-20T08:00:00.000Z' },
      { started_at: '2026-11-20T09:00:00+01:00', ended_at: '2026-11-20T10:00:00+01:00' },
    ]
    await store.write((tables) => tables.baseRecords.put(records.map((record, index) => baseRecord(index + 1, record))))
    expect(await versionsIn(store, '0001-01-01', '9999-12-31')).toEqual([7, 8, 9])
  })

  test('[D7.54] any range finds exactly the entries that overlap it', async () => {
    const store = await opened()
    const firstMs = Date.parse('2026-11-16')
    const span = fc.record({
      startMs: fc.integer({ min: 0, max: 28 }).map((quarter) => firstMs + quarter * 6 * HOUR_MS),
      lengthMs: fc.constantFrom(0, 1, 6 * HOUR_MS, DAY_MS, DAY_MS + 1, 4 * DAY_MS, Number.POSITIVE_INFINITY),
    })
    const midnight = fc.integer({ min: 0, max: 7 }).map((days) => firstMs + days * DAY_MS)
    const property = fc.asyncProperty(fc.array(span, { maxLength: 30 }), midnight, midnight, async (spans, a, b) => {
      const rows = spans.map(({ startMs, lengthMs }, index) =>
        timed(index, instantOf(startMs), lengthMs === Number.POSITIVE_INFINITY ? null : instantOf(startMs + lengthMs)),
      )
      await store.write(async (tables) => {
        await tables.wipe()
        await tables.baseRecords.put(rows)
      })
      const wanted = [...spans.entries()].filter(([, { startMs, lengthMs }]) => {
        const isBeforeEnd = startMs < b + DAY_MS
        const isAfterStart = startMs >= a || startMs + lengthMs > a
        return a <= b && isBeforeEnd && isAfterStart
      })
      expect(await versionsIn(store, utcDate(a), utcDate(b))).toEqual(wanted.map(([index]) => index))
    })
    await fc.assert(property, { numRuns: 60 })
  })
}
