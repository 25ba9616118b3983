import { expect, test } from 'vitest'
import { addDays, weekOf } from './date.ts'
import { instantOf } from './instant.ts'
import { DAY_MS, type EpochMs, type Instant, type LocalDate, type RecordId, type UserNumber } from './values.ts'

test('values of different types cannot be confused, and literals and arithmetic need no casts', () => {
  const date: LocalDate = '2026-11-21'
  const nowMs: EpochMs = 0
  const instant: Instant = instantOf(nowMs + DAY_MS)
  const id: RecordId = '00000000-0000-4000-8000-000000000001'
  // @ts-expect-error A week is not a date.
  const week: LocalDate = weekOf(date)
  // @ts-expect-error A date is not an instant.
  const midnight: Instant = date
  // @ts-expect-error An id is not a date.
  const born: LocalDate = id
  // @ts-expect-error A date is not an id.
  const other: RecordId = date
  // @ts-expect-error Text that nobody has checked is not a date.
  const text: LocalDate = String(date)
  // @ts-expect-error A duration is not a time.
  const time: EpochMs = DAY_MS
  // @ts-expect-error A time is not a user.
  const user: UserNumber = nowMs
  // @ts-expect-error A number that nobody has checked is not a user.
  const count: UserNumber = 7
  // @ts-expect-error An instant is not a date.
  const days = () => addDays(instant, 1)
  expect([week, midnight, born, other, text, time, user, count, days]).toHaveLength(9)
})
