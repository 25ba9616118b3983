import { type PartInDay, partIn } from '@saldo/client/entries'
import { aWork } from '@saldo/client/testing'
import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  blockSize,
  dragged,
  drawn,
  type Grip,
  gripFor,
  hourMarks,
  lanesOf,
  placeAcross,
  positionIn,
  STEP_MS,
  shownHours,
  shownTimes,
  showsNow,
  snap,
} from './geometry.ts'

const window = { start: 0, end: 24 * HOUR_MS }
const steps = fc.integer({ min: 0, max: 287 }).map((step) => step * STEP_MS)
const span = fc
  .tuple(steps, fc.integer({ min: 1, max: 60 }))
  .map(([start, length]) => ({ start, end: Math.min(start + length * STEP_MS, window.end) }))

describe('the hours shown', () => {
  test('are the usual ones and those of all entries', () => {
    expect(shownHours(window, [])).toEqual({ start: 7 * HOUR_MS, end: 19 * HOUR_MS })
    expect(shownHours(window, [{ start: 5.5 * HOUR_MS, end: 23.1 * HOUR_MS }])).toEqual({
      start: 5 * HOUR_MS,
      end: 24 * HOUR_MS,
    })
    expect(hourMarks({ start: 7 * HOUR_MS, end: 9 * HOUR_MS })).toEqual([7, 8, 9].map((hour) => hour * HOUR_MS))
  })

  test('stay within days of 23 and 25 hours', () => {
    const short = { start: 0, end: 6 * HOUR_MS }
    expect(shownHours(short, []).end).toBeLessThanOrEqual(short.end)
  })
})

describe('dragging', () => {
  test('snaps to steps and keeps the bounds and a minimum length', () => {
    const grips = fc.constantFrom<Grip>('move', 'start', 'end')
    fc.assert(
      fc.property(span, grips, fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS }), (before, grip, deltaMs) => {
        const after = dragged(before, grip, deltaMs, window)
        expect(after.start).toBeGreaterThanOrEqual(window.start)
        expect(after.end).toBeLessThanOrEqual(window.end)
        expect(after.end - after.start).toBeGreaterThanOrEqual(STEP_MS)
        if (grip === 'move') expect(after.end - after.start).toBe(before.end - before.start)
        else expect(grip === 'start' ? after.end : after.start).toBe(grip === 'start' ? before.end : before.start)
        expect([snap(after.start), snap(after.end)]).toEqual([after.start, after.end])
      }),
    )
  })

  test('goes as far as it is dragged, and as the bounds and the shortest length let it', () => {
    const before = { start: 9 * HOUR_MS, end: 10 * HOUR_MS }
    expect(dragged(before, 'move', 2 * HOUR_MS, window)).toEqual({ start: 11 * HOUR_MS, end: 12 * HOUR_MS })
    expect(dragged(before, 'start', -2 * HOUR_MS, window)).toEqual({ start: 7 * HOUR_MS, end: 10 * HOUR_MS })
    expect(dragged(before, 'end', 2 * HOUR_MS, window)).toEqual({ start: 9 * HOUR_MS, end: 12 * HOUR_MS })
    expect(dragged(before, 'end', -2 * HOUR_MS, window)).toEqual({ start: 9 * HOUR_MS, end: 9 * HOUR_MS + STEP_MS })
    expect(dragged(before, 'start', 2 * HOUR_MS, window)).toEqual({ start: 10 * HOUR_MS - STEP_MS, end: 10 * HOUR_MS })
  })

  test('goes to the nearest step', () => {
    expect([0.4, 0.6].map((part) => snap(part * STEP_MS))).toEqual([0, STEP_MS])
  })

  test('on empty ground draws a span; a tap draws half an hour', () => {
    expect(drawn(9 * HOUR_MS, 8 * HOUR_MS, window)).toEqual({ start: 8 * HOUR_MS, end: 9 * HOUR_MS })
    expect(drawn(9 * HOUR_MS, 9 * HOUR_MS + 1, window)).toEqual({ start: 9 * HOUR_MS, end: 9.5 * HOUR_MS })
    expect(drawn(24 * HOUR_MS, 24 * HOUR_MS, window).end).toBe(24 * HOUR_MS)
  })
})

test('spans take lanes beside those that they overlap, and touching ones do not overlap', () => {
  const hours = (start: number, end: number) => ({ start: start * HOUR_MS, end: end * HOUR_MS })
  expect(lanesOf([hours(8, 10), hours(9, 11), hours(11, 12), hours(12, 13)])).toEqual([
    { index: 0, count: 2 },
    { index: 1, count: 2 },
    { index: 0, count: 1 },
    { index: 0, count: 1 },
  ])
  expect(lanesOf([hours(8, 12), hours(8, 9), hours(9, 10)]).map(({ index }) => index)).toEqual([0, 1, 1])
  expect(lanesOf([hours(8, 9), hours(8, 12), hours(9, 10)]).map(({ index }) => index)).toEqual([0, 1, 0])
})

test('overlapping entries lie side by side; others share a lane', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), (spans) => {
      const lanes = lanesOf(spans)
      spans.forEach((a, i) => {
        expect(lanes[i]?.index).toBeLessThan(lanes[i]?.count ?? 0)
        spans.forEach((b, j) => {
          if (i < j && a.start < b.end && b.start < a.end) expect(lanes[i]?.index).not.toBe(lanes[j]?.index)
        })
      })
    }),
  )
  // A block is a step high, however short its entry is.
  const short = { start: HOUR_MS, end: HOUR_MS }
  expect(lanesOf([short, { start: HOUR_MS + 1, end: 2 * HOUR_MS }])).toEqual([
    { index: 0, count: 2 },
    { index: 1, count: 2 },
  ])
  expect(
    lanesOf([
      { start: 0, end: 2 },
      { start: HOUR_MS, end: 2 * HOUR_MS },
    ]),
  ).toEqual([
    { index: 0, count: 1 },
    { index: 0, count: 1 },
  ])
})

describe('grips', () => {
  const gripsOf = (start: number, end: number, isRunning: boolean) => {
    const part = partIn(aWork(start, end), window, end) as PartInDay
    return (['start', 'move', 'end'] as const).filter((wanted) => gripFor(wanted, part, isRunning) === wanted)
  }
  test.each([
    ['work within the day is moved and resized', 8, 12, false, ['start', 'move', 'end']],
    ['work from the day before is resized only', -2, 4, false, ['start', 'end']],
    ['work until the next day is resized only', 22, 26, false, ['start', 'end']],
    ['work of a whole day and more is resized only', -2, 26, false, ['start', 'end']],
    ['running work can begin at another time', 8, 12, true, ['start']],
  ] as const)('%s', (_, from, to, isRunning, grips) => {
    expect(gripsOf(from * HOUR_MS, to * HOUR_MS, isRunning)).toEqual(grips)
  })
})

describe('a block', () => {
  test('lies where its time is in what is shown, and beside those of its group', () => {
    const shown = { start: 6 * HOUR_MS, end: 16 * HOUR_MS }
    expect(positionIn(shown, { start: 8 * HOUR_MS, end: 11 * HOUR_MS })).toEqual({ top: '20%', height: '30%' })
    expect(placeAcross({ index: 0, count: 1 })).toEqual({ left: '0%', width: 'calc(100% - 2px)' })
    expect(placeAcross({ index: 3, count: 4 })).toEqual({ left: '75%', width: 'calc(25% - 2px)' })
  })

  test('has less text the shorter it is', () => {
    const sizeOf = (minutes: number) => blockSize({ start: 9 * HOUR_MS, end: 9 * HOUR_MS + minutes * MINUTE_MS })
    expect([24, 25, 49, 50].map(sizeOf)).toEqual(['tiny', 'small', 'small', 'full'])
  })

  test('shows the times of a move, or those of all of an entry that goes beyond the day', () => {
    const timesOf = (from: number, to: number) => {
      const part = partIn(aWork(from * HOUR_MS, to * HOUR_MS), window, 0) as PartInDay
      return shownTimes(part, window)
    }
    expect(timesOf(8, 12)).toEqual(window)
    expect(timesOf(-1, 12)).toEqual({ start: -HOUR_MS, end: 12 * HOUR_MS })
    expect(timesOf(8, 25)).toEqual({ start: 8 * HOUR_MS, end: 25 * HOUR_MS })
  })
})

test('the current time is shown today, within the shown hours', () => {
  const shown = { start: 7 * HOUR_MS, end: 19 * HOUR_MS }
  const today = { date: '2026-11-20', today: '2026-11-20' } as const
  const now = (hours: number) => hours * HOUR_MS
  expect([6.9, 7, 19, 19.1].map((hours) => showsNow(today, shown, now(hours)))).toEqual([false, true, true, false])
  expect(showsNow({ ...today, date: '2026-11-21' }, shown, now(8))).toBe(false)
})
