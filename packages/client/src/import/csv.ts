import Papa from 'papaparse'

/** A CSV file: its header and its other rows, without empty ones. */
export interface CsvTable {
  header: readonly string[]
  /** `row` is its number in a spreadsheet, in which the header is row 1. */
  rows: readonly { row: number; cells: readonly string[] }[]
}

/** Reads CSV with whatever delimiter it has. */
export function readCsv(text: string): CsvTable {
  // Excel writes and reads a line that names the delimiter.
  const [, named] = /^sep=(.)\n/.exec(text) ?? []
  const { data } = Papa.parse<string[]>(named === undefined ? text : text.slice(6), { delimiter: named ?? '' })
  const first = named === undefined ? 1 : 2
  const isFilled = ({ cells }: { cells: string[] }) => cells.some((cell) => cell.trim() !== '')
  const [header, ...rows] = data.map((cells, index) => ({ row: index + first, cells })).filter(isFilled)
  return { header: header?.cells.map((name) => name.trim()) ?? [], rows }
}
