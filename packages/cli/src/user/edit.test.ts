import { aWork } from '@saldo/client/testing'
import { epochMs, type Instant, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { timesOf } from './edit.ts'

const ZONE = 'Europe/Berlin'
const work = (from: Instant, to: Instant | null) => aWork(epochMs(from), to === null ? null : epochMs(to))
const morning = work('2026-11-20T08:00:37.000Z', '2026-11-20T11:30:12.000Z')

test('another end leaves the start as it is, to the second', () => {
  expect(timesOf(morning, { end: '12:00' }, ZONE)).toEqual({
    started_at: '2026-11-20T08:00:37.000Z',
    ended_at: '2026-11-20T11:00:00.000Z',
  })
})

test('[D32.5] an end of twelve hours is read beside the start, and asked for where it can be two', () => {
  expect(timesOf(morning, { end: '5' }, ZONE)).toMatchObject({ ended_at: '2026-11-20T16:00:00.000Z' })
  expect(timesOf(morning, { end: '05:00' }, ZONE)).toMatchObject({ ended_at: '2026-11-21T04:00:00.000Z' })
  expect(() => timesOf(morning, { start: '17', end: '9' }, ZONE)).toThrow(
    '--end can mean 21:00 or 09:00: give the time as in 21:00',
  )
})

test('an end at the start is on the same day', () => {
  expect(timesOf(morning, { start: '9:00', end: '9:00' }, ZONE)).toEqual({
    ...{ started_at: '2026-11-20T08:00:00.000Z', ended_at: '2026-11-20T08:00:00.000Z' },
  })
})

test('another start leaves the end as it is, also days later', () => {
  const weekend = work('2026-11-20T19:00:00.000Z', '2026-11-22T07:00:05.000Z')
  expect(timesOf(weekend, { start: '19:00' }, ZONE)).toEqual({
    started_at: '2026-11-20T18:00:00.000Z',
    ended_at: '2026-11-22T07:00:05.000Z',
  })
})

test('another date moves an entry as a whole by the clock, also over a change of summer time', () => {
  expect(timesOf(morning, { date: '2026-10-20' }, ZONE)).toEqual({
    started_at: '2026-10-20T07:00:37.000Z',
    ended_at: '2026-10-20T10:30:12.000Z',
  })
  expect(timesOf(work('2026-11-20T08:00:00.000Z', null), { date: '2026-11-19' }, ZONE)).toEqual({
    started_at: '2026-11-19T08:00:00.000Z',
  })
})

test('an end before the start is on the next day', () => {
  expect(timesOf(morning, { start: '22:00', end: '2:00' }, ZONE)).toEqual({
    started_at: '2026-11-20T21:00:00.000Z',
    ended_at: '2026-11-21T01:00:00.000Z',
  })
})

test.each<[LocalDate, string, string]>([
  ['2026-10-24', '2026-10-24T20:00:00.000Z', '2026-10-25T05:00:00.000Z'],
  ['2026-03-28', '2026-03-28T21:00:00.000Z', '2026-03-29T04:00:00.000Z'],
])(
  'an end on the next day is a time of its clock, also if the clocks change in the night of %s',
  (date, start, end) => {
    expect(timesOf(morning, { date, start: '22:00', end: '6:00' }, ZONE)).toEqual({ started_at: start, ended_at: end })
  },
)
