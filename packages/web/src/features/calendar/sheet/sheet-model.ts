import { type ExportedAccount, type Sheet, type SheetRequest, sheetOf } from '@saldo/client/export'
import { type DateRange, daysBetween, type EpochMs, type LocalDate, type UserNumber } from '@saldo/core'

/** More is no sheet that anybody signs, and slow to draw. */
const MAX_DAYS = 366

/** Returns the reason why there is no sheet of a range, if there is one. */
export function rangeProblem({ from, to }: DateRange): 'order' | 'length' | undefined {
  if (from > to) return 'order'
  return daysBetween(from, to) >= MAX_DAYS ? 'length' : undefined
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
