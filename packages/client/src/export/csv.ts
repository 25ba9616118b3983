import { asPlainCell } from '@saldo/core'
import Papa from 'papaparse'
import type { ExportCell } from './tables.ts'

/**
 * Returns a table as CSV (RFC 4180): with a line of column names, durations in decimal hours. No spreadsheet makes a
 * formula of a text, whatever delimiter it expects (D11.14). `readCsv` of the import returns the texts as they were.
 */
export function csvOf({ columns, rows }: CsvTable): string {
  const lines = [columns.map(({ name }) => name), ...rows].map((row) => row.map(writtenCell))
  return `${Papa.unparse(lines, { newline: '\r\n' })}\r\n`
}

interface CsvTable {
  columns: readonly { name: string }[]
  rows: readonly (readonly ExportCell[])[]
}

function writtenCell(cell: ExportCell): ExportCell {
  if (typeof cell === 'string') return asPlainCell(cell)
  // Seven decimals of an hour tell each millisecond from the next.
  return cell === null ? null : Number(cell.toFixed(7))
}
