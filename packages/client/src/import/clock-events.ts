import { fold } from '../reading/words.ts'
import type { CsvRow, CsvTable } from './csv.ts'
import type { ColumnMapping } from './file.ts'
import { guessColumns } from './headers.ts'
import { readDateTime, readTimeCell } from './values.ts'

const words = (text: string) => new Set(text.split(', '))
const INS = words(
  'kommen, kommt, k, arbeitsbeginn, arbeitsanfang, dienstbeginn, in, clock in, clock-in, clockin, ' +
    'check in, check-in, checkin, punch in, start, beginn, anfang, ' +
    'anmeldung, einstempeln, eingang, pause ende, pausenende, ende pause, break end, end break, entrada, entrata, ' +
    'entree, arrivee',
)
const OUTS = words(
  'gehen, geht, g, arbeitsende, dienstende, out, clock out, clock-out, clockout, ' +
    'check out, check-out, checkout, punch out, end, ende, stop, ' +
    'abmeldung, ausstempeln, ausgang, pause beginn, pause anfang, pause start, pausenbeginn, pausenanfang, ' +
    'beginn pause, break start, start break, salida, uscita, sortie, depart',
)

/** The same word for the beginning and the end of a break. */
const PAUSES = words('pause, break, mittag, mittagspause, lunch, lunch break')

/** A table of which each row says when somebody came or left, and the columns of what it becomes. */
export interface ClockEvents {
  table: CsvTable
  columns: ColumnMapping
}

/**
 * Returns the rows of a time clock as rows with a start and an end, which stands where the row said that somebody came;
 * `undefined` for another table. A row without its counterpart keeps its only time.
 */
export function joinClockEvents({ header, rows }: CsvTable): ClockEvents | undefined {
  const event = header.findIndex((_, at) => isOfEvents(rows, at))
  const time = header.findIndex((_, at) => at !== event && rows.every(({ cells }) => isTime(cells[at] ?? '')))
  const [eventName, timeName] = [header[event], header[time]]
  if (eventName === undefined || timeName === undefined) return undefined
  const columns = guessColumns(header.map((name, at) => (at === event || at === time ? '' : name)))
  const user = header.indexOf(columns.user ?? columns.email ?? '')
  const date = header.indexOf(columns.date ?? columns.startDate ?? '')
  const ways = [rows, rows.toReversed()].map((ordered) => joined(ordered, { event, time, user, date }))
  // The newest rows can come first.
  const [best] = ways.toSorted((a, b) => a.alone - b.alone)
  if (!best) return undefined
  return {
    table: { header, rows: best.rows.toSorted((a, b) => a.row - b.row) },
    columns: { ...columns, start: timeName, end: eventName },
  }
}

function isOfEvents(rows: readonly CsvRow[], at: number): boolean {
  const isEvent = ({ cells }: CsvRow) => [INS, OUTS, PAUSES].some((known) => known.has(wordIn(cells, at)))
  if (!rows.every(isEvent)) return false
  const texts = rows.map(({ cells }) => wordIn(cells, at))
  return texts.some((text) => INS.has(text)) && texts.some((text) => OUTS.has(text))
}

const wordIn = (cells: readonly string[], at: number) => fold(cells[at]?.trim() ?? '')

function isTime(text: string): boolean {
  const moment = readDateTime(text)
  return readTimeCell(text) !== undefined || (moment !== undefined && ('at' in moment || moment.time !== ''))
}

function joined(
  rows: readonly CsvRow[],
  { event, time, user, date }: Record<'event' | 'time' | 'user' | 'date', number>,
) {
  const open = new Map<string, CsvRow>()
  const pairs: CsvRow[] = []
  let alone = 0
  const close = (start: CsvRow | undefined, end?: CsvRow) => {
    const one = start ?? end
    if (!one) return
    if (!start || !end) alone += 1
    const cells = one.cells.map((cell, at) => {
      if (at === event) return end ? momentOf(end, start) : ''
      return at === time && !start ? '' : cell
    })
    pairs.push({ ...one, cells })
  }
  const momentOf = ({ cells }: CsvRow, start: CsvRow | undefined) => {
    const [day, clock] = [cells[date]?.trim() ?? '', cells[time] ?? '']
    // A day or more later, the date of the start would not tell the end.
    return day === (start?.cells[date]?.trim() ?? '') ? clock : `${day} ${clock}`
  }
  for (const row of rows) {
    const of = row.cells[user] ?? ''
    const word = wordIn(row.cells, event)
    const isIn = INS.has(word) || (PAUSES.has(word) && !open.has(of))
    if (isIn || open.has(of)) {
      close(open.get(of), isIn ? undefined : row)
      open.delete(of)
    } else close(undefined, row)
    if (isIn) open.set(of, row)
  }
  for (const row of open.values()) close(row)
  return { rows: pairs, alone }
}
