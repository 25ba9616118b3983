import { expect, test } from 'vitest'
import { rowsDrawn } from './rows-drawn.ts'

const at = (startIndex: number, endIndex: number) => ({ startIndex, endIndex, overscan: 2, count: 100 })

test('some rows beyond those in sight are drawn at first, as the list moves, and when it rests', () => {
  expect(rowsDrawn(at(0, 2), null)).toEqual([0, 1, 2, 3, 4])
  expect(rowsDrawn(at(10, 12), at(8, 10))).toEqual([8, 9, 10, 11, 12, 13, 14])
  expect(rowsDrawn(at(10, 12), at(12, 14))).toEqual([8, 9, 10, 11, 12, 13, 14])
  expect(rowsDrawn(at(10, 12), at(10, 12))).toEqual([8, 9, 10, 11, 12, 13, 14])
})

test('where the list is somewhere else at once, only what is in sight is', () => {
  expect(rowsDrawn(at(50, 52), at(10, 12))).toEqual([50, 51, 52])
  expect(rowsDrawn(at(10, 12), at(13, 15))).toEqual([10, 11, 12])
})
