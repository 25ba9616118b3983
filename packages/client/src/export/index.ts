/** `@saldo/client/export`: tables of an account, as CSV and as an Excel workbook. */
export { csvOf } from './csv.ts'
export { solidtimeCsv } from './solidtime.ts'
export {
  type Cell,
  type Column,
  type ExportedAccount,
  type Table,
  type TableName,
  tableNames,
  tableOf,
} from './tables.ts'
export { type WorkbookWords, workbookOf } from './workbook.ts'
