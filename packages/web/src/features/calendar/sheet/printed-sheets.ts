import type { Sheet, SheetRequest } from '@saldo/client/export'
import type { DateRange, EpochMs, LocalDate, UserNumber } from '@saldo/core'

/** The last print of a month: its choices, and what its sheet said. */
export interface PrintedSheet {
  request: SheetRequest
  version: number
  digest: string
  printedAtMs: EpochMs
}

/** Last prints by the first date of their month. */
export type PrintedSheets = Readonly<Record<LocalDate, PrintedSheet>>

const keyOf = (user: UserNumber) => `saldo.printed-sheets.${user}`

/** Returns the last prints of a user on this device. */
export function printedSheets(user: UserNumber): PrintedSheets {
  return JSON.parse(localStorage.getItem(keyOf(user)) ?? '{}') as PrintedSheets
}

/** Returns the prints of the months that begin in a range. */
export function printsIn(printed: PrintedSheets, { from, to }: DateRange): PrintedSheets {
  const inRange = Object.entries(printed).filter(([month]) => from <= month && month <= to)
  return Object.fromEntries(inRange) as PrintedSheets
}

/** Remembers the print of a whole month; other ranges leave no mark. */
export function rememberPrint(user: UserNumber, sheet: Sheet, version: number, printedAtMs: EpochMs): void {
  const { range, countedTo, profile, withProjects, withNotes, withHints, digest } = sheet
  if (!isMonth(sheet)) return
  const request = { range, countedTo, profile, withProjects, withNotes, withHints }
  const printed = { request, version, digest, printedAtMs }
  localStorage.setItem(keyOf(user), JSON.stringify({ ...printedSheets(user), [range.from]: printed }))
}

function isMonth({ range: { from, to } }: Sheet): boolean {
  const first = Temporal.PlainDate.from(from)
  return first.day === 1 && first.add({ months: 1 }).subtract({ days: 1 }).toString() === to
}
