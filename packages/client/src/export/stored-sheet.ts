import {
  addDays,
  DAY_MS,
  datesOfMonth,
  epochMs,
  firstInstant,
  itemAt,
  type Profile,
  type StoredSheet,
  union,
  WHOLE_DAY,
} from '@saldo/core'
import { roundFigures, type Sheet, type SheetAbsence } from './sheet.ts'
import { wholeMinutes } from './whole-minutes.ts'

type StoredDay = StoredSheet['days'][number]

/**
 * Returns a stored sheet as one to show and print: its figures in whole minutes that add up (D13.2 to D13.4), its check
 * code as the digest. A sheet without times of day, as some see it, has no adjustments either.
 */
export function sheetOfStored(stored: StoredSheet, profile: Profile): Sheet {
  const { month, days, totals, balance_in_ms, balance_out_ms, check_code } = stored
  const range = datesOfMonth(month)
  const [balanceInMinutes, balanceOutMinutes] = [wholeMinutes(balance_in_ms), wholeMinutes(balance_out_ms)]
  const listedMs = stored.adjustments.map(({ delta_ms }) => delta_ms)
  const figures = roundFigures(
    days.map((day) => ({
      ...{ break: day.break_ms, worked: day.worked_ms, credited: day.credited_ms, target: day.target_ms },
    })),
    listedMs.length > 0 || totals.adjustments_ms === 0 ? listedMs : [totals.adjustments_ms],
    balanceOutMinutes - balanceInMinutes,
  )
  return {
    ...{ range, countedTo: range.to, profile, withProjects: false, withNotes: false, withHints: false },
    days: days.map((day, index) => ({
      ...{ date: day.date, zone: day.time_zone, state: 'counted' as const },
      blocks: union(day.blocks.map(({ from, to }) => ({ start: epochMs(from), end: epochMs(to) }))),
      hasClockChange: hasClockChange(day),
      ...{ runningSince: null, absences: day.absences.map(absenceOf), projects: [], notes: [], hints: [] },
      figures: itemAt(figures.days, index),
    })),
    adjustments: stored.adjustments.map(({ date, kind, reason }, index) => {
      return { date, kind, reason, minutes: itemAt(figures.adjustments, index) }
    }),
    ...{ totals: figures.totals, balanceInMinutes, balanceOutMinutes, digest: check_code },
  }
}

function hasClockChange({ date, time_zone }: StoredDay): boolean {
  return firstInstant(addDays(date, 1), time_zone) - firstInstant(date, time_zone) !== DAY_MS
}

function absenceOf({ kind, days, ms }: StoredDay['absences'][number]): SheetAbsence {
  if (days === 1) return { kind, size: WHOLE_DAY, note: '' }
  return { kind, size: ms > 0 ? { day_share: null, amount_ms: ms } : { day_share: days, amount_ms: null }, note: '' }
}
