import { type DurationMs, itemAt, MINUTE_MS, type ZoneName } from '@saldo/core'
import { type DurationUnit, durationOfNumber } from '../reading/durations.ts'
import type { DateOrder } from '../reading/written-days.ts'
import type { FileRow, FileTime, ImportFile, ImportFormat, NamedRow } from './file.ts'
import { findDateOrder, readDateCell, readTimeCell } from './values.ts'

/** The place on its day of a row with a length but no real times: after the one before, from 9:00, or as read. */
export const durationOptions = ['sequential', 'as-is'] as const
export type DurationOption = (typeof durationOptions)[number]

/** Answers to the questions that a file leaves open. */
export interface ImportAnswers {
  /** The zone of local times. */
  timeZone: ZoneName
  dateOrder?: DateOrder | undefined
  durations?: DurationOption | undefined
  /** The units of bare numbers that say how long work and breaks were. */
  durationUnit?: DurationUnit | undefined
  breakUnit?: DurationUnit | undefined
  /** The user whose rows are imported. */
  user?: string | undefined
}

/** Something that has to be decided before the file can be imported. */
export type Question =
  | { about: 'user'; options: readonly string[] }
  | { about: 'dateOrder'; options: readonly DateOrder[] }
  | { about: 'durations'; options: readonly DurationOption[] }
  | { about: 'durationUnit' | 'breakUnit'; options: readonly DurationUnit[] }

/** So many rows of a day that begin at the same time may have no real times. */
const EQUAL_STARTS = 3
/** The part of all rows from which on they are taken to have none. */
const SHARE_WITHOUT_TIMES = 0.5

/** True if a file has times without a zone. */
export function hasLocalTimes(file: ImportFile): boolean {
  if (file.format === 'saldo') return false
  const isLocal = (time: FileTime | undefined) => time !== undefined && 'date' in time && time.zone === undefined
  return file.rows.some((row) => row.date !== undefined || isLocal(row.start) || isLocal(row.end))
}

/** Returns what is open and not answered. */
export function findQuestions(file: ImportFile, answers: Omit<ImportAnswers, 'timeZone'>): Question[] {
  if (file.format === 'saldo') return []
  const users = [...new Set(file.rows.map(({ user }) => user).filter((user) => user !== ''))].sort()
  if (users.length > 1 && (answers.user === undefined || !users.includes(answers.user))) {
    // The other questions depend on the person whose rows are imported.
    return [{ about: 'user', options: users }]
  }
  const questions: Question[] = []
  const rows = rowsOfUser(file.rows, answers.user).map((row) => withUnits(row, answers))
  const { duration, break: pause } = file.columns?.openUnits ?? {}
  if (duration && answers.durationUnit === undefined) questions.push({ about: 'durationUnit', options: duration })
  if (pause && answers.breakUnit === undefined) questions.push({ about: 'breakUnit', options: pause })
  if (orderOf(file.rows, answers.user) === undefined && answers.dateOrder === undefined) {
    questions.push({ about: 'dateOrder', options: ['dmy', 'mdy'] })
  }
  const isLength = (row: FileRow) => (lengthOfRow(row) ?? 0) > 0 && isDated(row)
  if ([...rowsWithoutTimes(rows, file.format)].some(isLength) && answers.durations === undefined) {
    questions.push({ about: 'durations', options: durationOptions })
  }
  return questions
}

/**
 * Returns the questions about a file, answered or not, so that an answer can be changed. All but the one about the user
 * depend on the person whose rows count.
 */
export function questionsToShow(file: ImportFile, { user }: Pick<ImportAnswers, 'user'>): Question[] {
  return [
    ...findQuestions(file, {}).filter(({ about }) => about === 'user'),
    ...findQuestions(file, { user }).filter(({ about }) => about !== 'user'),
  ]
}

export function rowsOfUser(rows: readonly NamedRow[], user: string | undefined): NamedRow[] {
  return rows.filter((row) => row.skip === undefined && isOfUser(row, user))
}

const isOfUser = (row: FileRow, user: string | undefined) => user === undefined || row.user === '' || row.user === user

/** Returns the order of day and month that the rows of a user prove, those too that become no entry. */
export function orderOf(rows: readonly FileRow[], user: string | undefined): DateOrder | 'none' | undefined {
  return findDateOrder(datesOfRows(rows.filter((row) => isOfUser(row, user))))
}

/** True if the day of a row is a date. */
function isDated(row: FileRow): boolean {
  const day = dayOfRow(row)
  return readDateCell(day, 'dmy') !== undefined || readDateCell(day, 'mdy') !== undefined
}

/** Returns a row with its lengths, in the units that were answered for bare numbers, or in hours. */
export function withUnits<Row extends FileRow>(
  row: Row,
  { durationUnit, breakUnit }: Omit<ImportAnswers, 'timeZone'>,
): Row {
  const { durationNumber, breakNumber } = row
  if (durationNumber === undefined && breakNumber === undefined) return row
  const durationMs =
    durationNumber === undefined ? row.durationMs : durationOfNumber(durationNumber, durationUnit ?? 'hours')
  const breakMs = breakNumber === undefined ? row.breakMs : durationOfNumber(breakNumber, breakUnit ?? 'hours')
  return { ...row, ...(durationMs !== undefined && { durationMs }), ...(breakMs !== undefined && { breakMs }) }
}

function* datesOfRows(rows: readonly FileRow[]): Generator<string> {
  for (const { start, end, date } of rows) {
    if (start && 'date' in start) yield start.date
    if (end && 'date' in end) yield end.date
    if (date !== undefined) yield date
  }
}

/**
 * Returns the rows with a length that have no real times: those without a start; all, if all begin at the same time and
 * share days; and those of days on which at least three begin at the same time, if they are half of the file. Times
 * that do not fit a stated length are real, and so are those of a calendar.
 */
export function rowsWithoutTimes(rows: readonly FileRow[], format: ImportFormat): ReadonlySet<FileRow> {
  if (format === 'icalendar') return new Set()
  const local = rows.filter((row) => lengthOfRow(row) !== undefined && !(row.start && 'at' in row.start))
  const withoutStart = new Set(local.filter(({ start }) => start === undefined))
  const timed = local.filter((row) => !withoutStart.has(row) && !hasOwnTimes(row))
  const byStart = Map.groupBy(timed, (row) => `${dayOfRow(row)} ${clockOf(row)}`)
  const byDay = new Set(timed.map(dayOfRow))
  const hasOneStart = new Set(timed.map(clockOf)).size === 1 && byDay.size < timed.length
  if (hasOneStart && isMost(timed, local)) return new Set(local)
  const equal = [...byStart.values()].filter(({ length }) => length >= EQUAL_STARTS)
  const days = new Set(equal.map((rows) => dayOfRow(itemAt(rows, 0))))
  const onDays = timed.filter((row) => days.has(dayOfRow(row)))
  return isMost(onDays, local) ? withoutStart.union(new Set(onDays)) : withoutStart
}

function isMost(some: readonly FileRow[], all: readonly FileRow[]): boolean {
  return some.length >= all.length * SHARE_WITHOUT_TIMES
}

/** True if a row states a length that is not that between its times: nobody computed its end. */
function hasOwnTimes(row: FileRow): boolean {
  const { durationMs, ...times } = row
  const betweenMs = lengthOfRow(times)
  return durationMs !== undefined && betweenMs !== undefined && isOtherLength(betweenMs, durationMs)
}

/** Returns the length that a row states, or that its times on one date have. */
export function lengthOfRow({ start, end, durationMs }: FileRow): DurationMs | undefined {
  if (durationMs !== undefined || !(start && end && 'date' in start && 'date' in end)) return durationMs
  const [startMs, endMs] = [readTimeCell(start.time), readTimeCell(end.time)]
  const isOnOneDate = end.date === '' || end.date === start.date
  if (!isOnOneDate || startMs === undefined || endMs === undefined || endMs < startMs) return undefined
  return endMs - startMs
}

function clockOf({ start }: FileRow): string {
  return start && 'date' in start ? start.time : ''
}

/** Returns the day of a row, as the file writes it. */
export function dayOfRow({ start, date }: FileRow): string {
  return start && 'date' in start ? start.date : (date ?? '')
}

/** True if a stated length is not that of the times, which may be rounded to minutes, or to hundredths of an hour. */
export function isOtherLength(lengthMs: DurationMs, statedMs: DurationMs | undefined, breakMs = 0): boolean {
  if (statedMs === undefined) return false
  const differenceMs = Math.min(Math.abs(lengthMs - statedMs), Math.abs(lengthMs - breakMs - statedMs))
  return differenceMs > MINUTE_MS
}
