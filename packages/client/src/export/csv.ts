import Papa from 'papaparse'
import type { ExportCell } from './tables.ts'

/**
 * Returns a table as CSV (RFC 4180): with a line of column names, durations in decimal hours. A text that a spreadsheet
 * would take for a formula begins with an apostrophe.
 */
export function csvOf({ columns, rows }: CsvTable): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => row.map(rounded))]
  return `${Papa.unparse(lines, { escapeFormulae: true, newline: '\r\n' })}\r\n`
}

interface CsvTable {
  columns: readonly { name: string }[]
  rows: readonly (readonly ExportCell[])[]
}

/** Six decimals of an hour are less than the milliseconds that the account counts. */
function rounded(cell: ExportCell): ExportCell {
  return typeof cell === 'number' ? Number(cell.toFixed(6)) : cell
}
