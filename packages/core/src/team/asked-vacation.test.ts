import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IdentifiedEntry } from '../account-function.ts'
import { accountEntryOf, computeDays } from '../account-function.ts'
import { parseContent } from '../record.ts'
import { finishSteps } from '../steps.ts'
import { buildTimeline } from '../timeline.ts'
import { vacationYear } from '../vacation.ts'
import { HOUR_MS, type LocalDate, type RecordId, type UserNumber } from '../values.ts'
import { askedVacation, type WaitingRequest } from './asked-vacation.ts'
import { approvedEntryId } from './requests.ts'

const ID = '00000000-0000-4000-8000-000000000001' as RecordId
const REQUEST = '00000000-0000-4000-8000-000000000002' as RecordId
const user = 7 as UserNumber
const today: LocalDate = '2026-11-21'
const settings = parseContent('settings_history', {
  effective_from: '2026-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
  vacation: { days_per_year: 30, carry_over_until: null },
})
if (!settings.ok) throw new Error('the settings are not valid')
const timeline = buildTimeline([{ id: ID, ...settings.value }])
const request = (asks: 'absence' | 'cancel', date: LocalDate, last_date: LocalDate): WaitingRequest => {
  const size = { day_share: 1, amount_ms: null }
  return { id: REQUEST, asks, absence: 'vacation', date, last_date, ...size, wasApproved: false }
}
const vacation = (date: LocalDate, id = ID): IdentifiedEntry => {
  return { id, kind: 'vacation', date, day_share: 1, amount_ms: null }
}
const asked = (entries: IdentifiedEntry[], ...waiting: WaitingRequest[]) => {
  const account = vacationYear(entries, timeline, today, 2026)
  if (!account) throw new Error('there is no account')
  return finishSteps(askedVacation(account, entries, timeline, today, { user, waiting }))
}

test('[D26.10] planned days of the range are asked for once, and the end of an absence gives days back', () => {
  expect(asked([], request('absence', '2026-12-03', '2026-12-08'))).toEqual({ asked: 4, left_if_approved: 26 })
  const taken = [vacation('2026-12-03')]
  expect(asked(taken, request('absence', '2026-12-03', '2026-12-04'))).toEqual({ asked: 1, left_if_approved: 28 })
  expect(asked(taken, request('cancel', '2026-12-01', '2026-12-31'))).toEqual({ asked: -1, left_if_approved: 30 })
})

test('[D26.5] days of an earlier approval of the request are asked for once', () => {
  const approved = vacation('2026-12-03', approvedEntryId(user, REQUEST, '2026-12-03'))
  const changed = { ...request('absence', '2026-12-04', '2026-12-04'), wasApproved: true }
  expect(asked([approved], changed)).toEqual({ asked: 0, left_if_approved: 29 })
})

test('[D26.1] the account reads no request: figures with and without are the same', () => {
  const dates = fc.integer({ min: 1, max: 28 }).map((day) => `2026-12-${String(day).padStart(2, '0')}` as LocalDate)
  const contents = fc.record({
    kind: fc.constant('request'),
    asks: fc.constantFrom('absence', 'cancel'),
    absence: fc.constantFrom('vacation', 'sick', 'unpaid'),
    date: dates,
  })
  fc.assert(
    fc.property(fc.array(contents, { maxLength: 5 }), fc.array(dates, { maxLength: 3 }), (requests, taken) => {
      const entries = taken.map((date) => vacation(date))
      const read = requests.flatMap((one) => {
        const parsed = parseContent('entries', { ...one, last_date: one.date })
        if (!parsed.ok) throw new Error('the request is not valid')
        return accountEntryOf(parsed.value) ?? []
      })
      const range = { from: '2026-12-01', to: '2026-12-31' } as const
      expect(computeDays([...entries, ...read], timeline, range)).toEqual(computeDays(entries, timeline, range))
    }),
  )
})
