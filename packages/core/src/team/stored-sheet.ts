import * as v from 'valibot'
import { absenceTimes } from '../absence.ts'
import { coveredTime, type DayFigures, type IdentifiedEntry, isAccountAbsence } from '../account-function.ts'
import { type Adjustment, adjustmentKinds } from '../adjustment.ts'
import { absenceKinds } from '../choices.ts'
import { inBillionths } from '../day-units.ts'
import { digestOf } from '../digest.ts'
import { netWorkMs } from '../figures.ts'
import { instantOf } from '../instant.ts'
import { within } from '../interval.ts'
import { dayWindow, plannedOn, type Timeline, zoneOn } from '../timeline.ts'
import { DateText, InstantText, MonthText, SignedMs, wholeNumber, Zone } from '../validation.ts'
import type { DurationMs, Month } from '../values.ts'

const Ms = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const figures = { target_ms: Ms, worked_ms: Ms, credited_ms: Ms, delta_ms: SignedMs }
const kind = v.picklist(absenceKinds)

/**
 * The sheet of a month as it was when the month was locked (D27.3). `worked_ms` is net of breaks, so that worked plus
 * credited less target time is the delta, of each day and in total; both balances differ by the total delta and the
 * adjustments.
 */
export const StoredSheet = v.object({
  month: MonthText,
  version: v.pipe(Ms, v.metadata({ description: 'The version of the records from which it was made.' })),
  days: v.array(
    v.object({
      date: DateText,
      time_zone: Zone,
      ...figures,
      break_ms: Ms,
      blocks: v.pipe(
        v.array(v.object({ from: InstantText, to: InstantText })),
        v.metadata({ description: 'The time worked without recorded breaks.' }),
      ),
      absences: v.array(v.object({ kind, days: v.number(), ms: Ms })),
    }),
  ),
  adjustments: v.array(
    v.object({ date: DateText, kind: v.picklist(adjustmentKinds), reason: v.string(), delta_ms: SignedMs }),
  ),
  totals: v.object({ ...figures, adjustments_ms: SignedMs }),
  absences: v.pipe(
    v.array(v.object({ kind, days: v.number(), ms: Ms })),
    v.metadata({ description: 'The sums of each kind, in days and as planned time.' }),
  ),
  balance_in_ms: SignedMs,
  balance_out_ms: SignedMs,
  check_code: v.pipe(
    v.string(),
    v.metadata({ description: 'A digest of all other fields as in D10.5: 16 hexadecimal digits.' }),
  ),
})
export type StoredSheet = v.InferOutput<typeof StoredSheet>

/** The part of an account from which a sheet is made. */
export interface SheetAccount {
  version: number
  timeline: Timeline
  /** The figures of the month's days within the account, in order. */
  days: readonly DayFigures[]
  /** The entries that overlap the month. */
  entries: readonly IdentifiedEntry[]
  /** The adjustments of the month. */
  adjustments: readonly Adjustment[]
  /** The balance before the month. */
  balanceInMs: DurationMs
}

/** Returns the sheet of a month (D27.3). */
export function storedSheet(
  month: Month,
  { version, timeline, days, entries, adjustments, balanceInMs }: SheetAccount,
): StoredSheet {
  const absencesByDate = Map.groupBy(entries.filter(isAccountAbsence), ({ date }) => date)
  const { worked } = coveredTime(entries)
  const rows = days.map((day): StoredSheet['days'][number] => {
    const blocks = within(worked, dayWindow(timeline, day.date))
    const absences = absenceTimes(absencesByDate.get(day.date) ?? [], plannedOn(timeline, day.date))
    return {
      date: day.date,
      time_zone: zoneOn(timeline, day.date),
      ...sheetFigures(day),
      break_ms: day.break_ms + day.deducted_break_ms,
      blocks: blocks.map(({ start, end }) => ({ from: instantOf(start), to: instantOf(end) })),
      absences: absences.map((time) => ({ ...time, days: inBillionths(time.days) })),
    }
  })
  const adjustmentRows = adjustments
    .toSorted((a, b) => (`${a.effective_date} ${a.id}` < `${b.effective_date} ${b.id}` ? -1 : 1))
    .map(({ effective_date: date, kind, reason, delta_ms }) => ({ date, kind, reason, delta_ms }))
  const adjustmentsMs = sum(adjustmentRows.map(({ delta_ms }) => delta_ms))
  const totals = {
    target_ms: sum(rows.map(({ target_ms }) => target_ms)),
    worked_ms: sum(rows.map(({ worked_ms }) => worked_ms)),
    credited_ms: sum(rows.map(({ credited_ms }) => credited_ms)),
    delta_ms: sum(rows.map(({ delta_ms }) => delta_ms)),
    adjustments_ms: adjustmentsMs,
  }
  const sheet = {
    ...{ month, version, days: rows, adjustments: adjustmentRows, totals },
    absences: absenceKinds.flatMap((kind) => {
      const ofKind = rows.flatMap(({ absences }) => absences.filter((one) => one.kind === kind))
      if (ofKind.length === 0) return []
      const days = inBillionths(sum(ofKind.map((one) => one.days)))
      return { kind, days, ms: sum(ofKind.map(({ ms }) => ms)) }
    }),
    balance_in_ms: balanceInMs,
    balance_out_ms: balanceInMs + totals.delta_ms + adjustmentsMs,
  }
  return { ...sheet, check_code: digestOf(sheet) }
}

/** True if a sheet has the check code of its content. */
export function isSheetIntact({ check_code, ...sheet }: StoredSheet): boolean {
  return digestOf(sheet) === check_code
}

function sheetFigures(day: DayFigures) {
  const { target_ms, credited_ms, delta_ms } = day
  return { target_ms, worked_ms: netWorkMs(day), credited_ms, delta_ms }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
