import { type DateRange, FIRST_DATE, LAST_DATE, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { neighbourRange, presetOf, presetRange, rangePresets } from './report-range.ts'

const TODAY = '2026-01-04'

function rangeOf(text: string): DateRange {
  const [from, to] = text.split(' ') as [LocalDate, LocalDate]
  return { from, to }
}

test.each([
  ['this-week', '2025-12-29', '2026-01-04'],
  ['last-week', '2025-12-22', '2025-12-28'],
  ['this-month', '2026-01-01', '2026-01-31'],
  ['last-month', '2025-12-01', '2025-12-31'],
  ['this-year', '2026-01-01', '2026-12-31'],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['all', FIRST_DATE, LAST_DATE],
] as const)('%s is from %s to %s', (preset, from, to) => {
  expect(presetRange(preset, TODAY)).toEqual({ from, to })
})

test('a range is recognized as the preset that has its dates', () => {
  for (const preset of rangePresets) expect(presetOf(presetRange(preset, TODAY), TODAY)).toBe(preset)
  expect(presetOf({ from: '2026-01-02', to: '2026-01-31' }, TODAY)).toBeUndefined()
})

test.each([
  ['a month', '2026-02-01 2026-02-28', '2026-01-01 2026-01-31', '2026-03-01 2026-03-31'],
  ['a quarter', '2026-01-01 2026-03-31', '2025-10-01 2025-12-31', '2026-04-01 2026-06-30'],
  ['a year', '2024-01-01 2024-12-31', '2023-01-01 2023-12-31', '2025-01-01 2025-12-31'],
  ['half a month', '2026-03-01 2026-03-15', '2026-02-14 2026-02-28', '2026-03-16 2026-03-30'],
  ['the rest of a month', '2026-03-17 2026-03-31', '2026-03-02 2026-03-16', '2026-04-01 2026-04-15'],
  ['some days', '2026-03-02 2026-03-04', '2026-02-27 2026-03-01', '2026-03-05 2026-03-07'],
])('%s has a range as long before it and after it', (_, range, before, after) => {
  expect(neighbourRange(rangeOf(range), -1)).toEqual(rangeOf(before))
  expect(neighbourRange(rangeOf(range), 1)).toEqual(rangeOf(after))
})

test('there is no neighbour beyond the years 1 to 9999', () => {
  const all = { from: FIRST_DATE, to: LAST_DATE }
  expect([neighbourRange(all, -1), neighbourRange(all, 1)]).toEqual([undefined, undefined])
  expect(neighbourRange({ from: '0001-01-02', to: '0001-12-31' }, -1)).toBeUndefined()
  expect(neighbourRange({ from: '9999-06-01', to: '9999-12-30' }, 1)).toBeUndefined()
  expect(neighbourRange({ from: '0001-01-03', to: '0001-01-05' }, -1)).toBeUndefined()
  expect(neighbourRange({ from: '9999-12-27', to: '9999-12-29' }, 1)).toBeUndefined()
})

test('a range that is open at one end has no neighbour', () => {
  expect(neighbourRange({ from: FIRST_DATE, to: '2026-12-31' }, 1)).toBeUndefined()
  expect(neighbourRange({ from: '9000-01-01', to: LAST_DATE }, -1)).toBeUndefined()
})

test('the first and the last days of the calendar are neighbours', () => {
  const ofFirst = neighbourRange({ from: '0001-01-04', to: '0001-01-06' }, -1)
  expect(ofFirst).toEqual({ from: '0001-01-01', to: '0001-01-03' })
  const january = neighbourRange({ from: '0001-02-01', to: '0001-02-28' }, -1)
  expect(january).toEqual({ from: '0001-01-01', to: '0001-01-31' })
  const december = neighbourRange({ from: '9999-11-01', to: '9999-11-30' }, 1)
  expect(december).toEqual({ from: '9999-12-01', to: '9999-12-31' })
})
