import { describe, expect, test } from 'vitest'
import { isSelected, type PointedEvent, rangeSelected, rangeWith, selectionAfter, selectionOf } from './selection.ts'

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
