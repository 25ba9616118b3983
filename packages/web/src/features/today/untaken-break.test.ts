import { aWork } from '@saldo/client/testing'
import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { hasUntakenBreak } from './untaken-break.ts'

const window = { start: 0, end: 24 * HOUR_MS }
const work = (from: number, to: number) => aWork(from * HOUR_MS, to * HOUR_MS)
const pause = (from: number, to: number) => aWork(from * HOUR_MS, to * HOUR_MS, { kind: 'break' })

test('[D3.49] a break before all work is not taken, nor one after all work once the day is over', () => {
  expect(hasUntakenBreak([work(8, 17), pause(8, 8.5)], window, false)).toBe(true)
  expect(hasUntakenBreak([work(8, 17), pause(17, 18)], window, true)).toBe(true)
  expect(hasUntakenBreak([work(8, 17), pause(17, 18)], window, false)).toBe(false)
  expect(hasUntakenBreak([work(8, 17), pause(8, 8.5), pause(12, 13)], window, true)).toBe(true)
})

test('[D3.54] a break within work or over midnight is taken', () => {
  expect(hasUntakenBreak([work(8, 17), pause(12, 13)], window, true)).toBe(false)
  expect(hasUntakenBreak([work(8, 23), pause(23, 25)], window, true)).toBe(false)
  expect(hasUntakenBreak([work(1, 9), pause(-1, 1)], window, true)).toBe(false)
  expect(hasUntakenBreak([pause(12, 13)], window, true)).toBe(false)
})
