import { namesOf } from '@saldo/core'
import type { CsvTable } from '../csv.ts'
import {
  type ColumnField,
  type ColumnMapping,
  type FileRow,
  type FileTime,
  newRow,
  type SkipReason,
  UnreadableFileError,
} from '../file.ts'
import { findDecimalSeparator, readDateTime, readDuration } from '../values.ts'

/** The words for a break and for time off in a column of types, in lower case. */
const breakTypes = new Set(['break', 'pause', 'descanso', 'pausa', 'intervalo'])
const timeOffTypes = new Set([
  ...['holiday', 'time off', 'time_off', 'time-off', 'vacation', 'feiertag', 'urlaub', 'abwesenheit', 'freizeit'],
  ...['festivo', 'tiempo libre', 'vacaciones', 'jour férié', 'congé', 'congés', 'feriado', 'folga', 'férias'],
])

/** Reads the rows of a CSV by its columns. Throws `UnreadableFileError` if it has no column for a day. */
export function readColumns({ header, rows }: CsvTable, columns: ColumnMapping): FileRow[] {
  const places = new Map<ColumnField, number>()
  for (const field of namesOf(columns)) {
    const name = columns[field] ?? ''
    const place = header.indexOf(name)
    if (place === -1) throw new UnreadableFileError('no_columns', `there is no column «${name}»`)
    places.set(field, place)
  }
  if (!places.has('date') && !places.has('startDate') && !places.has('start')) {
    throw new UnreadableFileError('no_columns', 'no column is known to have a date')
  }
  const decimal = findDecimalSeparator(rows.flatMap(({ cells }) => cells))
  return rows.map(({ row, cells, isUnclosed }) => {
    if (isUnclosed) return { ...newRow(row), skip: 'unclosed_quote' }
    const cell = (field: ColumnField) => cells[places.get(field) ?? -1]?.trim() ?? ''
    return readRow(row, cell, decimal, places.has('endDate'))
  })
}

function readRow(row: number, cell: (field: ColumnField) => string, decimal: ',' | '.', hasEndDate: boolean): FileRow {
  const skipped = (skip: SkipReason): FileRow => ({ ...read, skip })
  const type = cell('type').toLowerCase()
  const [task, note] = [cell('task'), cell('note')]
  const read: FileRow = {
    ...newRow(row),
    kind: breakTypes.has(type) ? 'break' : 'work',
    project: cell('project'),
    client: cell('client'),
    note: task === '' || task === note ? note : [task, note].filter(Boolean).join(': '),
    tags: splitTags(cell('tags')),
    user: cell('user') || [cell('firstName'), cell('lastName')].filter(Boolean).join(' ') || cell('email'),
  }
  if (timeOffTypes.has(type)) return skipped('time_off')

  const lengthText = cell('duration') || cell('hours')
  // A duration by the clock is exact, one in decimal hours is rounded.
  const durationMs = readDuration(lengthText, decimal)
  if (lengthText !== '' && durationMs === undefined) return skipped('invalid_duration')
  if (durationMs !== undefined) read.durationMs = durationMs
  const breakMs = readDuration(cell('break'), decimal)
  if (breakMs) read.breakMs = breakMs

  const start = timeOf(cell('startDate') || cell('date'), cell('startTime') || cell('start'))
  if (start === undefined) return skipped('no_date')
  if ('date' in start && start.time === '') return { ...read, date: start.date }
  const endTime = cell('endTime') || cell('end')
  const endDate = hasEndDate ? cell('endDate') : ''
  const end = endTime === '' ? undefined : timeOf(endDate, endTime)
  return { ...read, start, ...(end && { end }) }
}

/** Returns a time from a column of dates and one of times, either of which can hold both. */
function timeOf(dateText: string, timeText: string): FileTime | undefined {
  const isClock = /^\d{1,2}[:.]\d\d/.test(timeText) && !/^\d{1,2}\.\d{1,2}\.\d/.test(timeText)
  if (isClock || /^0?[.,]\d+$/.test(timeText)) {
    const date = readDateTime(dateText)
    return { date: date && 'date' in date ? date.date : dateText, time: timeText }
  }
  if (timeText !== '') return readDateTime(timeText) ?? { date: dateText, time: timeText }
  return dateText === '' ? undefined : (readDateTime(dateText) ?? { date: dateText, time: '' })
}

function splitTags(text: string): string[] {
  return text
    .split(/[,;|]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
