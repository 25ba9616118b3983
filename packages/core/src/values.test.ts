import { expect, test } from 'vitest'
import { addDays, weekOf } from './date.ts'
import { instantOf } from './instant.ts'
import { DAY_MS, type EpochMs, type Instant, type LocalDate, type UserNumber } from './values.ts'

test('values of different types cannot be confused, plain ones need no casts', () => {
  const date: LocalDate = '2026-11-21'
  const nowMs: EpochMs = 0
  const instant: Instant = instantOf(nowMs + DAY_MS)
  // @ts-expect-error A week is not a date.
  const week: LocalDate = weekOf(date)
  // @ts-expect-error A duration is not a time.
  const time: EpochMs = DAY_MS
  // @ts-expect-error A time is not a user.
  const user: UserNumber = nowMs
  // @ts-expect-error An instant is not a date.
  const days = () => addDays(instant, 1)
  expect([week, time, user, days]).toHaveLength(4)
})
