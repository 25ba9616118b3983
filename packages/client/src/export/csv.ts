import type { Table } from './tables.ts'

/** Cells that spreadsheets would compute instead of show. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Returns a table as CSV (RFC 4180): with a line of column names, durations in decimal hours. A text that a spreadsheet
 * would take for a formula begins with an apostrophe.
 */
export function csvOf({ columns, rows }: Pick<Table, 'rows'> & { columns: readonly { name: string }[] }): string {
  return [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(csvCell).join()}\r\n`).join('')
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  // Six decimals of an hour are less than the milliseconds that the account counts.
  if (typeof cell === 'number') return String(Number(cell.toFixed(6)))
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
