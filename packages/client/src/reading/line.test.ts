import { expect, test } from 'vitest'
import { lineOf } from './line.ts'

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
