/** An account as JSON, and its tables as CSV and as an Excel workbook. @module */

export { csvOf } from './csv.ts'
export { exportJson, readExportedAccount } from './exported-account.ts'
export { type ReportWords, type RoundedReport, reportTable, roundReport } from './report.ts'
export {
  HINT_DAYS,
  lastCountedDate,
  type Sheet,
  type SheetAbsence,
  type SheetAdjustment,
  type SheetDay,
  type SheetFigures,
  type SheetRequest,
  sheetOf,
} from './sheet.ts'
export { deltaText, hoursText } from './sheet-text.ts'
export { plainSheetWords, type SheetColumn, type SheetWords, sheetColumns } from './sheet-words.ts'
export { sheetWorkbookOf } from './sheet-workbook.ts'
export { solidtimeCsv } from './solidtime.ts'
export { sheetOfStored } from './stored-sheet.ts'
export {
  type ExportCell,
  type ExportColumn,
  type ExportedAccount,
  type ExportTable,
  type ExportTableName,
  tableNames,
  tableOf,
} from './tables.ts'
export { type WorkbookWords, workbookOf } from './workbook.ts'
