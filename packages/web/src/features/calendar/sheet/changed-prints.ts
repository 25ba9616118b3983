import { type ExportedAccount, sheetOf } from '@saldo/client/export'
import type { PrintedSheets } from './printed-sheets.ts'

/** Returns the prints whose sheet would be another now, made from the same choices (D13.6). */
export function changedPrints(account: ExportedAccount, printed: PrintedSheets): PrintedSheets {
  const changed = Object.entries(printed).filter(
    ([, { request, digest }]) => sheetOf(account, request).digest !== digest,
  )
  return Object.fromEntries(changed) as PrintedSheets
}
