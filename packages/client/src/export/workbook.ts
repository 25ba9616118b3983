import type { ColumnType, ExportCell, ExportColumn, ExportTable } from './tables.ts'

/** The words of a workbook. Without them, sheets and columns have the names of tables and columns. */
export interface WorkbookWords {
  /** Returns the name of a table's sheet. */
  sheet(table: string): string
  /** Returns the heading of a column by its name, such as `delta_hours`. */
  column(name: string): string
  /** Returns the word for the sums below a table. The durations of entries add up to more than what counts. */
  total(table: string): string
}

const plainWords: WorkbookWords = {
  sheet: (table) => capitalized(table),
  column: (name) => capitalized(name.replace(/_hours$/, '').replaceAll('_', ' ')),
  total: (table) => (table === 'entries' ? 'Sum of durations' : 'Total'),
}

const HOURS_PER_DAY = 24

/** Workbooks show no negative time of day, so deltas are numbers of hours. */
const formats: Partial<Record<ColumnType, string>> = {
  date: 'yyyy-mm-dd',
  time: 'yyyy-mm-dd hh:mm',
  duration: '[h]:mm',
  hours: '0.00',
  delta: '+0.00;-0.00;0.00',
}

const widths: Record<ColumnType, number> = {
  text: 18,
  number: 10,
  hours: 10,
  date: 12,
  time: 18,
  duration: 12,
  delta: 12,
}

/** Named, because programs choose different fonts where a workbook names none. */
export const workbookFont = { fontFamily: 'Arial', fontSize: 10 }

/**
 * Returns tables as the sheets of an Excel workbook with real dates and times. What follows from other cells is a
 * formula, so that a corrected cell corrects the sums.
 */
export async function workbookOf(tables: readonly ExportTable[], words: WorkbookWords = plainWords): Promise<Blob> {
  const { default: writeWorkbook } = await import('write-excel-file/universal')
  return writeWorkbook(
    tables.map((table) => sheetOf(table, words)),
    workbookFont,
  ).toBlob()
}

function sheetOf({ name, columns, rows }: ExportTable, words: WorkbookWords) {
  const head = columns.map((column) => ({ ...textCell(words.column(column.name)), fontWeight: 'bold' as const }))
  // The first row below the head is row 2.
  const body = rows.map((row, index) =>
    columns.map((column, at) => cellOf(row[at] ?? null, column, columns, index + 2)),
  )
  const sums = columns.map((column, at) => {
    if (at === 0) return { ...textCell(words.total(name)), fontWeight: 'bold' as const }
    if (!isSummed(column)) return null
    const letter = columnLetters(at)
    return { ...formula(`SUM(${letter}2:${letter}${rows.length + 1})`, column.type), fontWeight: 'bold' as const }
  })
  const hasSums = rows.length > 0 && columns.some(isSummed)
  return {
    sheet: words.sheet(name),
    data: [head, ...body, ...(hasSums ? [sums] : [])],
    columns: columns.map(({ type }) => ({ width: widths[type] })),
    stickyRowsCount: 1,
  }
}

/** Durations, hours and deltas are summed, but a running balance is not. */
function isSummed({ type, formula }: ExportColumn): boolean {
  return type === 'duration' || type === 'hours' || (type === 'delta' && !formula?.includes('{^'))
}

function cellOf(cell: ExportCell, column: ExportColumn, columns: readonly ExportColumn[], row: number) {
  if (cell === null) return null
  const { type } = column
  const isFirst = row === 2
  // The first running balance may follow rows that the range leaves out.
  if (column.formula && !(isFirst && column.formula.includes('{^'))) {
    const text = column.formula.replace(/\{(\^?)(\w+)\}/g, (_, above: string, name: string) => {
      const at = columns.findIndex((other) => other.name === name)
      return `${columnLetters(at)}${above ? row - 1 : row}`
    })
    return formula(text, type)
  }
  const format = formats[type]
  const shown = format === undefined ? {} : { format }
  if (type === 'date' || type === 'time') return dateCell(String(cell), formats[type] ?? '')
  if (typeof cell === 'string') return textCell(cell)
  return { type: Number, value: type === 'duration' ? cell / HOURS_PER_DAY : cell, ...shown }
}

/**
 * Returns the cell of a text, which is never a formula. What XML does not have or the library leaves out, and what
 * reads like such an escape, is escaped as `_x000D_` (ECMA-376, ST_Xstring).
 */
export function textCell(text: string) {
  const escaped = text.replaceAll(
    /_(?=x[\da-f]{4}_)|[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/giu,
    escapedCharacter,
  )
  // The library looks texts up in a plain object, which has these already.
  const value = escaped in {} ? escaped.replace(/^./u, escapedCharacter) : escaped
  return { type: String, value }
}

function escapedCharacter(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** Excel takes 1900 for a leap year and knows no earlier year: only from here on do all programs agree on a date. */
const FIRST_WORKBOOK_DATE = '1900-03-01'

/** Returns the cell of a date, with or without a time of day; a text if workbooks have no such date. */
export function dateCell(date: string, format: string) {
  if (date < FIRST_WORKBOOK_DATE) return textCell(date)
  return { type: Date, value: new Date(`${date.replace(' ', 'T').padEnd(19, 'T00:00:00')}Z`), format }
}

function formula(text: string, type: ColumnType) {
  return { type: 'Formula' as const, value: text, format: formats[type] ?? '' }
}

/** Returns the letters of a column by its place, counted from 0: A, B, … Z, AA, AB. */
export function columnLetters(at: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (at % 26))
  return at < 26 ? last : columnLetters(Math.floor(at / 26) - 1) + last
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
