import { expect, test } from 'vitest'
import { allValues } from './reading.ts'
import { readTime } from './times.ts'

test('[D32.5] "now" is a time of day where somebody says which', () => {
  expect(['now', 'jetzt'].map((text) => readTime(text, { now: 615 }))).toEqual([
    { kind: 'certain', value: 615 },
    { kind: 'certain', value: 615 },
  ])
  expect(readTime('now')).toEqual({ kind: 'nothing' })
})

test('[D32.11] an end of twelve hours lies where that of a range does', () => {
  const ends = (text: string, start: number) => allValues(readTime(text, { start: start * 60 })).map((end) => end / 60)
  expect(ends('5', 9)).toEqual([17])
  expect(ends('5:30', 9)).toEqual([17.5])
  expect(ends('12', 9)).toEqual([12])
  expect(ends('6', 22)).toEqual([6])
  expect(ends('9', 17)).toEqual([21, 9])
  expect(ends('9', 9)).toEqual([9])
  for (const text of ['05:00', '5am', '5 Uhr']) expect(ends(text, 9), text).toEqual([5])
})

test('[D32.5] a time that is past can be one of twelve hours', () => {
  const past = (text: string) => allValues(readTime(text, { until: 16 * 60 })).map((time) => time / 60)
  expect(past('1')).toEqual([13, 1])
  expect(past('4')).toEqual([16, 4])
  expect(past('5')).toEqual([5])
  expect(past('01:00')).toEqual([1])
})
