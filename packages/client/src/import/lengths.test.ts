import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { findUnit, isEmptyCell, lengthIn, readLength, readLengthInText } from './lengths.ts'

const of = (hours: number, minutes = 0, seconds = 0) => ({
  ms: hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS,
})

test.each<[string, ReturnType<typeof readLength>]>([
  ['08:03:27', of(8, 3, 27)],
  ['26:30', of(26, 30)],
  [' 8:03 ', of(8, 3)],
  ['1:30 h', of(1, 30)],
  ['1:30 Std.', of(1, 30)],
  ['18:25 min', of(0, 18, 25)],
  ['6 sec', of(0, 0, 6)],
  ['1h 30m', of(1, 30)],
  ['1h30', of(1, 30)],
  ['1h30m', of(1, 30)],
  ['1 Std. 30 Min.', of(1, 30)],
  ['1 hour and 30 minutes', of(1, 30)],
  ['1 Stunde und 5 Minuten', of(1, 5)],
  ['90 min', of(1, 30)],
  ['90\u00a0min', of(1, 30)],
  ['1,5 h 15 s', of(1, 30, 15)],
  ['PT1H30M', of(1, 30)],
  ['P1DT2H', of(26)],
  ['PT0.5H', of(0, 30)],
  ['7,5', { number: '7,5' }],
  ['30', { number: '30' }],
  ['', undefined],
  ['x', undefined],
  ['-1', undefined],
  ['1:75', undefined],
  ['5 d', undefined],
  ['PT', undefined],
  ['1:30 s', undefined],
  ['5 h 3 h 7', of(8, 7)],
  ['30 minh', undefined],
])('[D11.15] the length in a cell: %s', (text, length) => {
  expect(readLength(text)).toEqual(length)
})

test.each<[string, ReturnType<typeof readLength>]>([
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

test('[D11.15] a number has one decimal sign, whatever other cells have; three digits of minutes are thousands', () => {
  const hours = (text: string) => (lengthIn(text, 'hours') ?? Number.NaN) / HOUR_MS
  for (const text of ['7,5', '7.5', '7,50', '7.500']) expect(hours(text), text).toBe(7.5)
  expect(['0,25', '1.250,5', '1,250.5', "1'250.5", '2.000.000'].map(hours)).toEqual([0.25, 1250.5, 1250.5, 1250.5, 2e6])
  expect(lengthIn('1,500', 'minutes')).toBe(1_500 * MINUTE_MS)
  expect(lengthIn('3.600', 'seconds')).toBe(HOUR_MS)
  expect(lengthIn('7.30', 'clock')).toBe(7.5 * HOUR_MS)
  expect(lengthIn('8', 'clock')).toBe(8 * HOUR_MS)
})

test('a cell with a sign that stands for nothing is empty', () => {
  for (const text of ['', ' ', '-', '–', 'n/a', 'keine', 'none']) expect(isEmptyCell(text), text).toBe(true)
  for (const text of ['0', '30', 'Mittag']) expect(isEmptyCell(text), text).toBe(false)
})

test('[D11.15] the unit of a column of numbers follows from other cells, else from their size, else it is open', () => {
  const unit = (column: 'duration' | 'break', numbers: string[], expectedMs: number[] = [], isDotted = false) =>
    findUnit(
      numbers.map((number) => ({ number, expectedMs })),
      column,
      isDotted,
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
  expect(unit('duration', ['28800'])).toBe('seconds')
  expect(unit('duration', ['7.30', '8.00', '7.45'])).toEqual(['hours', 'clock'])
  expect(unit('duration', ['7.30', '8.00', '7.75'])).toBe('hours')
  expect(unit('duration', ['7.30'], [7.5 * HOUR_MS])).toBe('clock')
  expect(unit('duration', ['7.30', '8.00'], [], true)).toBe('clock')
})
