import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { plus, settingsAround, settingsRow, timed, timedEntry } from '../test/arbitraries.ts'
import { dates, isoWeek, NaiveAccount } from '../test/naive-account.ts'
import { runsOf } from '../test/tier.ts'
import { accountEntriesOf, computeDays } from './account-function.ts'
import { reportGroups } from './choices.ts'
import { type EntryContent, isCounted, type TimedEntryContent } from './entry.ts'
import { type EntryFilter, entryMatcher, noFilter, type ReportGroup, reportedTime, reportOf } from './report.ts'
import { buildTimeline } from './timeline.ts'
import { HOUR_MS, type LocalDate, MINUTE_MS, type RecordId } from './values.ts'

const policy = { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: HOUR_MS / 2 }], min_piece_ms: 0 }
const row = {
  id: '00000000-0000-4000-8000-000000000001' as RecordId,
  effective_from: '2026-11-01' as LocalDate,
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
  break_policy: policy,
  auto_close: null,
}
const timeline = buildTimeline([row])
const november = { from: '2026-11-01', to: '2026-11-30' } as const

const at = (date: number, hour: number) => Date.UTC(2026, 10, date, hour - 1)
function work(date: number, from: number, until: number, changed: Partial<TimedEntryContent> = {}): EntryContent {
  return { ...timed('work', at(date, from), at(date, until)), ...changed } as EntryContent
}

/** The lines in hours, and the other figures. */
function report(entries: readonly EntryContent[], group: ReportGroup, filter: Partial<EntryFilter> = {}) {
  const { lines, ...sums } = reportOf(entries, timeline, { ...noFilter, ...filter }, november, group)
  return {
    lines: lines.map(({ key, timeMs, entryCount }) => [key, timeMs / HOUR_MS, entryCount]),
    repeated: sums.repeatedMs / HOUR_MS,
    deducted: sums.deductedMs / HOUR_MS,
    total: sums.totalMs / HOUR_MS,
  }
}

test('[D12.1] [D12.4] work that overlaps counts once in a project and once in the total', () => {
  const entries = [
    work(2, 8, 10, { project: 'Harbour' }),
    work(2, 9, 11, { project: 'Harbour' }),
    work(2, 10, 12, { project: 'Garden' }),
    work(2, 12, 13),
    timed('break', at(2, 8), at(2, 9)),
  ]
  expect(report(entries, 'project')).toEqual({
    lines: [
      ['Garden', 2, 1],
      ['Harbour', 2, 2],
      [null, 1, 1],
    ],
    repeated: 1,
    deducted: 0,
    total: 4,
  })
})

test('[D1.37] the work for a report follows its entries, and not the breaks that each of them spans', () => {
  const stepsFor = (count: number) => {
    const entries = Array.from({ length: count }, (_, n) => [
      work(2, 0, 600, { tags: [`${n}`] }),
      timed('break', at(3, 0) + n * MINUTE_MS, at(3, 0) + (n + 0.5) * MINUTE_MS),
    ]).flat()
    const steps = vi.spyOn(Array.prototype, 'push')
    try {
      reportOf(entries, timeline, noFilter, november, 'tag')
      return steps.mock.calls.length
    } finally {
      steps.mockRestore()
    }
  }
  expect(stepsFor(400)).toBeLessThan(3 * stepsFor(200))
})

test('[D12.9] work that does not count stands apart, as time that the chosen of it covers', () => {
  const entries = [
    work(2, 8, 12, { project: 'Harbour' }),
    work(2, 9, 11, { project: 'Harbour', counts: false }),
    work(2, 10, 13, { project: 'Garden', counts: false }),
    timed('break', at(2, 12), at(2, 13)),
  ]
  const notCounted = (filter: Partial<EntryFilter>) =>
    reportOf(entries, timeline, { ...noFilter, ...filter }, november, 'project').notCountedMs / HOUR_MS
  expect(report(entries, 'project')).toEqual({ lines: [['Harbour', 4, 1]], repeated: 0, deducted: 0, total: 4 })
  expect(notCounted({})).toBe(4)
  expect(notCounted({ project: 'Garden' })).toBe(3)
  expect(notCounted({ kind: 'break' })).toBe(0)
})

test('[D12.2] an entry with several tags counts in each of them', () => {
  const entries = [work(2, 8, 10, { tags: ['ui', 'code'] }), work(3, 8, 9, { tags: ['ui'] }), work(3, 9, 10)]
  expect(report(entries, 'tag')).toEqual({
    lines: [
      ['ui', 3, 2],
      ['code', 2, 1],
      [null, 1, 1],
    ],
    repeated: 2,
    deducted: 0,
    total: 4,
  })
})

test("[D12.3] work over midnight is split between the account's days, weeks and months", () => {
  const night = [work(30, 22, 28), work(1, 22, 28)]
  expect(report(night, 'day').lines).toEqual([
    ['2026-11-01', 2, 1],
    ['2026-11-02', 4, 1],
    ['2026-11-30', 2, 1],
  ])
  expect(report(night, 'week').lines).toEqual([
    ['2026-W44', 2, 1],
    ['2026-W45', 4, 1],
    ['2026-W49', 2, 1],
  ])
  expect(report(night, 'month').lines).toEqual([['2026-11', 8, 2]])
})

test('[D12.3] an entry counts in the periods that it covers, not in those that it only borders on', () => {
  const entries = [work(1, 22, 24), work(2, 0, 1), work(2, 8, 9), work(30, 23, 24)]
  expect(report(entries, 'day').lines).toEqual([
    ['2026-11-01', 2, 1],
    ['2026-11-02', 2, 2],
    ['2026-11-30', 1, 1],
  ])
  expect(report(entries, 'week').lines).toEqual([
    ['2026-W44', 2, 1],
    ['2026-W45', 2, 2],
    ['2026-W49', 1, 1],
  ])
})

test('[D12.5] without a filter, deducted breaks are taken off days, and in one line off projects and tags', () => {
  const entries = [work(2, 8, 16, { project: 'Harbour' }), work(3, 8, 15, { project: 'Garden' })]
  expect(report(entries, 'day')).toEqual({
    lines: [
      ['2026-11-02', 7.5, 1],
      ['2026-11-03', 6.5, 1],
    ],
    repeated: 0,
    deducted: 0,
    total: 14,
  })
  expect(report(entries, 'project')).toMatchObject({ deducted: 1, total: 14 })
  expect(report(entries, 'project', { kind: 'work' })).toMatchObject({ deducted: 1, total: 14 })
})

test.each<Partial<EntryFilter>>([{ project: 'Harbour' }, { tag: 'crane' }, { words: 'paint' }])(
  '[D12.5] with the filter %j, no break is deducted',
  (filter) => {
    const entries = [work(2, 8, 16, { project: 'Harbour', tags: ['crane'], note: 'paint' }), work(3, 8, 15)]
    for (const group of reportGroups) expect(report(entries, group, filter)).toMatchObject({ deducted: 0, total: 8 })
  },
)

test('[D12.6] a report of breaks counts what they cover; absences and running entries count nothing', () => {
  const entries: EntryContent[] = [
    timed('break', at(2, 12), at(2, 13)),
    timed('break', at(2, 12), at(2, 14)),
    timed('work', at(2, 8), null),
    { ...work(2, 8, 9), kind: 'vacation', date: '2026-11-02', day_share: 1 } as unknown as EntryContent,
  ]
  expect(report(entries, 'day', { kind: 'break' })).toMatchObject({ lines: [['2026-11-02', 2, 2]], total: 2 })
  expect(report(entries, 'day')).toEqual({ lines: [], repeated: 0, deducted: 0, total: 0 })
  expect(report(entries, 'day', { kind: 'vacation' })).toMatchObject({ lines: [], total: 0 })
})

test('[D12.7] work before the first settings row counts, and no break is deducted from it', () => {
  const entries = [timed('work', Date.UTC(2026, 9, 5, 6), Date.UTC(2026, 9, 5, 16))]
  const october = { from: '2026-10-01', to: '2026-10-31' } as const
  expect(reportedTime(entries, timeline, noFilter, october)).toBe(10 * HOUR_MS)
  expect(reportedTime(entries, [], noFilter, october)).toBe(10 * HOUR_MS)
})

test('[D12.8] words are found in note, project and tags, in any order and case, with or without accents', () => {
  const entry = work(2, 8, 9, { project: 'Küche', tags: ['Bosch'], note: 'Night shift' })
  const matches = (filter: Partial<EntryFilter>) => entryMatcher({ ...noFilter, ...filter })(entry)
  expect(matches({ words: 'SHIFT kuche #bosch' })).toBe(true)
  expect(matches({ words: 'garden' })).toBe(false)
  expect(matches({ project: 'Küche', tag: 'Bosch', kind: 'work' })).toBe(true)
  expect(matches({ project: 'küche' })).toBe(false)
})

test('[D1.37] a report that knows which entries pass its filter looks through no text', () => {
  const unread = Object.defineProperty(work(2, 8, 9), 'note', {
    get: () => {
      throw new Error('read')
    },
  })
  const filter = { ...noFilter, words: 'paint' }
  const totalOf = (isChosen: boolean) => {
    return reportOf([unread], timeline, filter, november, 'day', () => isChosen).totalMs
  }
  expect([totalOf(true), totalOf(false)]).toEqual([HOUR_MS, 0])
})

describe('reports, their properties', () => {
  const names = fc.constantFrom('a', 'b', 'c')
  const fields = fc.record(
    { project: fc.option(names), tags: fc.uniqueArray(names, { maxLength: 3 }), note: names },
    { noNullPrototype: true },
  )
  const modernDate = fc.integer({ min: 5_500, max: 25_000 }).map((days) => plus('1970-01-01', days))
  const oddDate = fc.constantFrom<LocalDate[]>('2026-03-29', '2026-10-25', '2011-12-30', '2026-09-06')
  const filter = fc.record(
    {
      words: fc.constantFrom('', 'a', 'b c'),
      kind: fc.constantFrom('' as const, 'work' as const, 'break' as const, 'sick' as const),
      project: fc.constantFrom('', '', 'a'),
      tag: fc.constantFrom('', '', 'b'),
    },
    { noNullPrototype: true },
  )
  const scene = fc.oneof(oddDate, modernDate).chain((date) => {
    const rows = fc.oneof(settingsAround(date), fc.array(settingsRow(fc.constant(date)), { maxLength: 1 }))
    const entry = fc
      .tuple(timedEntry(date, MINUTE_MS), fields)
      .map(([content, changed]) => ({ ...content, ...changed }))
    const days = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.nat(5))
    return fc.record({
      rows,
      entries: fc.array(entry, { maxLength: 8 }),
      range: days.map(([from, length]) => ({ from: plus(date, from), to: plus(date, from + length) })),
    })
  })

  test('[D12.1] [D12.2] [D12.3] [D12.9] agree with a model that counts minute by minute', () => {
    fc.assert(
      fc.property(scene, filter, fc.constantFrom(...reportGroups), ({ rows, entries, range }, asked, group) => {
        const { lines, ...sums } = reportOf(entries, buildTimeline(rows), asked, range, group)
        const model = new NaiveAccount(entries, rows, MINUTE_MS)
        const expected = countMinutes(model, entries, asked, range, group)
        const found = Object.fromEntries(
          lines.filter(({ timeMs }) => timeMs > 0).map(({ key, timeMs }) => [key, timeMs / MINUTE_MS]),
        )
        const counts = Object.fromEntries(lines.map(({ key, entryCount }) => [`${key}`, entryCount]))
        expect({
          lines: found,
          counts,
          total: sums.totalMs / MINUTE_MS,
          deducted: sums.deductedMs / MINUTE_MS,
          notCounted: sums.notCountedMs / MINUTE_MS,
        }).toEqual(expected)
      }),
      { numRuns: runsOf(50, 200) },
    )
  })

  test('[D12.4] lines less the repeated time and the deducted breaks are the total, whatever the group', () => {
    fc.assert(
      fc.property(scene, filter, ({ rows, entries, range }, asked) => {
        const totals = reportGroups.map((group) => {
          const found = reportOf(entries, buildTimeline(rows), asked, range, group)
          const sum = found.lines.reduce((ms, { timeMs }) => ms + timeMs, 0)
          expect(sum - found.repeatedMs - found.deductedMs).toBe(found.totalMs)
          expect(found.repeatedMs).toBeGreaterThanOrEqual(0)
          return found.totalMs
        })
        expect(new Set(totals)).toEqual(new Set([reportedTime(entries, buildTimeline(rows), asked, range)]))
      }),
      { numRuns: runsOf(50, 200) },
    )
  })

  test('[D12.5] without a filter, the total of dates in the account is what the account counts', () => {
    const inside = scene.filter(({ rows, range }) => rows.some(({ effective_from }) => effective_from <= range.from))
    fc.assert(
      fc.property(inside, ({ rows, entries, range }) => {
        const days = computeDays(accountEntriesOf(entries), buildTimeline(rows), range)
        const counted = days.reduce((sum, figures) => sum + figures.worked_ms - figures.deducted_break_ms, 0)
        expect(reportedTime(entries, buildTimeline(rows), noFilter, range)).toBe(counted)
      }),
      { numRuns: runsOf(50, 200) },
    )
  })
})

/** Counts each minute of each date for all groups that cover it, and the entries that have such a minute. */
function countMinutes(
  model: NaiveAccount,
  entries: readonly TimedEntryContent[],
  { words, kind, project, tag }: EntryFilter,
  { from, to }: { from: LocalDate; to: LocalDate },
  group: ReportGroup,
) {
  const counted = kind === 'break' ? 'break' : 'work'
  const hasWord = (entry: TimedEntryContent, word: string) =>
    [entry.project, entry.note, ...entry.tags].some((text) => text === word)
  const wanted = words.split(' ').filter((word) => word !== '')
  const isChosen = (entry: TimedEntryContent) =>
    entry.kind === counted &&
    (kind === '' || kind === counted) &&
    (project === '' || entry.project === project) &&
    (tag === '' || entry.tags.includes(tag)) &&
    wanted.every((word) => hasWord(entry, word))
  const isWhole = (kind === '' || kind === 'work') && words === '' && project === '' && tag === ''
  const spans = entries.map((entry) => {
    const [start, end] = [entry.started_at, entry.ended_at ?? entry.started_at].map((text) => Date.parse(text))
    return { entry, start: start as number, end: end as number }
  })
  const lines: Record<string, number> = {}
  const entriesByKey = new Map<string, Set<TimedEntryContent>>()
  let [total, deducted, notCounted] = [0, 0, 0]
  for (const date of dates(from, to)) {
    const keysOf = (entry: TimedEntryContent): (string | null)[] => {
      if (group === 'project') return [entry.project]
      if (group === 'tag') return entry.tags.length > 0 ? entry.tags : [null]
      return [group === 'day' ? date : group === 'week' ? isoWeek(date) : date.slice(0, 7)]
    }
    const end = model.start(plus(date as LocalDate, 1))
    for (let ms = model.start(date); ms < end; ms += MINUTE_MS) {
      const here = spans.filter(({ start, end }) => start <= ms && ms < end).map(({ entry }) => entry)
      if (here.some((entry) => isChosen(entry) && !isCounted(entry))) notCounted += 1
      const chosen = here.filter((entry) => isChosen(entry) && isCounted(entry))
      for (const [entry, key] of chosen.flatMap((entry) => keysOf(entry).map((key) => [entry, `${key}`] as const))) {
        entriesByKey.set(key, (entriesByKey.get(key) ?? new Set()).add(entry))
      }
      if (counted === 'work' && here.some((entry) => entry.kind === 'break')) continue
      for (const key of new Set(chosen.flatMap(keysOf))) lines[`${key}`] = (lines[`${key}`] ?? 0) + 1
      if (chosen.length > 0) total += 1
    }
    const off = isWhole ? model.day(date).deducted_break_ms / MINUTE_MS : 0
    total -= off
    if (group === 'project' || group === 'tag') deducted += off
    else if (off > 0)
      for (const key of keysOf(entries[0] as TimedEntryContent)) lines[`${key}`] = (lines[`${key}`] ?? 0) - off
  }
  const shown = Object.fromEntries(Object.entries(lines).filter(([, minutes]) => minutes > 0))
  const counts = Object.fromEntries([...entriesByKey].map(([key, { size }]) => [key, size]))
  return { lines: shown, counts, total, deducted, notCounted }
}
