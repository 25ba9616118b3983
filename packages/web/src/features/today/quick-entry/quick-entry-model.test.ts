import { aWork } from '@saldo/client/testing'
import { contentOf, HOUR_MS, type LocalDate, type TimedEntryContent } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  areNamedAsRange,
  choiceByKey,
  dateStyleOf,
  isRepeatedNext,
  planSummaryOf,
  textOnceFailed,
  textOnceKept,
} from './quick-entry-model.ts'

/** An entry in hours from midnight of Friday in Berlin. */
function entry(from: number, to: number, changed: Parameters<typeof aWork>[2] = {}): TimedEntryContent {
  const midnightMs = Date.parse('2026-11-19T23:00:00Z')
  const record = aWork(midnightMs + from * HOUR_MS, midnightMs + to * HOUR_MS, changed)
  return contentOf(record) as TimedEntryContent
}

test('planned entries are shown once for all dates with the same, and work that counts is summed up', () => {
  const entries = [8, 32].flatMap((first) => [
    entry(first, first + 4),
    entry(first + 4, first + 5, { kind: 'break' }),
    entry(first + 5, first + 7, { counts: false }),
  ])
  expect(planSummaryOf({ entries }, 'Europe/Berlin')).toEqual({
    groups: [{ dates: ['2026-11-20', '2026-11-21'], shown: entries.slice(0, 3) }],
    workedMs: 8 * HOUR_MS,
  })
  const others = [entry(9, 12), entry(33, 36), entry(57, 61)]
  expect(planSummaryOf({ entries: others }, 'Europe/Berlin').groups).toEqual([
    { dates: ['2026-11-20', '2026-11-21'], shown: others.slice(0, 1) },
    { dates: ['2026-11-22'], shown: others.slice(2) },
  ])
})

test.each<[LocalDate[], number, boolean]>([
  [['2026-11-20'], 0, false],
  [['2026-11-16', '2026-11-17'], 0, true],
  [['2026-11-16', '2026-11-18', '2026-11-20'], 0, false],
  [['2026-12-24', '2026-12-31'], 0, false],
  [['2026-11-20', '2026-11-23'], 2, true],
  [['2026-11-02', '2026-11-04', '2026-11-06', '2026-11-09', '2026-11-11'], 0, true],
])('the dates %j with %i days off are named as a range: %s', (dates, freeCount, isRange) => {
  expect(areNamedAsRange(dates, freeCount)).toBe(isRange)
})

test('the date of a planned entry is that in its own time zone, or in that of the account', () => {
  const dateIn = (time_zone: string | null, zone: string) => {
    return planSummaryOf({ entries: [entry(0.5, 1, { time_zone })] }, zone).groups[0]?.dates[0]
  }
  expect(dateIn(null, 'Europe/Berlin')).toBe('2026-11-20')
  expect(dateIn(null, 'Europe/London')).toBe('2026-11-19')
  expect(dateIn('Europe/London', 'Europe/Berlin')).toBe('2026-11-19')
})

test('the words of an entry are repeated by the next one of its kind with the same project and note', () => {
  const work = entry(8, 9, { project: 'Atlas', note: 'plan' })
  const pause = entry(9, 10, { kind: 'break' })
  const others = [
    { ...work, project: 'Borealis' },
    { ...work, note: '' },
    { ...pause, project: 'Atlas', note: 'plan' },
  ]
  expect(isRepeatedNext([work, pause, work], 0)).toBe(true)
  expect(isRepeatedNext([work, ...others.slice(0, 1), work], 0)).toBe(false)
  expect(others.map((other) => isRepeatedNext([work, other], 0))).toEqual([false, false, false])
  expect(isRepeatedNext([work, work], 1)).toBe(false)
})

test('a planned date of another year has its year', () => {
  expect(dateStyleOf('2026-01-01', '2026-11-20')).toBe('short')
  expect(dateStyleOf('2027-11-20', '2026-11-20')).toBe('medium')
})

test('a stored text leaves the field, and comes back if it was rejected; what is typed meanwhile stays', () => {
  expect([textOnceKept('9-12', '9-12'), textOnceKept('13-17', '9-12'), textOnceKept('', '9-12')]).toEqual([
    '',
    '13-17',
    '',
  ])
  expect([textOnceFailed('', '9-12'), textOnceFailed('13-17', '9-12')]).toEqual(['9-12', '13-17'])
})

test('[D32.7] arrow keys move among the choices, and up from the first one to the field', () => {
  const moves = (key: string) => [0, 1, 2].map((index) => choiceByKey(key, index, 3))
  expect(moves('ArrowDown')).toEqual([1, 2, undefined])
  expect(moves('ArrowUp')).toEqual([-1, 0, 1])
  expect([moves('Home'), moves('End')]).toEqual([
    [0, 0, 0],
    [2, 2, 2],
  ])
  expect(moves('a')).toEqual([undefined, undefined, undefined])
})
