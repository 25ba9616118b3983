import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { findUnit, isEmptyCell, readLengthInText } from './lengths.ts'

const of = (hours: number, minutes = 0, seconds = 0) => ({
  ms: hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS,
})

test.each<[string, ReturnType<typeof readLengthInText>]>([
  ['30 min (Mittag)', of(0, 30)],
  ['Mittag 0:45', of(0, 45)],
  ['Pause: 1 h, kurz', of(1)],
  ['30 (Mittagspause)', { number: '30' }],
  ['45 Minuten Mittag', of(0, 45)],
  ['30 min + 15 min', undefined],
  ['12:00-12:30', undefined],
  ['- 30 min', undefined],
  ['keine', undefined],
])('[D11.15] a length beside words: %s', (text, length) => {
  expect(readLengthInText(text)).toEqual(length)
})

test('a cell with a sign that stands for nothing is empty', () => {
  for (const text of ['', ' ', '-', '–', 'n/a', 'keine', 'none']) expect(isEmptyCell(text), text).toBe(true)
  for (const text of ['0', '30', 'Mittag']) expect(isEmptyCell(text), text).toBe(false)
})

test('[D11.15] the unit of a column of numbers follows from other cells, else from their size, else it is open', () => {
  const unit = (
    column: 'duration' | 'break',
    numbers: string[],
    expectedMs: number[] = [],
    times?: 'dotted' | 'serial',
  ) =>
    findUnit(
      numbers.map((number) => ({ number, expectedMs })),
      column,
      times,
    )
  expect(unit('break', ['30', '45'])).toBe('minutes')
  expect(unit('break', ['0,5', '0,75'])).toBe('hours')
  expect(unit('break', ['1', '1'])).toEqual(['hours', 'minutes'])
  expect(unit('break', ['1', '1'], [HOUR_MS])).toBe('hours')
  expect(unit('break', ['1800', '2700'])).toBe('seconds')
  expect(unit('break', ['0', '0'])).toBe('hours')
  expect(unit('duration', ['8', '7,5'])).toBe('hours')
  expect(unit('duration', ['480', '450'])).toEqual(['minutes', 'hours'])
  expect(unit('duration', ['480', '480', '450'], [8 * HOUR_MS])).toBe('minutes')
  expect(unit('duration', ['900'])).toBe('minutes')
  expect(unit('duration', ['15', '20', '10'])).toEqual(['minutes', 'hours'])
  expect(unit('duration', ['0,333333333333333', '0,3125', '0,25'])).toBe('days')
  expect(unit('duration', ['0.333333333333333', '0.25'])).toEqual(['days', 'hours'])
  expect(unit('duration', ['0.333345', '0.25'], [], 'serial')).toBe('days')
  expect(unit('duration', ['0.333', '0.25', '0.5'])).toBe('hours')
  expect(unit('duration', ['28800'])).toBe('seconds')
  expect(unit('duration', ['7.30', '8.00', '7.45'])).toEqual(['hours', 'clock'])
  expect(unit('duration', ['7,30', '8,15', '7,45'])).toEqual(['hours', 'clock'])
  expect(unit('duration', ['7.30', '8.00', '7.75'])).toBe('hours')
  expect(unit('duration', ['7.30'], [7.5 * HOUR_MS])).toBe('clock')
  expect(unit('duration', ['7.30', '8.00'], [], 'dotted')).toBe('clock')
})
