import { DAY_MS, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { describe, expect, test, vi } from 'vitest'
import { draftImport } from './draft.ts'
import { type FileRow, type ImportFile, newRow } from './file.ts'
import { nameRows } from './ids.ts'
import { findQuestions, hasLocalTimes, type ImportAnswers, questionsToShow } from './questions.ts'

const berlin: ImportAnswers = { timeZone: 'Europe/Berlin' }
const START = '2026-01-05T09:00:00.000Z'
const startMs = Date.parse(START)

const fileOf = (rows: readonly Partial<FileRow>[]): ImportFile => ({
  format: 'csv',
  batch: 'csv-test',
  rows: nameRows(
    'csv',
    rows.map((row, index) => ({ ...newRow(index + 2), note: String(index), ...row })),
  ),
})
const draft = (rows: readonly Partial<FileRow>[], answers = berlin) => draftImport(fileOf(rows), answers)
const oddities = (row: Partial<FileRow>) => draft([row]).oddities.map(({ oddity }) => oddity)
const skips = (row: Partial<FileRow>) => draft([row]).skipped.map(({ reason }) => reason)
const contentsOf = (rows: readonly Partial<FileRow>[], answers = berlin) =>
  draft(rows, answers).drafts.map(({ content }) => content)

/** Work of so long from nine in the morning. */
const lasting = (ms: number): Partial<FileRow> => ({ start: { at: startMs }, end: { at: startMs + ms } })
const onClock = (date: string, from: string, to?: string): Partial<FileRow> => ({
  start: { date, time: from },
  ...(to !== undefined && { end: { date: '', time: to } }),
})

test('[D11.13] of a text that is cut off, no more is taken apart than is kept', () => {
  const slices = vi.spyOn(Array.prototype, 'slice')
  try {
    expect(contentsOf([{ ...lasting(HOUR_MS), note: '😀'.repeat(20_000) }])).toMatchObject([
      { note: '😀'.repeat(5_000) },
    ])
    const lengths = () => slices.mock.contexts.map((list) => (list as unknown[]).length)
    expect(Math.max(...lengths())).toBeLessThanOrEqual(10_000)
    slices.mockClear()
    const shared = { note: 'x'.repeat(6_000), tags: ['a'] }
    expect(contentsOf(Array.from({ length: 9 }, () => ({ ...lasting(HOUR_MS), ...shared })))).toHaveLength(9)
    expect(lengths().filter((length) => length > 5_000)).toHaveLength(1)
  } finally {
    slices.mockRestore()
  }
})

test('[D11.1] a sign that says that a cell is empty is no project and no tag', () => {
  const row = { ...lasting(HOUR_MS), project: '-', tags: ['-', 'a'] }
  expect(contentsOf([row])).toMatchObject([{ project: null, tags: ['a'] }])
  expect(contentsOf([{ ...row, project: ' – ', client: 'Quay', tags: [] }])).toMatchObject([{ project: 'Quay' }])
})

describe('limits', () => {
  test('[D11.1] an entry is long from a day on, and too long from 31 days on', () => {
    expect(oddities(lasting(DAY_MS))).toEqual([])
    expect(oddities(lasting(DAY_MS + 1))).toEqual(['longer_than_a_day'])
    expect(skips(lasting(31 * DAY_MS))).toEqual([])
    expect(skips(lasting(31 * DAY_MS + 1))).toEqual(['too_long'])
    expect(skips({ date: '2026-01-05', durationMs: 31 * DAY_MS })).toEqual([])
    expect(skips({ date: '2026-01-05', durationMs: 31 * DAY_MS + 1 })).toEqual(['too_long'])
  })

  test('[D11.1] an instant ends no earlier than it begins, and has an end', () => {
    expect(skips(lasting(-1))).toEqual(['end_before_start'])
    expect(oddities(lasting(0))).toEqual(['zero_length'])
    expect(skips({ start: { at: startMs } })).toEqual(['no_end'])
    expect(skips({ start: { at: startMs }, end: { date: '2026-01-05', time: '10:00' } })).toEqual(['invalid_time'])
    expect(contentsOf([{ start: { at: startMs }, durationMs: HOUR_MS }])).toMatchObject([
      { started_at: START, ended_at: '2026-01-05T10:00:00.000Z' },
    ])
  })

  test('[D11.1] a day takes 1,000 entries, by the day of UTC', () => {
    const rows = Array.from({ length: 1_001 }, (_, index) => ({ ...lasting(MINUTE_MS), note: `${index}` }))
    const nextDay = { start: { at: startMs + DAY_MS }, durationMs: 1 }
    const { drafts, skipped } = draft([...rows, nextDay])
    expect(drafts).toHaveLength(1_001)
    expect(skipped).toEqual([{ row: 1_002, reason: 'too_many_on_a_day' }])
  })

  test('[D11.1] 50 tags and names of 200 characters are kept, the rest is cut off and named', () => {
    const tags = Array.from({ length: 51 }, (_, index) => `tag ${index}`)
    expect(oddities({ ...lasting(1), tags: tags.slice(1) })).toEqual([])
    expect(oddities({ ...lasting(1), tags })).toEqual(['text_shortened'])
    expect(oddities({ ...lasting(1), project: 'x'.repeat(200) })).toEqual([])
    expect(oddities({ ...lasting(1), project: 'x'.repeat(201) })).toEqual(['text_shortened'])
    const content = { tags: tags.slice(0, 50), project: 'x'.repeat(200) }
    expect(
      contentsOf([{ ...lasting(1), tags: [' tag 0 ', ...tags, ' '], project: ' x'.repeat(1) + 'x'.repeat(300) }]),
    ).toMatchObject([content])
  })
})

test('[D11.6] an end in an hour that is skipped or comes twice is named, and once if the start is too', () => {
  expect(oddities(onClock('2026-10-25', '1:00', '2:30'))).toEqual(['clock_change_repeated_hour'])
  expect(oddities(onClock('2026-10-25', '2:15', '2:30'))).toEqual(['clock_change_repeated_hour'])
  expect(oddities(onClock('2026-03-29', '1:00', '2:30'))).toEqual(['clock_change_gap'])
})

describe('breaks and lengths that a row states', () => {
  test('[D11.1] a break lies in the middle of a longer entry, and not of one that it fills', () => {
    const row = { ...lasting(3 * HOUR_MS), breakMs: HOUR_MS, note: 'a', project: 'p', tags: ['t'] }
    const { drafts, oddities: odd } = draft([row])
    expect(drafts.map(({ content: { kind, started_at, note } }) => [kind, started_at.slice(11, 16), note])).toEqual([
      ['work', '09:00', 'a'],
      ['break', '10:00', ''],
    ])
    expect(drafts[1]?.content).toMatchObject({ ended_at: '2026-01-05T11:00:00.000Z', project: null, tags: [] })
    expect(odd).toEqual([{ row: 2, oddity: 'break_placed' }])
    expect(draft([{ ...row, breakMs: 3 * HOUR_MS }]).drafts).toHaveLength(1)
    expect(draft([{ ...row, breakMs: 0 }]).drafts).toHaveLength(1)
  })

  test('[D11.1] a stated length may differ from the times by a minute, and may leave out the break', () => {
    const stating = (durationMs: number, breakMs?: number) =>
      oddities({ ...onClock('2026-01-05', '09:00', '17:00'), durationMs, ...(breakMs && { breakMs }) })
    expect(stating(8 * HOUR_MS + MINUTE_MS)).toEqual([])
    expect(stating(8 * HOUR_MS - MINUTE_MS)).toEqual([])
    expect(stating(8 * HOUR_MS + MINUTE_MS + 1)).toEqual(['duration_differs'])
    expect(stating(7 * HOUR_MS)).toEqual(['duration_differs'])
    expect(stating(7 * HOUR_MS, HOUR_MS)).toEqual(['break_placed'])
    expect(stating(9 * HOUR_MS, HOUR_MS)).toEqual(['duration_differs', 'break_placed'])
  })
})

describe('projects', () => {
  test('[D11.1] a project carries its client only where two clients have one of that name', () => {
    const project = (name: string, client: string) => ({ ...lasting(1), project: name, client })
    const rows = [project('site', 'Ada'), project('site', 'Bob'), project('site', ''), project('shop', 'Ada')]
    expect(contentsOf([...rows, project('', 'Ada'), project('', '')]).map((content) => content.project)).toEqual([
      'site (Ada)',
      'site (Bob)',
      'site',
      'shop',
      'Ada',
      null,
    ])
  })

  test('[D11.1] clients of rows that are not imported do not count', () => {
    const rows = [
      { ...lasting(1), project: 'site', client: 'Ada', user: 'me' },
      { ...lasting(1), project: 'site', client: 'Bob', user: 'you' },
    ]
    expect(contentsOf(rows, { ...berlin, user: 'me' })).toMatchObject([{ project: 'site' }])
  })
})

describe('users', () => {
  const rows = ['Bob', '', 'Ada'].map((user) => ({ ...lasting(1), user }))

  test('[D11.5] of several users one is chosen, in the order of names; a row without one is everybody’s', () => {
    expect(findQuestions(fileOf(rows), {})).toEqual([{ about: 'user', options: ['Ada', 'Bob'] }])
    expect(findQuestions(fileOf(rows), { user: 'Eve' })).toEqual([{ about: 'user', options: ['Ada', 'Bob'] }])
    expect(findQuestions(fileOf(rows), { user: 'Bob' })).toEqual([])
    expect(findQuestions(fileOf(rows.slice(0, 2)), {})).toEqual([])
    const { drafts, skipped } = draft(rows, { ...berlin, user: 'Ada' })
    expect(drafts.map(({ row }) => row)).toEqual([3, 4])
    expect(skipped).toEqual([{ row: 2, reason: 'other_user' }])
  })
})

test('[D11.5] an answered question stays to be answered anew; all others are about the rows of the user', () => {
  const rows = [
    { ...onClock('05/01/2026', '9:00', '10:00'), user: 'Ada' },
    { ...onClock('13/01/2026', '9:00', '10:00'), user: 'Bob' },
  ]
  const about = (user?: string) => questionsToShow(fileOf(rows), { user }).map((question) => question.about)
  expect(about()).toEqual(['user'])
  expect(about('Ada')).toEqual(['user', 'dateOrder'])
  expect(about('Bob')).toEqual(['user'])
})

describe('the order of day and month', () => {
  const both = onClock('05/01/2026', '9:00', '10:00')

  test('[D11.5] an answer counts only where the file proves no order', () => {
    const starts = (rows: Partial<FileRow>[], dateOrder?: 'dmy' | 'mdy') =>
      contentsOf(rows, { ...berlin, dateOrder }).map(({ started_at }) => started_at.slice(0, 10))
    expect(findQuestions(fileOf([both]), {})).toEqual([{ about: 'dateOrder', options: ['dmy', 'mdy'] }])
    expect(findQuestions(fileOf([both]), { dateOrder: 'mdy' })).toEqual([])
    expect(starts([both], 'mdy')).toEqual(['2026-05-01'])
    expect(starts([both], 'dmy')).toEqual(['2026-01-05'])
    expect(starts([both, onClock('13/01/2026', '9:00', '10:00')], 'mdy')).toEqual(['2026-01-05', '2026-01-13'])
  })

  test('[D11.5] rows of other users prove nothing', () => {
    const of = (user: string, date: string) => ({ ...onClock(date, '09:00', '10:00'), user })
    const rows = [of('Ada', '03/04/2026'), of('Ben', '04/25/2026')]
    const file = fileOf(rows)
    expect(findQuestions(file, { user: 'Ada' }).map(({ about }) => about)).toEqual(['dateOrder'])
    expect(findQuestions(file, { user: 'Ben' })).toEqual([])
    const startOf = (answers: Partial<ImportAnswers>) =>
      contentsOf(rows, { ...berlin, user: 'Ada', ...answers })[0]?.started_at
    expect(startOf({ dateOrder: 'dmy' })).toBe('2026-04-03T07:00:00.000Z')
    expect(startOf({ dateOrder: 'mdy' })).toBe('2026-03-04T08:00:00.000Z')
  })

  test('[D11.5] ends and dates of rows without a start prove it too', () => {
    const questions = (row: Partial<FileRow>) => findQuestions(fileOf([both, row]), { durations: 'as-is' })
    const ending = { start: { date: '05/01/2026', time: '23:00' }, end: { date: '13/01/2026', time: '01:00' } }
    expect(questions(ending)).toEqual([])
    expect(questions({ date: '13/01/2026', durationMs: 1 })).toEqual([])
  })
})

describe('times on a clock', () => {
  test.each<[string, Partial<FileRow>]>([
    ['no_date', onClock('', '9:00', '10:00')],
    ['invalid_date', onClock('2026-02-31', '9:00', '10:00')],
    ['no_year', onClock('02.11.', '9:00', '10:00')],
    ['no_year', onClock('Mo 2. Nov', '9:00', '10:00')],
    ['no_year', { durationMs: 1, date: '24/12' }],
    ['invalid_date', onClock('31.02.', '9:00', '10:00')],
    ['invalid_time', onClock('2026-01-05', '25:00', '10:00')],
    ['invalid_time', onClock('2026-01-05', '9:00', '25:00')],
    ['no_end', onClock('2026-01-05', '9:00')],
    ['invalid_time', { start: { date: '2026-01-05', time: '9:00' }, end: { at: startMs } }],
    ['invalid_date', { start: { date: '2026-01-05', time: '9:00' }, end: { date: '2026-02-31', time: '9:00' } }],
    ['end_before_start', { start: { date: '2026-01-05', time: '9:00' }, end: { date: '2026-01-05', time: '8:59' } }],
    ['no_date', { durationMs: 1, date: '' }],
    ['invalid_date', { durationMs: 1, date: '2026-02-31' }],
  ])('[D11.1] a row is skipped as %s', (reason, row) => {
    const usual = onClock('2026-01-07', '9:00', '10:00')
    expect(draft([row, usual]).skipped).toEqual([{ row: 2, reason }])
  })

  test('[D11.1] a row without an end has a length, and one with a date of its end ends on it', () => {
    const usual = onClock('2026-01-07', '9:00', '10:00')
    const lengthy = { ...onClock('2026-01-05', '9:00'), durationMs: HOUR_MS }
    const late = { start: { date: '2026-01-05', time: '22:00' }, end: { date: '2026-01-06', time: '23:00' } }
    expect(contentsOf([lengthy, late, usual]).map(({ started_at, ended_at }) => [started_at, ended_at])).toMatchObject([
      ['2026-01-05T08:00:00.000Z', '2026-01-05T09:00:00.000Z'],
      ['2026-01-05T21:00:00.000Z', '2026-01-06T22:00:00.000Z'],
      ['2026-01-07T08:00:00.000Z', '2026-01-07T09:00:00.000Z'],
    ])
    expect(draft([late]).oddities).toEqual([{ row: 2, oddity: 'longer_than_a_day' }])
  })

  test('[D11.1] an entry has the zone of its start, or that of the answer', () => {
    const start = { date: '2026-01-05', time: '9:00', zone: 'America/New_York' }
    const rows = [{ start, end: { date: '', time: '10:00' } }, onClock('2026-01-05', '9:00', '10:00')]
    expect(contentsOf(rows)).toMatchObject([
      { time_zone: 'America/New_York', started_at: '2026-01-05T14:00:00.000Z', ended_at: '2026-01-05T15:00:00.000Z' },
      { time_zone: 'Europe/Berlin', started_at: '2026-01-05T08:00:00.000Z' },
    ])
  })

  test('a file asks for the zone of its times only where one has none', () => {
    const zoned = { date: '2026-01-05', time: '9:00', zone: 'Europe/Berlin' }
    const hasThem = (row: Partial<FileRow>) => hasLocalTimes(fileOf([lasting(1), row]))
    expect(hasThem(lasting(1))).toBe(false)
    expect(hasThem({ start: zoned, end: zoned })).toBe(false)
    expect(hasThem(onClock('2026-01-05', '9:00', '10:00'))).toBe(true)
    expect(hasThem({ start: zoned, end: { date: '2026-01-05', time: '9:00' } })).toBe(true)
    expect(hasThem({ date: '2026-01-05', durationMs: 1 })).toBe(true)
    expect(hasLocalTimes({ format: 'saldo', records: [], closedWeeks: [], closedDays: [] } as never)).toBe(false)
  })
})

describe('rows without times', () => {
  const hours = (date: string, count: number) => ({ date, durationMs: count * HOUR_MS })
  const startsOf = (rows: Partial<FileRow>[], durations: 'sequential' | 'as-is') =>
    contentsOf(rows, { ...berlin, durations }).map(({ started_at }) => started_at.slice(5, 16))

  test('[D11.5] they follow one another from nine, each day anew, or all begin at nine', () => {
    const rows = [hours('2026-01-05', 2), hours('2026-01-06', 1), hours('2026-01-05', 1), hours('2026-01-05', 1)]
    expect(findQuestions(fileOf(rows), {}).map(({ about }) => about)).toEqual(['durations'])
    expect(findQuestions(fileOf(rows), { durations: 'as-is' })).toEqual([])
    expect(startsOf(rows, 'sequential')).toEqual(['01-05T08:00', '01-06T08:00', '01-05T10:00', '01-05T11:00'])
    expect(startsOf(rows, 'as-is')).toEqual(['01-05T08:00', '01-06T08:00', '01-05T08:00', '01-05T08:00'])
  })

  test('[D11.5] beside rows with times, only they are placed', () => {
    const rows = [
      onClock('2026-01-05', '14:00', '15:00'),
      hours('2026-01-05', 1),
      onClock('2026-01-06', '7:00', '8:00'),
    ]
    expect(startsOf(rows, 'sequential')).toEqual(['01-05T13:00', '01-05T08:00', '01-06T06:00'])
  })

  test('[D11.5] a length that no column states is that between the times of one date', () => {
    const same = (to: string, date = '') => ({
      start: { date: '2026-01-05', time: '8:30' },
      end: { date, time: to },
    })
    const rows = [same('9:00'), same('9:30', '2026-01-05'), same('10:00')]
    expect(findQuestions(fileOf(rows), {}).map(({ about }) => about)).toEqual(['durations'])
    expect(startsOf(rows, 'sequential')).toEqual(['01-05T08:00', '01-05T08:30', '01-05T09:30'])
    // A row that ends on another date has no such length, and keeps its times.
    const night = same('8:00', '2026-01-06')
    expect(startsOf([...rows, night], 'sequential')).toEqual([
      '01-05T08:00',
      '01-05T08:30',
      '01-05T09:30',
      '01-05T07:30',
    ])
    expect(startsOf([same('8:00'), ...rows], 'sequential').slice(0, 2)).toEqual(['01-05T07:30', '01-05T08:00'])
  })

  test('[D11.5] one row without times is enough to ask', () => {
    expect(findQuestions(fileOf([hours('2026-01-05', 1)]), {}).map(({ about }) => about)).toEqual(['durations'])
  })

  test('[D11.5] all rows at one time with a day of two are without times; with two times they are not', () => {
    const one = onClock('2026-01-05', '9:00', '10:00')
    const asks = (...rows: Partial<FileRow>[]) => findQuestions(fileOf(rows), {}).length > 0
    expect(asks(one, one)).toBe(true)
    expect(asks(one, onClock('2026-01-06', '9:00', '10:00'))).toBe(false)
    expect(asks(one, onClock('2026-01-05', '10:00', '11:00'))).toBe(false)
  })
})
