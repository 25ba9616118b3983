import { addDays, type DateRange, datesIn, HOUR_MS, weekdayIndex } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  columnsOf,
  heatOf,
  isSelected,
  movedBy,
  type PointedEvent,
  rangeSelected,
  rangeWith,
  selectionAfter,
  selectionOf,
  tabStopIn,
  weeksOfMonth,
} from './calendar-model.ts'

const november: DateRange = { from: '2026-11-01', to: '2026-11-30' }

test('a month has weeks from Monday or from Sunday', () => {
  const fromMonday = weeksOfMonth(november, 1)
  expect(fromMonday).toHaveLength(6)
  expect(fromMonday[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(fromMonday[5]).toEqual(['2026-11-30', null, null, null, null, null, null])
  expect(weeksOfMonth(november, 7)).toHaveLength(5)
  expect(weeksOfMonth(november, 7)[0]?.[0]).toBe('2026-11-01')
})

test('the weeks of a range have each of its dates once, in the column of its weekday', () => {
  const aDate = fc.integer({ min: 0, max: 3_000 }).map((days) => addDays('2024-01-01', days))
  fc.assert(
    fc.property(aDate, fc.nat(60), fc.integer({ min: 1, max: 7 }), (from, days, weekStartsOn) => {
      const range = { from, to: addDays(from, days) }
      const weeks = weeksOfMonth(range, weekStartsOn)
      expect(weeks.flat().filter((date) => date !== null)).toEqual([...datesIn(range)])
      const weekdays = columnsOf(weekStartsOn).map(weekdayIndex)
      expect(weekdays[0]).toBe(weekStartsOn - 1)
      for (const week of weeks) {
        expect(week.some((date) => date !== null)).toBe(true)
        expect(week.map((date, column) => (date ? weekdayIndex(date) : weekdays[column]))).toEqual(weekdays)
      }
    }),
  )
})

test('columns are the days of the week', () => {
  expect(columnsOf(1)[0]).toBe('2026-01-05')
  expect(columnsOf(7)[0]).toBe('2026-01-04')
})

test.each([
  ['ArrowLeft', '2026-11-20'],
  ['ArrowRight', '2026-11-22'],
  ['ArrowUp', '2026-11-14'],
  ['ArrowDown', '2026-11-28'],
  ['PageUp', '2026-10-21'],
  ['Home', '2026-11-16'],
  ['End', '2026-11-22'],
  ['PageDown', '2026-12-21'],
  ['x', undefined],
])('the key %s moves the selection', (key, date) => {
  expect(movedBy(key, '2026-11-21', 1)).toBe(date)
})

test('Home and End lead to the ends of a week that begins on another day', () => {
  expect(['Home', 'End'].map((key) => movedBy(key, '2026-11-21', 7))).toEqual(['2026-11-15', '2026-11-21'])
  expect(['Home', 'End'].map((key) => movedBy(key, '2026-11-22', 7))).toEqual(['2026-11-22', '2026-11-28'])
})

test('PageDown leads from the last day of a month to the last of the next', () => {
  expect(movedBy('PageDown', '2026-01-31', 1)).toBe('2026-02-28')
})

test('more work has a stronger colour', () => {
  expect([0, 1, 4, 4.1, 8, 9, 10].map((hours) => heatOf(hours * HOUR_MS))).toEqual([0, 1, 1, 2, 3, 3, 4])
})

test('the Tab key leads to the selected date, else to today, else to the first date', () => {
  expect(tabStopIn(november, '2026-11-30', '2026-11-21')).toBe('2026-11-30')
  expect(tabStopIn(november, '2026-12-01', '2026-11-01')).toBe('2026-11-01')
  expect(tabStopIn(november, '2026-11-01', '2026-11-21')).toBe('2026-11-01')
  expect(tabStopIn(november, undefined, '2026-11-21')).toBe('2026-11-21')
  expect(tabStopIn(november, '2026-10-31', '2026-12-01')).toBe('2026-11-01')
})

const [monday, tuesday, wednesday] = ['2026-11-16', '2026-11-17', '2026-11-18'] as const
const old = { anchor: monday, head: tuesday }
const mouse = { pointerType: 'mouse', button: 0, buttons: 0, detail: 1, shiftKey: false }

test('a selection is a range in order, in whichever direction it was made', () => {
  expect(rangeSelected({ anchor: monday, head: tuesday })).toEqual({ from: monday, to: tuesday })
  expect(rangeSelected({ anchor: tuesday, head: monday })).toEqual({ from: monday, to: tuesday })
  expect(rangeSelected(selectionOf(monday, undefined))).toEqual({ from: monday, to: monday })
  expect(selectionOf(wednesday, old)).toEqual({ anchor: monday, head: wednesday })
})

test('a range with another date reaches to it, before and after', () => {
  const range = { from: tuesday, to: tuesday }
  expect(rangeWith(range, monday)).toEqual({ from: monday, to: tuesday })
  expect(rangeWith(range, wednesday)).toEqual({ from: tuesday, to: wednesday })
  expect(rangeWith({ from: monday, to: wednesday }, tuesday)).toEqual({ from: monday, to: wednesday })
})

describe('pointers', () => {
  const one = { anchor: wednesday, head: wednesday }
  const more = { anchor: monday, head: wednesday }
  test.each<[string, Partial<PointedEvent>, typeof one | typeof more | undefined]>([
    ['a mouse selects where it is pressed', { type: 'pointerdown' }, one],
    ['with Shift it extends the selection', { type: 'pointerdown', shiftKey: true }, more],
    ['its other buttons do not', { type: 'pointerdown', button: 2 }, undefined],
    ['a held mouse extends the selection', { type: 'pointerover', buttons: 1 }, more],
    ['one that is not held does not', { type: 'pointerover' }, undefined],
    ['and neither does one with another button', { type: 'pointerover', buttons: 2 }, undefined],
    ['its release does nothing', { type: 'pointerup' }, undefined],
    ['its click does nothing', { type: 'click' }, undefined],
    ['a click by key selects', { type: 'click', detail: 0 }, one],
    ['a finger does not select where it is put down', { type: 'pointerdown', pointerType: 'touch' }, undefined],
    ['but where it is lifted', { type: 'pointerup', pointerType: 'touch' }, one],
    ['a finger that moves over a date scrolls', { type: 'pointerover', pointerType: 'touch', buttons: 1 }, undefined],
    ['other events do nothing', { type: 'pointermove' }, undefined],
  ])('%s', (_, event, expected) => {
    expect(selectionAfter({ ...mouse, type: '', ...event }, wednesday, old)).toEqual(expected)
  })

  test('without a selection there is nothing to extend', () => {
    const event = { ...mouse, type: 'pointerover', buttons: 1 }
    expect(selectionAfter(event, monday, undefined)).toBeUndefined()
    expect(selectionAfter(event, tuesday, old)).toBeUndefined()
    expect(selectionAfter({ ...mouse, type: 'pointerdown', shiftKey: true }, monday, undefined)).toEqual({
      anchor: monday,
      head: monday,
    })
  })
})

test('the dates of a selection are selected, with both of its ends', () => {
  const selected = [monday, tuesday, wednesday].map((date) => isSelected({ anchor: wednesday, head: tuesday }, date))
  expect(selected).toEqual([false, true, true])
  expect(isSelected(old, wednesday)).toBe(false)
  expect(isSelected(undefined, monday)).toBe(false)
})
