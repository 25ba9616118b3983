import { readFileSync } from 'node:fs'
import { HOUR_MS, type LocalDate, MINUTE_MS, SECOND_MS } from '@saldo/core'
import { describe, expect, test } from 'vitest'
import { clockText, wallAt } from '../entries/wall-time.ts'
import { readDate, readDates, readFullDate } from './dates.ts'
import { type BareNumber, readDuration, readWrittenDuration } from './durations.ts'
import { readMoment } from './moments.ts'
import { readNumber, readPercent } from './numbers.ts'
import { type Reading, readingOfValues } from './reading.ts'
import { readTime, readTimeOfDay } from './times.ts'
import type { DateOrder } from './written-days.ts'

type Readings = Record<string, string>

/** Texts of real habits and what they mean, by what reads them; `fixtures/README.md` tells the shape. */
const corpus = JSON.parse(
  readFileSync(new URL('../../../../fixtures/readings.json', import.meta.url), 'utf8'),
) as Record<'cells' | 'times' | 'clockCells' | 'ranges' | 'moments' | 'numbers' | 'percents', Readings> & {
  durations: Record<BareNumber, Readings>
  dates: Record<DateOrder, Readings>
  dateCells: Record<DateOrder, Readings>
}

/** A Friday, 11:00 in Berlin. */
const present = { today: '2026-11-20' as LocalDate, nowMs: Date.parse('2026-11-20T10:00:00Z'), zone: 'Europe/Berlin' }

const NONE = '–'
const two = (part: number) => String(part).padStart(2, '0')

function durationText(ms: number): string {
  const size = Math.abs(ms)
  const [hours, minutes] = [Math.floor(size / HOUR_MS), Math.floor((size % HOUR_MS) / MINUTE_MS)]
  const seconds = (size % MINUTE_MS) / SECOND_MS
  return `${ms < 0 ? '-' : ''}${hours}:${two(minutes)}${seconds === 0 ? '' : `:${two(seconds)}`}`
}

function clockOfDay(ms: number): string {
  return `${clockText(Math.floor(ms / MINUTE_MS))}:${two((ms % MINUTE_MS) / SECOND_MS)}`
}

function written<T>(reading: Reading<T>, textOf: (value: T) => string): string {
  if (reading.kind === 'nothing') return NONE
  return reading.kind === 'certain' ? textOf(reading.value) : reading.choices.map(textOf).join(' | ')
}

const same = (text: string) => text
const orNone = <T>(value: T | undefined, textOf: (value: T) => string) => (value === undefined ? NONE : textOf(value))

function cellText(text: string): string {
  return orNone(readWrittenDuration(text), (read) => ('ms' in read ? durationText(read.ms) : `number ${read.number}`))
}

function momentText(text: string): string {
  return written(readMoment(text, present), (ms) => {
    const { date, minutes } = wallAt(ms, present.zone)
    return `${date} ${clockText(minutes)}`
  })
}

const dated = (order: DateOrder) => (text: string) =>
  written(readDate(text, { today: present.today, near: present.today, order }), same)
const lasting = (bare: BareNumber) => (text: string) => written(readDuration(text, bare), durationText)

const readers: [string, Readings, (text: string) => string][] = [
  ['[D32.3] a duration in a field', corpus.durations.hours, lasting('hours')],
  ['[D32.3] a duration where durations are shown as decimals', corpus.durations.decimals, lasting('decimals')],
  ['[D32.3] a break in a field', corpus.durations.break, lasting('break')],
  ['[D11.15] a duration in a cell', corpus.cells, cellText],
  ['[D32.5] a time of day', corpus.times, (text) => written(readTime(text), clockText)],
  ['[D32.5] a time of day in a cell', corpus.clockCells, (text) => orNone(readTimeOfDay(text), clockOfDay)],
  ['[D32.4] a date', corpus.dates.dmy, dated('dmy')],
  ['[D32.4] a date, month first', corpus.dates.mdy, dated('mdy')],
  ['[D32.4] a date in a cell', corpus.dateCells.dmy, (text) => orNone(readFullDate(text, 'dmy'), same)],
  ['[D32.4] a date in a cell, month first', corpus.dateCells.mdy, (text) => orNone(readFullDate(text, 'mdy'), same)],
  [
    '[D32.4] dates',
    corpus.ranges,
    (text) => {
      const ranges = readDates(text, { today: present.today, isAhead: false })
      return written(readingOfValues(ranges.map(({ from, to }) => (from === to ? from : `${from}..${to}`))), same)
    },
  ],
  ['[D32.5] a moment', corpus.moments, momentText],
  ['[D32.2] a number', corpus.numbers, (text) => written(readNumber(text), String)],
  ['[D32.2] a percentage', corpus.percents, (text) => written(readPercent(text), (share) => String(+share.toFixed(4)))],
]

describe.each(readers)('%s', (_, readings, read) => {
  test.each(Object.entries(readings))('«%s» → %s', (text, meaning) => {
    expect(read(text)).toBe(meaning)
  })
})
