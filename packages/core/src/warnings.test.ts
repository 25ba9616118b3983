import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { absence, settingsAround, timed, timedEntry } from '../test/arbitraries.ts'
import { identifiedEntriesOf } from './account-function.ts'
import { type Entry, type EntryContent, isCounted, isTimed } from './entry.ts'
import { instantOf } from './instant.ts'
import { type AccountSettings, buildTimeline, dateAt, dayWindow, type Timeline } from './timeline.ts'
import { HOUR_MS, type LocalDate, type RecordId } from './values.ts'
import { dayWarnings } from './warnings.ts'

const DATE = '2026-11-18'
const EIGHT = Date.UTC(2026, 10, 18, 8)

const utc: AccountSettings = {
  id: '00000000-0000-4000-8000-000000000001',
  effective_from: '2020-01-01',
  time_zone: 'UTC',
  target_ms: [0, 0, 0, 0, 0, 0, 0],
  break_policy: null,
  auto_close: null,
}

const warningsOf = (entries: readonly Entry[], timeline: Timeline) =>
  dayWarnings(identifiedEntriesOf(entries), timeline, DATE)

/** Entries as records, with ids in their order: a, b, c, … */
function records(contents: readonly EntryContent[]): Entry[] {
  return contents.map((content, index) => ({
    ...content,
    id: String.fromCharCode(97 + index) as RecordId,
    created_at: instantOf(0),
    updated_at: instantOf(0),
    version: 1,
  }))
}

const hours = (kind: 'work' | 'break', from: number, to: number | null, counts = true) =>
  timed(kind, EIGHT + from * HOUR_MS, to === null ? null : EIGHT + to * HOUR_MS, counts)

const off = (kind: 'sick' | 'vacation' | 'unpaid', day_share: number, date: LocalDate = DATE): EntryContent => {
  const plain = { time_zone: null, note: '', tags: [], project: null, source: null, import_ref: null }
  return { kind, date, day_share, amount_ms: null, ...plain }
}

describe('dayWarnings', () => {
  test.each<[string, EntryContent[], { code: string; entry_ids: string[] }[]]>([
    ['nothing', [], []],
    ['work, a break in it, more work after it', [hours('work', 0, 4), hours('break', 2, 3), hours('work', 4, 6)], []],
    [
      'work that overlaps',
      [hours('work', 0, 4), hours('work', 3, 5)],
      [{ code: 'overlapping_work', entry_ids: ['a', 'b'] }],
    ],
    [
      'work within work, and work that overlaps neither',
      [hours('work', 6, 7), hours('work', 0, 5), hours('work', 1, 2), hours('work', 3, 4)],
      [{ code: 'overlapping_work', entry_ids: ['b', 'c', 'd'] }],
    ],
    ['exactly 24 hours', [hours('work', 0, 24)], []],
    ['26 hours', [hours('work', 0, 26)], [{ code: 'long_entry', entry_ids: ['a'] }]],
    ['a running timer', [hours('work', 0, null)], [{ code: 'still_running', entry_ids: ['a'] }]],
    [
      'two running timers',
      [hours('work', 0, null), hours('break', 1, null)],
      [
        { code: 'still_running', entry_ids: ['a', 'b'] },
        { code: 'several_running', entry_ids: ['a', 'b'] },
      ],
    ],
    ['a timer that was started the day before', [hours('work', -9, null)], []],
    ['a whole day of absence in two halves', [off('sick', 0.5), off('vacation', 0.5)], []],
    [
      'more than a day of absence',
      [off('unpaid', 0.5), off('vacation', 0.500000001), off('vacation', 1, '2026-11-19')],
      [{ code: 'absence_beyond_day', entry_ids: ['a', 'b'] }],
    ],
    ['sickness in a vacation, which gives way', [off('sick', 1), off('vacation', 1)], []],
    ['what is unusual on another day', [hours('work', 24, 28), hours('work', 25, 26)], []],
  ])('[D2.27] %s', (_, contents, expected) => {
    expect(warningsOf(records(contents), [utc])).toStrictEqual(expected)
  })

  test('[D3.62] work that does not count has no warnings, however it overlaps, lasts or runs', () => {
    const entries = [hours('work', 0, 8), hours('work', 1, 27, false), hours('work', 2, null, false)]
    expect(warningsOf(records(entries), [utc])).toStrictEqual([])
  })

  test('[D2.27] overlapping work is found pair by pair, long and running entries one by one', () => {
    const entry = fc.oneof(
      timedEntry(DATE, HOUR_MS, 2),
      timedEntry(DATE, HOUR_MS, 1).map((some) => ({ ...some, ended_at: null })),
      absence(DATE),
    )
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), settingsAround(DATE), (contents, rows) => {
        const entries = records(contents)
        const timeline = buildTimeline(rows)
        const window = dayWindow(timeline, DATE)
        const met = entries.filter(isCounted).flatMap((record) => {
          if (!isTimed(record) || record.ended_at === null) return []
          const [start, end] = [Date.parse(record.started_at), Date.parse(record.ended_at)]
          return Math.max(start, window.start) < Math.min(end, window.end) ? [{ ...record, start, end }] : []
        })
        const overlaps = (a: (typeof met)[number], b: (typeof met)[number]) =>
          a.id !== b.id && a.kind === 'work' && b.kind === 'work' && Math.max(a.start, b.start) < Math.min(a.end, b.end)
        const running = entries
          .filter(isCounted)
          .filter(
            (record) =>
              isTimed(record) && record.ended_at === null && dateAt(timeline, Date.parse(record.started_at)) === DATE,
          )
        const found = Object.fromEntries(warningsOf(entries, timeline).map(({ code, entry_ids }) => [code, entry_ids]))
        const ids = (some: { id: string }[]) => (some.length > 0 ? some.map(({ id }) => id) : undefined)
        expect(found.overlapping_work).toStrictEqual(ids(met.filter((a) => met.some((b) => overlaps(a, b)))))
        expect(found.long_entry).toStrictEqual(ids(met.filter(({ start, end }) => end - start > 24 * HOUR_MS)))
        expect(found.still_running).toStrictEqual(ids(running))
        expect(found.several_running).toStrictEqual(running.length > 1 ? ids(running) : undefined)
      }),
      { numRuns: 500 },
    )
  })
})
