import { ofPlainCell } from '@saldo/core'
import Papa from 'papaparse'
import type { ReadBudget } from './budget.ts'

/** A row of a CSV file. */
export interface CsvRow {
  /** Its number in a spreadsheet, in which the header is row 1. */
  row: number
  cells: readonly string[]
  /** True for the last row, if a quotation mark in it is never closed: it holds the rest of the file. */
  isUnclosed: boolean
}

/** A CSV file: its header and its other rows, without empty ones. */
export interface CsvTable {
  header: readonly string[]
  rows: readonly CsvRow[]
}

/**
 * Reads CSV with whatever delimiter it has, and undoes `asPlainCell`. Throws `UnreadableFileError` if it is beyond the
 * budget.
 */
export function readCsv(text: string, budget: ReadBudget): CsvTable {
  budget.spend('tableMarks', countMarks(text))
  // Excel writes and reads a line that names the delimiter.
  const [, named] = /^sep=(.)\n/.exec(text) ?? []
  const table = named === undefined ? text : text.slice(6)
  const { data, errors } = Papa.parse<string[]>(table, { delimiter: named ?? findDelimiter(table) })
  const unclosed = errors.find(({ code }) => code === 'MissingQuotes')?.row
  const first = named === undefined ? 1 : 2
  const withoutMarks = data.map((cells) => cells.map((cell) => ofPlainCell(ofFormula(cell))))
  const isFilled = ({ cells }: CsvRow) => cells.some((cell) => cell.trim() !== '')
  const [header, ...rows] = withoutMarks
    .map((cells, index) => ({ row: index + first, cells, isUnclosed: index === unclosed }))
    .filter(isFilled)
  const beginning = [header, ...rows.slice(0, TITLE_LINES)].map((row) => row?.cells.length ?? 0)
  budget.spend('columns', Math.max(...beginning))
  return { header: header?.cells.map((name) => name.trim()) ?? [], rows }
}

/** Returns the text of `="0012"`, which tools write so that a spreadsheet takes it for no number. */
const ofFormula = (cell: string) => /^="(.*)"$/s.exec(cell)?.[1] ?? cell

/** The first lines of a table among which its header can stand below a title. */
export const TITLE_LINES = 10

const delimiters = [',', ';', '\t', '|', '\u001e', '\u001f']
/** The lines of which a delimiter has to make rows of equal length. */
const TRIED_LINES = 20
const TRIED_CHARACTERS = 100_000

/**
 * Returns the delimiter with which most of the first rows have equally many cells, of several the one that makes the
 * most cells: lines of a title above the header have fewer. The library counts the empty last line of short files too.
 */
function findDelimiter(text: string): string {
  const beginning = text.slice(0, TRIED_CHARACTERS)
  const ranked = delimiters
    .map((delimiter) => {
      const { data } = Papa.parse<string[]>(beginning, { delimiter, preview: TRIED_LINES, skipEmptyLines: 'greedy' })
      const byLength = [...Map.groupBy(data, ({ length }) => length).values()]
      const [rows = []] = byLength.toSorted((a, b) => b.length - a.length || (b[0]?.length ?? 0) - (a[0]?.length ?? 0))
      const columns = rows[0]?.length ?? 0
      return { delimiter, columns, share: columns > 1 ? rows.length / data.length : 0 }
    })
    .toSorted((a, b) => b.share - a.share || b.columns - a.columns)
  return ranked[0]?.delimiter ?? ','
}

const marks = new Set([...',;\t|\u001e\u001f\n"'].map((mark) => mark.charCodeAt(0)))

/** Returns the number of characters that can end a cell or quote one: the parser makes no more cells. */
function countMarks(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) if (marks.has(text.charCodeAt(at))) count += 1
  return count
}
