import { type ExportedAccount, type Sheet, type SheetDay, type SheetRequest, sheetOf } from '@saldo/client/export'
import {
  addDays,
  type DateRange,
  daysBetween,
  type EpochMs,
  type Interval,
  type LocalDate,
  type UserNumber,
} from '@saldo/core'
import type { Format } from '../../../context/format.ts'
import { datesOfPeriod, periodOfDate } from '../period.ts'

/** More is no sheet that anybody signs, and slow to draw. */
const MAX_DAYS = 366

/** Returns the reason why there is no sheet of a range, if there is one. */
export function rangeProblem({ from, to }: DateRange): 'order' | 'length' | undefined {
  if (from > to) return 'order'
  return daysBetween(from, to) >= MAX_DAYS ? 'length' : undefined
}

/** The dates that a sheet names. */
interface SheetDates {
  /** True if its range is a month. */
  isMonth: boolean
  /** The date of the balance carried in. */
  balanceInDate: LocalDate
  /** The last date of the range that counts, which is that of the balance carried out. */
  lastCounted: LocalDate
}

/** Returns the dates that a sheet names. No balance is of a date that does not count yet. */
export function datesOfSheet({ range, countedTo }: Pick<Sheet, 'range' | 'countedTo'>): SheetDates {
  const month = datesOfPeriod(periodOfDate(range.from, { year: 0, month: 1 }))
  return {
    isMonth: month.from === range.from && month.to === range.to,
    balanceInDate: earlier(countedTo, addDays(range.from, -1)),
    lastCounted: earlier(countedTo, range.to),
  }
}

function earlier(a: LocalDate, b: LocalDate): LocalDate {
  return a < b ? a : b
}

/** Returns the times of a block of work on a day; with their zone on the day of a clock change. */
export function blockText(
  { start, end }: Interval,
  { zone, hasClockChange }: Pick<SheetDay, 'zone' | 'hasClockChange'>,
  format: Format,
): string {
  const timeText = hasClockChange ? format.timeWithZone : format.time
  return `${timeText(start, zone)}–${timeText(end, zone)}`
}

/** The last print of a month: its choices, and what its sheet said. */
export interface PrintedSheet {
  request: SheetRequest
  version: number
  digest: string
  printedAtMs: EpochMs
}

/** Last prints by the first date of their month. */
export type PrintedSheets = Readonly<Record<LocalDate, PrintedSheet>>

const printedKeyOf = (user: UserNumber) => `saldo.printed-sheets.${user}`

/** Returns the last prints of a user on this device. */
export function printedSheets(user: UserNumber): PrintedSheets {
  return JSON.parse(localStorage.getItem(printedKeyOf(user)) ?? '{}') as PrintedSheets
}

/** Returns the prints of the months that begin in a range. */
export function printsIn(printed: PrintedSheets, { from, to }: DateRange): PrintedSheets {
  const inRange = Object.entries(printed).filter(([month]) => from <= month && month <= to)
  return Object.fromEntries(inRange)
}

/** Remembers the print of a whole month; other ranges leave no mark. */
export function rememberPrint(user: UserNumber, sheet: Sheet, version: number, printedAtMs: EpochMs): void {
  const { range, countedTo, profile, withProjects, withNotes, withHints, digest } = sheet
  if (!isMonth(sheet)) return
  const request = { range, countedTo, profile, withProjects, withNotes, withHints }
  const printed = { request, version, digest, printedAtMs }
  localStorage.setItem(printedKeyOf(user), JSON.stringify({ ...printedSheets(user), [range.from]: printed }))
}

function isMonth({ range: { from, to } }: Sheet): boolean {
  const first = Temporal.PlainDate.from(from)
  return first.day === 1 && first.add({ months: 1 }).subtract({ days: 1 }).toString() === to
}

/** Returns the prints whose sheet would be another now, made from the same choices (D13.6). */
export function changedPrints(account: ExportedAccount, printed: PrintedSheets): PrintedSheets {
  const changed = Object.entries(printed).filter(
    ([, { request, digest }]) => sheetOf(account, request).digest !== digest,
  )
  return Object.fromEntries(changed)
}
