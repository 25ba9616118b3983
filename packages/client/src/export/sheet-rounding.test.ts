import { readFileSync } from 'node:fs'
import { addDays, computeDay, DAY_MS, HOUR_MS, MINUTE_MS, parseDelta, SECOND_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../core/test/tier.ts'
import { anAdjustment, aSettingsRow } from '../testing.ts'
import { type SheetFigures, sheetOf } from './sheet.ts'
import { apportionMinutes, type Flow, roundFlows } from './whole-minutes.ts'

const { rounding } = JSON.parse(readFileSync(new URL('../../../../fixtures/sheets.json', import.meta.url), 'utf8')) as {
  rounding: { why: string; durations: string[]; minutes: number[] }[]
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, more) => sum + more, 0)
}

test.each(rounding)('[D13.3] durations are rounded so that they add up: $why', ({ durations, minutes }) => {
  const durationsMs = durations.map((text) => {
    const parsed = parseDelta(text)
    if (!parsed.ok) throw new Error(text)
    return parsed.deltaMs
  })
  expect(apportionMinutes(durationsMs, total(minutes))).toEqual(minutes)
})

test('[D13.3] durations that cannot add up to a total by rounding are a defect', () => {
  expect(() => apportionMinutes([HOUR_MS], 61)).toThrow(RangeError)
  expect(() => apportionMinutes([HOUR_MS + 1], 59)).toThrow(RangeError)
  expect(() => apportionMinutes([], 1)).toThrow(RangeError)
})

test('[D13.3] flows that do not balance, and a last flow a minute away, are a defect', () => {
  const flow = (from: string, to: string, ms: number): Flow => ({ from, to, ms })
  const half = MINUTE_MS / 2
  expect(roundFlows([flow('a', 'b', half), flow('b', 'a', half)], 1)).toEqual([1, 1])
  expect(roundFlows([flow('a', 'b', half), flow('b', 'a', half)], 0)).toEqual([0, 0])
  expect(() => roundFlows([flow('a', 'b', half), flow('b', 'a', half)], 2)).toThrow(RangeError)
  expect(() => roundFlows([flow('a', 'b', half), flow('b', 'a', MINUTE_MS)], 1)).toThrow(RangeError)
  expect(() => roundFlows([flow('a', 'b', MINUTE_MS), flow('b', 'a', MINUTE_MS)], 0)).toThrow(RangeError)
})

const START = '2027-12-31'

/** A sheet of a leap year, whose days have these figures; its range begins after `daysBefore` of them. */
function sheetOfFigures(table: Table) {
  const { days, adjustments, daysBefore } = table
  const from = addDays(START, daysBefore)
  const to = addDays(START, 366 + daysBefore)
  return sheetOf(
    {
      timeline: [aSettingsRow({ effective_from: START })],
      entries: [],
      days: days.map((day, index) => {
        const date = addDays(START, index)
        const own = {
          date,
          target_ms: day.target,
          worked_ms: day.worked,
          credited_ms: day.credited,
          delta_ms: deltaOf(day),
        }
        return { date, state: 'open', closed: null, forecast: { ...computeDay([], [], date), ...own } }
      }),
      closedWeeks: [],
      adjustments: adjustments.map(({ day, deltaMs }) => ({
        record: anAdjustment(addDays(START, day), deltaMs),
        pending: false,
      })),
      today: to,
    },
    {
      ...{ range: { from, to }, countedTo: to, profile: { name: '', personnel_number: '', employer: '' } },
      ...{ withProjects: false, withNotes: false, withHints: false },
    },
  )
}

interface Table {
  days: { worked: number; credited: number; target: number }[]
  adjustments: { day: number; deltaMs: number }[]
  daysBefore: number
}

const deltaOf = ({ worked, credited, target }: Table['days'][number]) => worked + credited - target

/** Often whole, half or almost whole minutes. */
const anyMs = fc.oneof(
  fc.constantFrom(0, 0, 1, HOUR_MS, MINUTE_MS / 2, 2 * HOUR_MS + MINUTE_MS / 2, HOUR_MS - 1),
  fc.integer({ min: 0, max: DAY_MS }),
)
const anyDay = fc
  .record({ worked: anyMs, credited: anyMs, target: anyMs, isEven: fc.boolean() })
  .map(({ isEven, ...day }) => (isEven ? { ...day, target: day.worked + day.credited } : day))
const anyTable = fc.record({
  days: fc.array(anyDay, { maxLength: 366, size: 'max' }),
  adjustments: fc.array(
    fc.record({ day: fc.nat(370), deltaMs: fc.integer({ min: -40 * HOUR_MS, max: 40 * HOUR_MS }) }),
    { maxLength: 5 },
  ),
  daysBefore: fc.nat(5),
})

/** Returns what is wrong with the rounding of a table. */
function faultsOf(table: Table): string[] {
  const sheet = sheetOfFigures(table)
  const faults: string[] = []
  const days = table.days.slice(table.daysBefore)
  const rows = sheet.days.flatMap(({ figures }) => figures ?? [])
  const check = (name: string, minutes: number, ms: number) => {
    const isWhole = ms % MINUTE_MS === 0
    const distanceMs = Math.abs(minutes * MINUTE_MS - ms)
    if (isWhole ? distanceMs > 0 : distanceMs >= MINUTE_MS) faults.push(`${name}: ${ms} ms is ${minutes} min`)
  }
  const checkFigures = (name: string, figures: SheetFigures, day: Table['days'][number]) => {
    const { workedMinutes, creditedMinutes, targetMinutes, deltaMinutes } = figures
    check(`${name} worked`, workedMinutes, day.worked)
    check(`${name} credited`, creditedMinutes, day.credited)
    check(`${name} target`, targetMinutes, day.target)
    check(`${name} delta`, deltaMinutes, deltaOf(day))
    if (workedMinutes + creditedMinutes - targetMinutes !== deltaMinutes) faults.push(`${name} does not add up`)
  }
  const sum = (field: keyof Table['days'][number]) => total(days.map((day) => day[field]))
  checkFigures('total', sheet.totals, { worked: sum('worked'), credited: sum('credited'), target: sum('target') })
  if (rows.length !== days.length) faults.push(`${rows.length} rows`)
  for (const [index, day] of days.entries()) checkFigures(`day ${index}`, rows[index] as SheetFigures, day)
  for (const field of Object.keys(sheet.totals) as (keyof SheetFigures)[]) {
    if (total(rows.map((row) => row[field])) !== sheet.totals[field]) faults.push(`${field} does not add up`)
  }
  const deltasMs = Map.groupBy(table.adjustments, ({ day }) => addDays(START, day))
  for (const [date, shown] of Map.groupBy(sheet.adjustments, (adjustment) => adjustment.date)) {
    const exact = deltasMs.get(date) ?? []
    if (exact.length === 1 && shown.length === 1) check(date, shown[0]?.minutes ?? 0, exact[0]?.deltaMs ?? 0)
  }
  const adjusted = total(sheet.adjustments.map(({ minutes }) => minutes))
  if (sheet.balanceInMinutes + sheet.totals.deltaMinutes + adjusted !== sheet.balanceOutMinutes) faults.push('balance')
  return faults
}

test('[D13.2] [D13.3] [D13.4] any table is rounded so that all adds up and no figure moves by a minute', () => {
  fc.assert(
    fc.property(anyTable, (table) => {
      expect(faultsOf(table)).toEqual([])
    }),
    { numRuns: runsOf(30, 100) },
  )
})

test('[D13.3] a day whose delta is zero shows zero, though its seconds are rounded', () => {
  const day = { worked: 4 * HOUR_MS + 20 * SECOND_MS, credited: 4 * HOUR_MS - 20 * SECOND_MS, target: 8 * HOUR_MS }
  const late = { worked: 40 * SECOND_MS, credited: 0, target: 0 }
  for (const before of [[], [late], [late, late], [day, late]]) {
    const sheet = sheetOfFigures({ days: [...before, day, late], adjustments: [], daysBefore: 0 })
    expect(sheet.days[before.length]?.figures?.deltaMinutes).toBe(0)
  }
})

test('[D13.3] a year in which every figure has seconds is rounded', () => {
  const days = Array.from({ length: 366 }, (_, index) => {
    return { worked: (7_919 * 1_000 * (index + 1)) % DAY_MS, credited: (104_729 * index) % HOUR_MS, target: 27_720_333 }
  })
  expect(faultsOf({ days, adjustments: [{ day: 3, deltaMs: -1 }], daysBefore: 2 })).toEqual([])
})
