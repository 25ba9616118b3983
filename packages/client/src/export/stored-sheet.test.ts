import { DAY_MS, datesIn, datesOfMonth, HOUR_MS, MINUTE_MS, type StoredSheet, type ZoneName } from '@saldo/core'
import { expect, test } from 'vitest'
import { sheetOfStored } from './stored-sheet.ts'

const profile = { name: 'Ada', personnel_number: '', employer: '' }
const time_zone = 'Europe/Berlin' as ZoneName
const uneven = 7 * HOUR_MS + MINUTE_MS / 3

/** The sheet of an October with work of uneven length on each day, half a day of vacation, and an adjustment. */
function storedOctober(): StoredSheet {
  const days = [...datesIn(datesOfMonth('2026-10'))].map((date): StoredSheet['days'][number] => ({
    ...{ date, time_zone, target_ms: 8 * HOUR_MS, worked_ms: uneven, credited_ms: 0, break_ms: 0 },
    ...{ delta_ms: uneven - 8 * HOUR_MS, blocks: [], absences: [] },
  }))
  const [first] = days
  if (!first) throw new Error('October has days')
  first.blocks = [{ from: '2026-10-01T06:00:00.000Z', to: '2026-10-01T13:00:20.000Z' }]
  first.absences = [
    { kind: 'vacation', days: 0.5, ms: 4 * HOUR_MS },
    { kind: 'sick', days: 1, ms: 8 * HOUR_MS },
  ]
  const deltaMs = 31 * (uneven - 8 * HOUR_MS)
  return {
    ...{ month: '2026-10', version: 7, days, absences: [], check_code: '0123456789abcdef' },
    adjustments: [{ date: '2026-10-31', kind: 'payout', reason: 'paid', delta_ms: -90 * MINUTE_MS }],
    totals: {
      ...{ target_ms: 31 * 8 * HOUR_MS, worked_ms: 31 * uneven, credited_ms: 0, delta_ms: deltaMs },
      adjustments_ms: -90 * MINUTE_MS,
    },
    ...{ balance_in_ms: MINUTE_MS / 2, balance_out_ms: MINUTE_MS / 2 + deltaMs - 90 * MINUTE_MS },
  }
}

test('[D13.2] [D27.3] a stored sheet is shown in whole minutes that add up, with its check code', () => {
  const sheet = sheetOfStored(storedOctober(), profile)
  const sum = sheet.days.reduce((total, { figures }) => total + (figures?.workedMinutes ?? 0), 0)
  expect(sum).toBe(sheet.totals.workedMinutes)
  expect(sheet.balanceOutMinutes - sheet.balanceInMinutes).toBe(sheet.totals.deltaMinutes - 90)
  expect(sheet.digest).toBe('0123456789abcdef')
  expect(sheet.days[0]?.absences.map(({ size }) => size)).toEqual([
    { day_share: null, amount_ms: 4 * HOUR_MS },
    { day_share: 1, amount_ms: null },
  ])
  expect(sheet.days.filter((day) => day.hasClockChange).map(({ date }) => date)).toEqual(['2026-10-25'])
  expect(sheet.days[0]?.blocks[0]?.end).toBe((Date.UTC(2026, 9, 1, 13, 0, 20) % DAY_MS) + Date.UTC(2026, 9, 1))
})

test('[D25.7] a stored sheet without times, as a lead can see it, is shown without its adjustments', () => {
  const sheet = sheetOfStored({ ...storedOctober(), adjustments: [] }, profile)
  expect(sheet.adjustments).toEqual([])
  expect(sheet.balanceOutMinutes - sheet.balanceInMinutes).toBe(sheet.totals.deltaMinutes - 90)
})
