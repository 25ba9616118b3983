import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { typedStart } from './typed-start.ts'

test('a typed start is on the day in its time zone, and not in the future', () => {
  const eight = Date.parse('2026-11-20T07:00:00Z')
  const start = (text: string, nowMs = eight) => typedStart(text, { date: '2026-11-20', zone: 'Europe/Berlin' }, nowMs)
  expect(start('')).toEqual({ startMs: undefined, isAhead: false })
  expect(start('8:00')).toEqual({ startMs: eight, isAhead: false })
  expect(start('7:00')).toEqual({ startMs: eight - HOUR_MS, isAhead: false })
  expect(start('9:00')).toEqual({ startMs: eight + HOUR_MS, isAhead: true })
})
