import type { EpochMs } from '@saldo/core'
import { ReadBudget } from './budget.ts'
import { joinClockEvents } from './clock-events.ts'
import { type CsvTable, readCsv } from './csv.ts'
import {
  type ColumnMapping,
  type FileRow,
  type ImportFile,
  type ImportFormat,
  type SourceFile,
  type TableColumns,
  UnreadableFileError,
} from './file.ts'
import { isActivityWatch, readActivityWatch } from './formats/activitywatch.ts'
import { readColumns } from './formats/columns.ts'
import { isSaldoExport, readSaldoExport } from './formats/saldo.ts'
import { isZip, readSolidtimeZip } from './formats/solidtime.ts'
import { readTimeTagger } from './formats/timetagger.ts'
import {
  isTimewarriorData,
  isTimewarriorJson,
  readTimewarriorData,
  readTimewarriorJson,
} from './formats/timewarrior.ts'
import { isWatson, readWatson } from './formats/watson.ts'
import { belowTitle, columnsOfTable, guessCsvFormat, oneColumnEach } from './headers.ts'
import { batchOf, nameRows } from './ids.ts'
import { decodeText } from './text.ts'

export interface ReadOptions {
  /** The format, if the file shall not tell it. */
  format?: ImportFormat
  /** The columns of a CSV, by what they hold; without them, their names tell. */
  columns?: ColumnMapping
  /** The time up to which repeated events of a calendar count. */
  nowMs: EpochMs
}

/** Reads a file of any format. Throws `UnreadableFileError`. */
export async function readImportFile({ bytes }: SourceFile, options: ReadOptions): Promise<ImportFile> {
  const { format, columns, nowMs } = options
  const budget = new ReadBudget()
  budget.spend('fileBytes', bytes.length)
  const found = isZip(bytes)
    ? rowsOf('solidtime', readSolidtimeZip(bytes, budget), format)
    : await readText(decodeText(bytes), { format, columns, nowMs }, budget)
  if ('records' in found) return found
  if (found.rows.length === 0) throw new UnreadableFileError('no_rows', 'the file has no rows')
  const rows = nameRows(found.format, found.rows)
  const { format: name, columns: read } = found
  return { format: name, batch: batchOf(name, rows), rows, ...(read && { columns: read }) }
}

/** Reads the cells of a CSV or of a pasted list, its first line too. Throws `UnreadableFileError`. */
export function readLines(bytes: Uint8Array): { row: number; cells: readonly string[] }[] {
  const budget = new ReadBudget()
  budget.spend('fileBytes', bytes.length)
  const { header, rows } = readCsv(decodeText(bytes), budget)
  return [{ row: 1, cells: header }, ...rows.map(({ row, cells }) => ({ row, cells }))]
}

/** The beginning of a CSV, for somebody who says what its columns hold. */
export interface TableHead {
  header: readonly string[]
  /** The cells of the first rows. */
  samples: readonly (readonly string[])[]
  /** The columns whose names are known. */
  columns: ColumnMapping
}

const SAMPLE_ROWS = 4

/** Returns the beginning of a CSV; `undefined` for a file of another kind. Throws `UnreadableFileError`. */
export function readTableHead({ bytes }: SourceFile): TableHead | undefined {
  if (isZip(bytes)) return undefined
  const budget = new ReadBudget()
  budget.spend('fileBytes', bytes.length)
  const text = decodeText(bytes)
  if (isCalendar(text) || isJson(text) || isTimewarriorData(text)) return undefined
  budget.spend('textCharacters', text.length)
  const table = belowTitle(readCsv(text, budget))
  if (!isTable(table)) return undefined
  const { header, rows } = table
  return {
    header,
    samples: rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells),
    columns: oneColumnEach(joinClockEvents(table)?.columns ?? columnsOfTable(table)),
  }
}

const isTable = ({ header, rows }: CsvTable) => header.length > 1 && rows.length > 0
const isCalendar = (text: string) => /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)
const isJson = (text: string) => /^\s*[[{]/.test(text)

type Wanted = { format: ImportFormat | undefined; columns: ColumnMapping | undefined; nowMs: EpochMs }
type RowFormat = Exclude<ImportFormat, 'saldo'>
type Found =
  | Extract<ImportFile, { format: 'saldo' }>
  | { format: RowFormat; rows: readonly FileRow[]; columns?: TableColumns }

function rowsOf(found: RowFormat, rows: readonly FileRow[], wanted: ImportFormat | undefined): Found {
  requireFormat(wanted, found)
  return { format: found, rows }
}

async function readText(text: string, { format, columns, nowMs }: Wanted, budget: ReadBudget): Promise<Found> {
  if (!isJson(text)) budget.spend('textCharacters', text.length)
  const found = (name: RowFormat, rows: readonly FileRow[]) => rowsOf(name, rows, format)
  if (isCalendar(text)) {
    // Loaded for calendars alone: no other part of the import is as large.
    const { readICalendar } = await import('./formats/icalendar.ts')
    return found('icalendar', readICalendar(text, nowMs, budget))
  }
  if (isJson(text)) {
    const json = parseJson(text, budget)
    if (isSaldoExport(json)) {
      requireFormat(format, 'saldo')
      return readSaldoExport(json, budget)
    }
    if (isTimewarriorJson(json)) return found('timewarrior', readTimewarriorJson(json, budget))
    if (isWatson(json)) return found('watson', readWatson(json, budget))
    if (isActivityWatch(json)) return found('activitywatch', readActivityWatch(json, budget))
    throw new UnreadableFileError('unknown_format', 'the JSON is of no tool that Saldo knows')
  }
  if (isTimewarriorData(text)) return found('timewarrior', readTimewarriorData(text, budget))
  const table = belowTitle(readCsv(text, budget))
  const events = joinClockEvents(table)
  const { start, end } = events?.columns ?? {}
  const isOfEvents = events !== undefined && (!columns || (columns.start === start && columns.end === end))
  return readTable(isOfEvents ? events.table : table, format, columns ?? events?.columns, budget)
}

function readTable(
  table: CsvTable,
  format: ImportFormat | undefined,
  columns: ColumnMapping | undefined,
  budget: ReadBudget,
): Found {
  if (table.rows.length === 0) throw new UnreadableFileError('no_rows', 'the file has no rows')
  if (!isTable(table)) throw new UnreadableFileError('one_column', 'the file has one column alone')
  budget.spend('rows', table.rows.length)
  const guessed = guessCsvFormat(table.header)
  const name = format ?? guessed ?? 'csv'
  if (name === 'saldo' || ['activitywatch', 'icalendar', 'timewarrior'].includes(name)) {
    throw new UnreadableFileError('not_this_format', `the file is not of the format ${name}`)
  }
  if (name === 'timetagger' && !columns) return { format: name, ...readTimeTagger(table, budget) }
  return { format: name, ...readColumns(table, columns ?? columnsOfTable(table), name !== 'csv', budget) }
}

function requireFormat(wanted: ImportFormat | undefined, found: ImportFormat): void {
  if (wanted === undefined || wanted === found) return
  throw new UnreadableFileError('not_this_format', `the file is not of the format ${wanted} but ${found}`)
}

function parseJson(text: string, budget: ReadBudget): unknown {
  spendValues(text, budget)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UnreadableFileError('unknown_format', 'the file is not valid JSON')
    throw error
  }
}

const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const openings = new Set([...',[{'].map((mark) => mark.charCodeAt(0)))
/** The values of a JSON text count in portions, so that a file beyond the budget is not read to its end. */
const PORTION = 1_024

/** Lets the values of a JSON text spend the budget: two bytes of it can take sixty in memory. */
function spendValues(json: string, budget: ReadBudget): void {
  let values = 1
  let isInString = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) isInString = !isInString
    else if (isInString && code === BACKSLASH) at += 1
    else if (!isInString && openings.has(code)) values += 1
    if (values < PORTION) continue
    budget.spend('jsonValues', values)
    values = 0
  }
  budget.spend('jsonValues', values)
}
