import type { LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { readDate, readDates } from './dates.ts'
import { readDuration, readWrittenDuration } from './durations.ts'
import { LONGEST_TEXT, lineOf } from './line.ts'
import { readMoment } from './moments.ts'
import { readTime, readTimeOfDay, readTimeRange } from './times.ts'

test('a phrase can begin after a space or a separator', () => {
  const startsAfter = (mark: string) => lineOf(`a${mark}9`).isStart(2)
  for (const mark of [',', ';', '+', '&', '/', '(', '[', ')', ']', ':']) expect(startsAfter(mark), mark).toBe(true)
  for (const mark of ['.', '-', '!', '?', '#', '@']) expect(startsAfter(mark), mark).toBe(false)
  expect(lineOf('a 9').isStart(1)).toBe(true)
  expect(lineOf('a9').isStart(1)).toBe(false)
})

test('a phrase can end before a space, a mark, or the dot of a sentence', () => {
  const endsBefore = (mark: string) => lineOf(`9${mark}a`).isEnd(1)
  for (const mark of [',', ';', '+', '&', '/', ')', ']', '!', '?', ':']) expect(endsBefore(mark), mark).toBe(true)
  for (const mark of ['(', '[', '-', '#', '@', '.']) expect(endsBefore(mark), mark).toBe(false)
  expect(lineOf('9. a').isEnd(1)).toBe(true)
  expect(lineOf('9.. a').isEnd(2)).toBe(false)
  expect(lineOf('9').isEnd(1)).toBe(true)
})

test('the longest phrase counts, and a hyphen within words counts as a space', () => {
  const table = new Map([
    ['next', 1],
    ['next week', 2],
    ['one two three four five', 5],
  ])
  expect(lineOf('next week').phrase(0, table)).toEqual({ value: 2, next: 2 })
  expect(lineOf('Next-Week').phrase(0, table)).toEqual({ value: 2, next: 3 })
  expect(lineOf('next - week').phrase(0, table)).toEqual({ value: 1, next: 1 })
  expect(lineOf('next -week').phrase(0, table)).toEqual({ value: 1, next: 1 })
  expect(lineOf('one two three four five').phrase(0, table)).toEqual({ value: 5, next: 5 })
  expect(lineOf('x next').skip(0, table)).toBe(0)
  expect(lineOf('x next').skip(1, table)).toBe(2)
})

test('a pattern matches whole lexemes, and digits have a length', () => {
  expect(lineOf('12:30').match(0, /12:30/y)?.next).toBe(3)
  expect(lineOf('12 : 30').match(0, /12 : 30/y)?.next).toBe(3)
  expect(lineOf('12:30').match(0, /12:3/y)).toBeUndefined()
  expect(lineOf('a 123').match(1, /1\d+/y)?.value[0]).toBe('123')
  const { digits } = lineOf('123 a')
  expect([digits(0, 3, 3), digits(0, 1, 2), digits(0, 4, 5), digits(1, 1, 3)]).toEqual([
    '123',
    undefined,
    undefined,
    undefined,
  ])
})

const today: LocalDate = '2026-11-20'
const present = { today, nowMs: Date.parse(`${today}T12:00:00Z`), zone: 'Europe/Berlin' }

test.each<[name: string, text: string, read: (text: string) => unknown]>([
  ['a duration', '1h 30m', (text) => readDuration(text, 'hours')],
  ['a written duration', '1h 30m', readWrittenDuration],
  ['a number of hours', '1 250', readWrittenDuration],
  ['a date', '2. November', (text) => readDate(text, { today, near: today, order: 'dmy' })],
  ['days', '2. November', (text) => readDates(text, { today, isAhead: false })],
  ['a time of day', '8 pm', readTime],
  ['a time of a table', '8 pm', readTimeOfDay],
  ['a range', '8 - 9', readTimeRange],
  ['a moment', 'yesterday 8:00', (text) => readMoment(text, present)],
])('[D32.16] a text of more than 200 characters is not read as %s', (_, text, read) => {
  const padded = (length: number) => text.replace(' ', ' '.repeat(1 + length - text.length))
  const none = [undefined, { kind: 'nothing' }, []]
  expect(none).not.toContainEqual(read(padded(LONGEST_TEXT - 1)))
  expect(none).toContainEqual(read(padded(LONGEST_TEXT + 1)))
})
