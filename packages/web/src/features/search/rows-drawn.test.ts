import { expect, test } from 'vitest'
import { type Drawn, rowsDrawn } from './rows-drawn.ts'

const at = (startIndex: number, endIndex: number, count = 100) => ({ startIndex, endIndex, overscan: 2, count })
const first = rowsDrawn(at(10, 12), null, false)

/** What is drawn in the end where a list is at one place after the other without a rest. */
const scrolled = (...places: readonly (readonly [number, number])[]) =>
  places.reduce<Drawn>((before, [start, end]) => rowsDrawn(at(start, end), before, true), first)

test('some rows beyond those in sight are drawn at first, as the list moves, and when it rests', () => {
  expect(rowsDrawn(at(0, 2), null, false).rows).toEqual([0, 1, 2, 3, 4])
  expect(scrolled([12, 14]).rows).toEqual([10, 11, 12, 13, 14, 15, 16])
  expect(scrolled([8, 10]).rows).toEqual([6, 7, 8, 9, 10, 11, 12])
  expect(rowsDrawn(at(50, 52), scrolled([50, 52]), false).rows).toEqual([48, 49, 50, 51, 52, 53, 54])
})

test('where the list is somewhere else at once, as by a key, what is in sight is drawn at once', () => {
  expect(scrolled([50, 52])).toMatchObject({ rows: [50, 51, 52], isFar: false })
  expect(scrolled([5, 7])).toMatchObject({ rows: [5, 6, 7], isFar: false })
  const rested = rowsDrawn(at(50, 52), scrolled([50, 52]), false)
  expect(rowsDrawn(at(10, 12), rested, true)).toMatchObject({ rows: [10, 11, 12], isFar: false })
})

test('where it is somewhere else again and again, nothing new is drawn until it is slower or rests', () => {
  const far = scrolled([50, 52], [60, 62], [70, 72])
  expect(far).toMatchObject({ rows: [50, 51, 52], isFar: true })
  expect(rowsDrawn(at(72, 74), far, true)).toMatchObject({ rows: [70, 71, 72, 73, 74, 75, 76], isFar: false })
  expect(rowsDrawn(at(70, 72), far, false)).toMatchObject({ rows: [68, 69, 70, 71, 72, 73, 74], isFar: false })
})

test('what is drawn stays as it is where the list is asked again in the same place', () => {
  const far = scrolled([50, 52], [60, 62])
  expect(rowsDrawn(at(60, 62), far, true)).toBe(far)
})

test('another list is drawn at once', () => {
  const far = scrolled([50, 52], [60, 62])
  expect(rowsDrawn(at(5, 7, 8), far, true)).toMatchObject({ rows: [3, 4, 5, 6, 7], isFar: false })
})
