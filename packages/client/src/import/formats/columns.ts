import { DAY_MS, type DurationMs, HOUR_MS, isZone, MINUTE_MS, namesOf } from '@saldo/core'
import { type DurationUnit, durationOfNumber, durationUnits, type WrittenDuration } from '../../reading/durations.ts'
import { dateOrders } from '../../reading/written-days.ts'
import { type Absent, absentIn, isLetterForTimeOff, isTimeOff, isTotal } from '../absent.ts'
import type { ReadBudget } from '../budget.ts'
import type { CsvRow, CsvTable } from '../csv.ts'
import {
  type ColumnField,
  type ColumnMapping,
  type FileRow,
  type FileTime,
  MAX_TAGS,
  newRow,
  type Oddity,
  type SkipReason,
  type TableColumns,
  UnreadableFileError,
  type UsedColumn,
} from '../file.ts'
import { splitUnit, withoutNumber } from '../headers.ts'
import { findUnit, isEmptyCell, readLengthInText } from '../lengths.ts'
import {
  readDateCell,
  readDateTime,
  readLengthCell,
  readPartOfDay,
  readTimeCell,
  type TimeRange,
  timeRangesIn,
} from '../values.ts'

/** The words for a break in a column of types, in lower case; a remark can follow. */
const breakTypes = new Set(['break', 'pause', 'descanso', 'pausa', 'intervalo'])
const YES = /^(?:true|wahr|yes|ja|y|j|x|1|vrai|oui|verdadero|sí|si|verdadeiro|sim|on|ein)$/i

const LONGEST_NIGHT_MS = 16 * HOUR_MS

/** The fields that a table can have several times: the times of day at which somebody came and went. */
const timesOfDay: readonly ColumnField[] = ['start', 'startTime', 'end', 'endTime']
const repeatable: readonly ColumnField[] = [...timesOfDay, 'duration', 'hours', 'break', 'breakStart', 'breakEnd']
/** The columns whose texts are names. */
const named: readonly ColumnField[] = ['user', 'email', 'firstName', 'lastName', 'client', 'project', 'tags']
const isRepeatable = (field: ColumnField) => repeatable.includes(field)

type Cells = (field: ColumnField) => string
type Units = Record<'duration' | 'break', DurationUnit | readonly DurationUnit[]>

/** The cells of one pair of times of a row, and how many pairs the row has. */
interface Piece {
  row: CsvRow
  cell: Cells
  /** True for the only pair of its row. */
  isAlone: boolean
  length: WrittenDuration | undefined
  pause: WrittenDuration | undefined
  /** True if a break is known without a length: it lies between pairs, is named with another, or has times of day. */
  isPauseKnown: boolean
  /** The breaks of the row that lie in this pair. */
  breaks: readonly TimeRange[]
  /** True if the row states a break that lies neither in a pair nor between two. */
  hasUnplacedBreak: boolean
  /** True if its date is that of the row above. */
  isDateAbove: boolean
  /** The days after the date of its row on which it begins. */
  laterDays: number
  /** The reason why the row is no work, if one of its words says so. */
  absent: Absent | undefined
}

/**
 * Reads the rows of a CSV by its columns. `isTool` says that a tool wrote them whose numbers are hours. Throws
 * `UnreadableFileError` if it has no column for a day.
 */
export function readColumns(
  { header, rows }: CsvTable,
  columns: ColumnMapping,
  isTool: boolean,
  budget: ReadBudget,
): { rows: FileRow[]; columns: TableColumns } {
  const places = placesOf(header, columns)
  if (!places.has('date') && !places.has('startDate') && !places.has('start')) {
    throw new UnreadableFileError('no_columns', 'no column is known to have a date')
  }
  const names = new Set(named.flatMap((field) => places.get(field) ?? []))
  const textPlaces = header.flatMap((_, at) => (names.has(at) ? [] : [at]))
  const shared = [...places].flatMap(([field, at]) => (isRepeatable(field) ? [] : at))
  let dateAbove = ''
  const pieces = rows.flatMap((row) => {
    dateAbove = dateOf(row, places) || dateAbove
    const some = piecesOf(row, places, { dateAbove, textPlaces })
    // A row with several pairs of times, or with breaks, is several rows. The first one counts with those of the table.
    const more = some.reduce((sum, { breaks }) => sum + 1 + breaks.length, -1)
    if (more > 0) budget.spend('rows', more)
    // They share its texts, which are worked on for each of them.
    budget.spend('textCharacters', more * shared.reduce((sum, at) => sum + (row.cells[at]?.length ?? 0), 0))
    return some
  })
  const units = unitsOf(pieces, columns, isTool)
  const textsByRow = new Map(rows.map((row) => [row, textsOf(row, places)]))
  const read = pieces.flatMap((piece): FileRow[] => {
    const { shown, tags } = textsByRow.get(piece.row) ?? textsOf(piece.row, places)
    if (piece.row.isUnclosed) return [{ ...newRow(piece.row.row), text: shown, skip: 'unclosed_quote' }]
    const main = readRow(piece, tags, units, places.has('endDate'))
    return [main, ...breakRowsOf(main, piece.breaks)].map((one) => ({ ...one, text: shown }))
  })
  return { rows: read, columns: describeColumns(header, places, columns, units) }
}

/** Returns the date of a row: its own, or that of a line that is a date alone, such as a subtitle. */
function dateOf({ cells }: CsvRow, places: ReadonlyMap<ColumnField, readonly number[]>): string {
  const own = cells[(places.get('startDate') ?? places.get('date'))?.[0] ?? -1]?.trim() ?? ''
  if (own !== '') return own
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const [only = ''] = filled
  return filled.length === 1 && readDateCell(only, 'dmy') !== undefined ? only : ''
}

/** The characters of a row that are shown to somebody who looks for it. */
const SHOWN_CHARACTERS = 200

/** Returns the texts that all entries of a row share: each is made once, since both can be many. */
function textsOf({ cells }: CsvRow, places: ReadonlyMap<ColumnField, readonly number[]>) {
  let shown = ''
  for (const cell of cells) {
    const text = cell.trim()
    if (text !== '') shown += `${shown === '' ? '' : ' · '}${text.slice(0, SHOWN_CHARACTERS)}`
    if (shown.length >= SHOWN_CHARACTERS) break
  }
  return { shown: shown.slice(0, SHOWN_CHARACTERS), tags: splitTags(cells[places.get('tags')?.[0] ?? -1] ?? '') }
}

/** Returns the places of each field. A field that can come several times has the places of all columns of its kind. */
function placesOf(header: readonly string[], columns: ColumnMapping): Map<ColumnField, number[]> {
  const places = new Map<ColumnField, number[]>()
  const taken = new Set(Object.values(columns))
  for (const field of namesOf(columns)) {
    const name = columns[field] ?? ''
    const place = header.indexOf(name)
    if (place === -1) throw new UnreadableFileError('no_columns', `there is no column «${name}»`)
    const kind = withoutNumber(name).toLowerCase()
    const isOfKind = (other: string) => !taken.has(other) && withoutNumber(other).toLowerCase() === kind && kind !== ''
    const others = header.flatMap((other, at) => (at > place && (other === name || isOfKind(other)) ? [at] : []))
    places.set(field, isRepeatable(field) ? [place, ...others] : [place])
  }
  return places
}

/** The last date above a row, and the places in its table. */
interface OfTable {
  dateAbove: string
  /** The places of its texts but names. */
  textPlaces: readonly number[]
}

/** Returns the pairs of times of a row, without the empty ones behind the first. */
function piecesOf(
  row: CsvRow,
  places: ReadonlyMap<ColumnField, readonly number[]>,
  { dateAbove, textPlaces }: OfTable,
): Piece[] {
  const textOf = (field: ColumnField, pair = 0) => row.cells[places.get(field)?.[pair] ?? -1]?.trim() ?? ''
  const hasEnd = places.has('end') || places.has('endTime')
  const ranges = hasEnd ? [] : timeRangesIn(textOf('start') || textOf('startTime'))
  const count = Math.max(1, ranges.length, ...timesOfDay.map((field) => places.get(field)?.length ?? 0))
  const isDateAbove = !textOf('startDate') && !textOf('date') && hasClock(textOf('start') || textOf('startTime'))
  const cellAt =
    (pair: number): Cells =>
    (field) => {
      const range = ranges[pair]
      if (range && field === 'start') return range.from
      if (range && field === 'end') return range.to
      if (isDateAbove && field === 'date') return dateAbove
      // A column that comes once is about the whole row.
      return textOf(field, isRepeatable(field) && (places.get(field)?.length ?? 0) > 1 ? pair : 0)
    }
  const hasTimes = (cell: Cells) => timesOfDay.some((field) => !isEmptyCell(cell(field)))
  const all = Array.from({ length: count }, (_, pair) => cellAt(pair))
  const filled = count === 1 ? all : all.filter(hasTimes)
  const [whole, ...others] = filled
  const inside = new Set(others.filter((pair) => isInside(pair, whole)))
  const pairs = filled.length === 0 ? all.slice(0, 1) : filled.filter((pair) => !inside.has(pair))
  const breaks = [...breaksOfRow(row, places), ...[...inside].map(rangeOf)]
  const clocks = breaks.length === 0 ? [] : pairs.map((pair) => [clockOf(pair, 'start'), clockOf(pair, 'end')] as const)
  const placed = breaks.map((times) => {
    const [fromMs, toMs] = clocksOf(times)
    return { times, fromMs, toMs, pair: clocks.findIndex((clock) => isInPair([fromMs, toMs], clock)) }
  })
  const breaksByPair = Map.groupBy(placed, ({ pair }) => pair)
  const unplaced = breaksByPair.get(-1) ?? []
  const hasUnplacedBreak = !unplaced.every(({ fromMs, toMs }) => isBetweenPairs([fromMs, toMs], clocks))
  const isShared = (field: ColumnField) => pairs.length > 1 && (places.get(field)?.length ?? 0) < 2
  const isOnePause = isShared('break')
  const isBetween = isOnePause && isGapBetween(pairs, pauseOf(pairs[0]))
  const laterDays = laterDaysOf(pairs)
  const texts = textPlaces.map((at) => row.cells[at] ?? '')
  const isAway = !all.some(hasTimes) && texts.some(isLetterForTimeOff)
  const absent = absentIn(texts, textOf('date')) ?? (isAway ? { reason: 'time_off', isAlone: true } : undefined)
  return pairs.map((cell, pair) => ({
    row,
    cell,
    isAlone: pairs.length === 1,
    isPauseKnown: (isOnePause && (isBetween || pair > 0)) || timeRangesIn(cell('break')).length > 0,
    breaks: (breaksByPair.get(pair) ?? []).map(({ times }) => times),
    hasUnplacedBreak: pair === 0 && hasUnplacedBreak,
    length: isShared('duration') && isShared('hours') ? undefined : readLengthCell(lengthTextOf(cell)),
    pause: isOnePause ? undefined : pauseOf(cell),
    isDateAbove,
    laterDays: laterDays[pair] ?? 0,
    absent,
  }))
}

/**
 * Returns how many days after the date of their row its pairs of times begin: one that begins before the end of the
 * one ahead of it goes on after midnight, if the row is a night of at most 16 hours then.
 */
function laterDaysOf(pairs: readonly Cells[]): number[] {
  let [later, firstMs, lastMs] = [0, Number.NaN, Number.NaN]
  const days = pairs.map((pair) => {
    const endMs = clockOf(pair, 'end')
    const startMs = clockOf(pair, 'start') ?? endMs
    if (startMs === undefined) return later
    if (startMs + later * DAY_MS < lastMs) later += 1
    if (Number.isNaN(firstMs)) firstMs = startMs
    lastMs = (endMs ?? startMs) + (later + (endMs !== undefined && endMs < startMs ? 1 : 0)) * DAY_MS
    return later
  })
  return lastMs - firstMs <= LONGEST_NIGHT_MS ? days : days.map(() => 0)
}

/** Returns the breaks that a row states by their times of day, in two columns or as `12:00-12:30` in one. */
function breaksOfRow({ cells }: CsvRow, places: ReadonlyMap<ColumnField, readonly number[]>): TimeRange[] {
  const texts = (field: ColumnField) => (places.get(field) ?? []).map((place) => cells[place]?.trim() ?? '')
  const ends = texts('breakEnd')
  const ofColumns = texts('breakStart').map((from, index) => ({ from, to: ends[index] ?? '' }))
  const isStated = ({ from, to }: TimeRange) => !isEmptyCell(from) || !isEmptyCell(to)
  return [...ofColumns.filter(isStated), ...texts('break').flatMap(timeRangesIn)]
}

/** The times of day of a pair, as far as they can be read. */
type PairClocks = readonly [startMs: DurationMs | undefined, endMs: DurationMs | undefined]

/** True if a break lies in a pair of times, before midnight. */
function isInPair([fromMs, toMs]: readonly [number, number], [startMs, endMs]: PairClocks): boolean {
  if (startMs === undefined || endMs === undefined) return false
  return startMs <= fromMs && fromMs < toMs && toMs <= (endMs < startMs ? DAY_MS : endMs)
}

/** True for a pair of times that lies inside the first one of its row: a break. */
function isInside(pair: Cells, whole: Cells | undefined): boolean {
  const [fromMs, toMs] = clocksOf(rangeOf(pair))
  const [startMs, endMs] = [clockOf(whole, 'start'), clockOf(whole, 'end')]
  const isOvernight = startMs !== undefined && endMs !== undefined && endMs < startMs
  return isInPair([fromMs, toMs], [startMs, endMs]) || (isOvernight && fromMs < toMs && toMs <= endMs)
}

const rangeOf = (cell: Cells): TimeRange => ({
  from: cell('startTime') || cell('start'),
  to: cell('endTime') || cell('end'),
})

function isBetweenPairs([fromMs, toMs]: readonly [number, number], pairs: readonly PairClocks[]): boolean {
  const endsBefore = pairs.some(([, endMs]) => (endMs ?? Number.NaN) <= fromMs)
  return endsBefore && fromMs < toMs && pairs.some(([startMs]) => toMs <= (startMs ?? Number.NaN))
}

/** Returns the times of day of a break, NaN for what is none. */
function clocksOf({ from, to }: TimeRange): [number, number] {
  return [readTimeCell(from) ?? Number.NaN, readTimeCell(to) ?? Number.NaN]
}

/** Returns the breaks of a row that was read, as rows of their own. */
function breakRowsOf({ row, user, start, laterDays, skip }: FileRow, breaks: readonly TimeRange[]): FileRow[] {
  if (skip !== undefined || !start || !('date' in start)) return []
  return breaks.map(({ from, to }) => ({
    ...newRow(row),
    ...(laterDays && { laterDays }),
    ...{ kind: 'break', user, start: { ...start, time: from }, end: { date: '', time: to } },
  }))
}

function pauseOf(cell: Cells | undefined): WrittenDuration | undefined {
  const text = cell?.('break') ?? ''
  if (timeRangesIn(text).length > 0) return undefined
  return readLengthCell(text) ?? readLengthInText(text)
}

/** Hours, to which a column of their own can add minutes. */
function lengthTextOf(cell: Cells): string {
  const [hours, minutes] = [cell('duration') || cell('hours'), cell('minutes')]
  if (hours !== '') return /^\d+$/.test(hours) && /^[0-5]?\d$/.test(minutes) ? `${hours} h ${minutes} min` : hours
  const ms = durationOfNumber(minutes, 'minutes')
  return ms === undefined ? minutes : `${ms / MINUTE_MS} min`
}

/** True for a time of day that nothing else can be: a bare number is a day as well. */
const hasClock = (text: string) =>
  /\d[:.h]\d\d/.test(text) && (readTimeCell(text) ?? timeRangesIn(text)[0]) !== undefined

/** True if the gaps between the pairs of a row are as long as its break, whose unit may be open. */
function isGapBetween(pairs: readonly Cells[], pause: WrittenDuration | undefined): boolean {
  const gapMs = pairs.slice(1).reduce((sum, cell, before) => {
    const [endMs, startMs] = [clockOf(pairs[before], 'end'), clockOf(cell, 'start')]
    return sum + (endMs === undefined || startMs === undefined ? Number.NaN : startMs - endMs)
  }, 0)
  if (!pause) return false
  return 'ms' in pause
    ? pause.ms === gapMs
    : durationUnits.some((unit) => durationOfNumber(pause.number, unit) === gapMs)
}

function clockOf(cell: Cells | undefined, side: 'start' | 'end'): DurationMs | undefined {
  return cell && readTimeCell(cell(`${side}Time`) || cell(side))
}

/** Returns the units of bare numbers: by the names of columns, else by what all rows prove. */
function unitsOf(pieces: readonly Piece[], columns: ColumnMapping, isTool: boolean): Units {
  const named = (...fields: ColumnField[]) =>
    fields.map((field) => splitUnit(columns[field] ?? '').unit).find((unit) => unit !== undefined)
  const worked = pieces.filter(({ cell, absent }) => absent === undefined && !isTotal(cell('project')))
  const starts = worked.map(({ cell }) => cell('start') || cell('startTime'))
  const isDotted = starts.some((text) => /^\d{1,2}[.,]\d\d$/.test(text))
  const times = starts.some((text) => readPartOfDay(text) !== undefined) ? 'serial' : isDotted ? 'dotted' : undefined
  const numbersOf = (of: 'length' | 'pause', expected: (piece: Piece, clockMs: DurationMs) => DurationMs[]) =>
    worked.flatMap((piece) => {
      const one = piece[of]
      if (!one || !('number' in one)) return []
      const clockMs = clockLength(piece)
      return [{ number: one.number, expectedMs: clockMs === undefined ? [] : expected(piece, clockMs) }]
    })
  const found = (column: 'duration' | 'break', numbers: ReturnType<typeof numbersOf>) => {
    const unit = findUnit(numbers, column, times)
    return isTool && (typeof unit !== 'string' || unit === 'days') ? 'hours' : unit
  }
  const msOf = (one: WrittenDuration | undefined) => (one && 'ms' in one ? one.ms : undefined)
  const duration =
    named('duration', 'hours') ??
    found(
      'duration',
      numbersOf('length', ({ pause }, clockMs) => [clockMs, clockMs - (msOf(pause) ?? 0)]),
    )
  const durationOf = ({ length }: Piece) => {
    if (length && 'number' in length)
      return typeof duration === 'string' ? durationOfNumber(length.number, duration) : undefined
    return msOf(length)
  }
  return {
    duration,
    break:
      named('break') ??
      found(
        'break',
        numbersOf('pause', (piece, clockMs) => {
          const statedMs = durationOf(piece)
          return statedMs === undefined ? [] : [clockMs - statedMs]
        }),
      ),
  }
}

/** Returns the length between the times of day of a pair. */
function clockLength({ cell }: Piece): DurationMs | undefined {
  const [startMs, endMs] = [clockOf(cell, 'start'), clockOf(cell, 'end')]
  if (startMs === undefined || endMs === undefined) return undefined
  return endMs < startMs ? endMs - startMs + DAY_MS : endMs - startMs
}

function readRow(piece: Piece, tags: readonly string[], units: Units, hasEndDate: boolean): FileRow {
  const { row, cell, isAlone, length, pause, isPauseKnown, breaks, hasUnplacedBreak, laterDays, absent } = piece
  const type = cell('type').toLowerCase()
  const [task, note] = [cell('task'), cell('note')]
  const odd: Oddity[] = []
  const read: FileRow = {
    ...newRow(row.row),
    kind: breakTypes.has(firstWordOf(type)) ? 'break' : 'work',
    project: cell('project'),
    client: cell('client'),
    note: task === '' || task === note ? note : [task, note].filter(Boolean).join(': '),
    tags,
    user: cell('user') || [cell('firstName'), cell('lastName')].filter(Boolean).join(' ') || cell('email'),
  }
  const dateText = cell('startDate') || cell('date')
  const skipped = (skip: SkipReason): FileRow => ({ ...read, ...(dateText !== '' && { date: dateText }), skip })
  if (isTimeOff(type) || isTimeOff(firstWordOf(type))) return skipped('time_off')
  if (YES.test(cell('allDay'))) return skipped('all_day')

  const start = withZone(timeOf(dateText, cell('startTime') || cell('start')), cell('timeZone'))
  if (start && 'date' in start && start.zone !== undefined && !isZone(start.zone)) return skipped('unknown_zone')
  if (absent && (absent.isAlone || !start || ('date' in start && start.time === ''))) return skipped(absent.reason)
  if (start === undefined) return skipped('no_date')
  const endText = cell('endTime') || cell('end')
  const endTime = isEmptyCell(endText) ? '' : endText
  const isDay = 'date' in start && start.time === ''
  const lengthText = lengthTextOf(cell)
  const isUnread = !isEmptyCell(lengthText) && length === undefined && isAlone
  if (isUnread && (isDay || endTime === '')) return skipped('invalid_duration')
  // The times say how long it was: the length only checks them.
  if (isUnread) odd.push('duration_not_read')
  const lengths = {
    ...lengthOf(length, units.duration, 'durationMs', 'durationNumber'),
    ...lengthOf(pause, units.break, 'breakMs', 'breakNumber'),
  }
  const isPauseUsed = isEmptyCell(cell('break')) || pause !== undefined || isPauseKnown
  // A break on the date of a start in another zone has no time of day here.
  const hasLostBreak = hasUnplacedBreak || (breaks.length > 0 && 'at' in start)
  if (!isPauseUsed || hasLostBreak) odd.push('break_not_used')
  if (piece.isDateAbove) odd.push('date_above')
  if (laterDays > 0) odd.push('begins_next_day')
  if (start && 'date' in start && isOtherDate(start.date, dateText)) odd.push('date_differs')
  const placedBreaksMs = breaks.reduce((sum, times) => sum + clocksOf(times)[1] - clocksOf(times)[0], 0)
  const rest = {
    ...lengths,
    ...(laterDays > 0 && { laterDays }),
    ...(placedBreaksMs > 0 && { placedBreaksMs }),
    ...(odd.length > 0 && { odd }),
  }
  if (isDay) {
    if (isTotal(read.project)) return skipped('subtotal')
    if (endTime !== '' && length === undefined) return skipped('no_start')
    return { ...read, ...rest, date: start.date }
  }
  const end = endTime === '' ? undefined : timeOf(hasEndDate ? cell('endDate') : '', endTime)
  return { ...read, ...rest, start, ...(end && { end }) }
}

function firstWordOf(text: string): string {
  return /^[\p{L}-]*/u.exec(text)?.[0] ?? ''
}

function lengthOf(
  one: WrittenDuration | undefined,
  unit: DurationUnit | readonly DurationUnit[],
  msName: 'durationMs' | 'breakMs',
  numberName: 'durationNumber' | 'breakNumber',
): Pick<FileRow, 'durationMs' | 'breakMs' | 'durationNumber' | 'breakNumber'> {
  if (!one) return {}
  if ('ms' in one) return { [msName]: one.ms }
  if (typeof unit !== 'string') return { [numberName]: one.number }
  const ms = durationOfNumber(one.number, unit)
  return ms === undefined ? {} : { [msName]: ms }
}

function describeColumns(
  header: readonly string[],
  places: ReadonlyMap<ColumnField, readonly number[]>,
  columns: ColumnMapping,
  units: Units,
): TableColumns {
  const unitOf = (field: ColumnField) =>
    field === 'break' ? units.break : ['duration', 'hours'].includes(field) ? units.duration : undefined
  const used = [...places].map(([field]): UsedColumn => {
    const unit = unitOf(field)
    return { field, name: columns[field] ?? '', ...(typeof unit === 'string' && { unit }) }
  })
  const usedPlaces = new Set([...places.values()].flat())
  const openUnits: TableColumns['openUnits'] = {
    ...(typeof units.duration !== 'string' && { duration: units.duration }),
    ...(typeof units.break !== 'string' && { break: units.break }),
  }
  return { used, unused: header.filter((name, at) => name !== '' && !usedPlaces.has(at)), openUnits }
}

/** Returns a time from a column of dates and one of times, either of which can hold both. */
function timeOf(dateText: string, timeText: string): FileTime | undefined {
  if (readTimeCell(timeText) !== undefined) {
    const date = readDateTime(dateText)
    return { date: date && 'date' in date ? date.date : dateText, time: timeText }
  }
  if (timeText !== '') return readDateTime(timeText) ?? { date: dateText, time: timeText }
  return dateText === '' ? undefined : (readDateTime(dateText) ?? { date: dateText, time: '' })
}

/** True if the start of a row has another date than its column of dates, in whichever order both can be read. */
function isOtherDate(date: string, dateText: string): boolean {
  const stated = readDateTime(dateText)
  const other = stated && 'date' in stated ? stated.date : dateText
  const pairs = dateOrders.map((order) => [readDateCell(date, order), readDateCell(other, order)])
  const read = pairs.filter((pair) => !pair.includes(undefined))
  return read.length > 0 && read.every(([own, column]) => own !== column)
}

function withZone(time: FileTime | undefined, zone: string): FileTime | undefined {
  return time && 'date' in time && zone !== '' ? { ...time, zone } : time
}

function splitTags(text: string): string[] {
  return text
    .split(/[,;|]/, MAX_TAGS)
    .map((tag) => tag.trim().replace(/^#(?=.)/, ''))
    .filter((tag) => tag !== '')
}
