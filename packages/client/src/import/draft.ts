import {
  addDays,
  check,
  DAY_MS,
  type DurationMs,
  type EntryContent,
  type EpochMs,
  entryLimits,
  fieldOf,
  HOUR_MS,
  instantOf,
  isInstant,
  itemAt,
  type LocalDate,
  parseContent,
  type RecordId,
  Uuid,
  utcDate,
  type WritableKind,
  type ZoneName,
} from '@saldo/core'
import type { ExportedRecord, FileRow, FileTime, ImportFile, NamedRow, Oddity, SkipReason } from './file.ts'
import { breakId } from './ids.ts'
import { resolveLocal } from './local-time.ts'
import { type DateOrder, findDateOrder, readDateCell, readTimeCell } from './values.ts'

/** The place on its day of a row with a length but no real times: after the one before, from 9:00, or as read. */
export const durationOptions = ['sequential', 'as-is'] as const
export type DurationOption = (typeof durationOptions)[number]

/** Answers to the questions that a file leaves open. */
export interface ImportAnswers {
  /** The zone of local times. */
  timeZone: ZoneName
  dateOrder?: DateOrder | undefined
  durations?: DurationOption | undefined
  /** The user whose rows are imported. */
  user?: string | undefined
}

/** Something that has to be decided before the file can be imported. */
export type Question =
  | { about: 'user'; options: readonly string[] }
  | { about: 'dateOrder'; options: readonly DateOrder[] }
  | { about: 'durations'; options: readonly DurationOption[] }

/** A record as it will be imported. */
export interface ImportDraft {
  row: number
  kind: WritableKind
  id: RecordId
  // biome-ignore lint/suspicious/noExplicitAny: content of any kind, checked
  content: any
}

/** The outcome of reading a file. Each row has drafts or one reason why it has none. */
export interface DraftedImport {
  /** Null for Saldo's own export, whose records keep their `source`. */
  batch: string | null
  rowCount: number
  drafts: readonly ImportDraft[]
  skipped: readonly { row: number; reason: SkipReason }[]
  oddities: readonly { row: number; oddity: Oddity }[]
}

/** The time at which rows that only have a length begin, on the clock on the wall. */
const FIRST_START_MS = 9 * HOUR_MS
/** So many rows of a day that begin at the same time have no real times. */
const EQUAL_STARTS = 3

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
  const rows = rowsOf(file.rows, answers.user)
  if (findDateOrder(datesOf(rows)) === undefined && answers.dateOrder === undefined) {
    questions.push({ about: 'dateOrder', options: ['dmy', 'mdy'] })
  }
  if (rowsWithoutTimes(rows).size > 0 && answers.durations === undefined) {
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

function rowsOf(rows: readonly NamedRow[], user: string | undefined): NamedRow[] {
  return rows.filter((row) => row.skip === undefined && (user === undefined || row.user === '' || row.user === user))
}

function* datesOf(rows: readonly FileRow[]): Generator<string> {
  for (const { start, end, date } of rows) {
    if (start && 'date' in start) yield start.date
    if (end && 'date' in end) yield end.date
    if (date !== undefined) yield date
  }
}

/**
 * Returns the rows with a length that have no real times: all, if none has an end, or if all begin at the same time and
 * share days; else those of days on which at least three begin at the same time.
 */
function rowsWithoutTimes(rows: readonly FileRow[]): ReadonlySet<FileRow> {
  const local = rows.filter((row) => lengthOf(row) !== undefined && !(row.start && 'at' in row.start))
  if (local.every(({ end }) => end === undefined)) return new Set(local)
  const byStart = Map.groupBy(local, (row) => `${dayOf(row)} ${clockOf(row)}`)
  const byDay = new Set(local.map(dayOf))
  const hasOneStart = new Set(local.map(clockOf)).size === 1 && byDay.size < local.length
  if (hasOneStart) return new Set(local)
  const equal = [...byStart.values()].filter(({ length }) => length >= EQUAL_STARTS)
  const days = new Set(equal.map((rows) => dayOf(itemAt(rows, 0))))
  return new Set(local.filter((row) => row.start === undefined || days.has(dayOf(row))))
}

/** Returns the length that a row states, or that its times on one date have. */
function lengthOf({ start, end, durationMs }: FileRow): DurationMs | undefined {
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
function dayOf({ start, date }: FileRow): string {
  return start && 'date' in start ? start.date : (date ?? '')
}

/** Makes the records of a file. All its questions must be answered. */
export function draftImport(file: ImportFile, answers: ImportAnswers): DraftedImport {
  if (file.format === 'saldo') return draftRecords(file.records)
  const drafting = new Drafting(file.batch, answers, file.rows)
  for (const row of file.rows) drafting.add(row)
  return drafting.result()
}

/** Takes the records of Saldo's own export over as they are. */
function draftRecords(records: readonly ExportedRecord[]): DraftedImport {
  const drafts: ImportDraft[] = []
  const skipped: { row: number; reason: SkipReason }[] = []
  for (const { row, kind, record } of records) {
    const [checked, id] = [parseContent(kind, record), check(Uuid, fieldOf(record, 'id'))]
    if (checked.ok && id.ok) {
      drafts.push({ row, kind, id: id.value, content: checked.value })
    } else skipped.push({ row, reason: 'invalid_record' })
  }
  return { batch: null, rowCount: records.length, drafts, skipped, oddities: [] }
}

/** Makes entries of rows, one after another, since rows without times follow each other. */
class Drafting {
  readonly #batch: string
  readonly #answers: ImportAnswers
  readonly #order: DateOrder
  readonly #withoutTimes: ReadonlySet<FileRow>
  readonly #projects: ReadonlyMap<string, ReadonlySet<string>>
  readonly #drafts: ImportDraft[] = []
  readonly #skipped: { row: number; reason: SkipReason }[] = []
  readonly #oddities: { row: number; oddity: Oddity }[] = []
  /** The end of the last row without times of each date, in milliseconds since its 0:00 on the wall. */
  readonly #endsByDate = new Map<LocalDate, DurationMs>()
  readonly #countsByDay = new Map<LocalDate, number>()
  #rowCount = 0

  constructor(batch: string, answers: ImportAnswers, rows: readonly NamedRow[]) {
    const wanted = rowsOf(rows, answers.user)
    const order = findDateOrder(datesOf(wanted))
    this.#batch = batch
    this.#answers = answers
    this.#order = order === undefined || order === 'none' ? (answers.dateOrder ?? 'dmy') : order
    this.#withoutTimes = rowsWithoutTimes(wanted)
    this.#projects = clientsByProject(wanted)
  }

  add(row: NamedRow): void {
    this.#rowCount += 1
    const reason = row.skip ?? this.#addEntry(row)
    if (reason) this.#skipped.push({ row: row.row, reason })
  }

  result(): DraftedImport {
    return {
      batch: this.#batch,
      rowCount: this.#rowCount,
      drafts: this.#drafts,
      skipped: this.#skipped,
      oddities: this.#oddities,
    }
  }

  #note(row: FileRow, oddity: Oddity): void {
    this.#oddities.push({ row: row.row, oddity })
  }

  /** Adds the entries of a row. Returns the reason if there are none. */
  #addEntry(row: NamedRow): SkipReason | undefined {
    const { user } = this.#answers
    if (user !== undefined && row.user !== '' && row.user !== user) return 'other_user'
    const times = this.#timesOf(row)
    if (typeof times === 'string') return times
    const { startMs, endMs, oddities } = times
    const lengthMs = endMs - startMs
    if (lengthMs > entryLimits.ms) return 'too_long'
    const [started_at, ended_at] = [toInstant(startMs), toInstant(endMs)]
    if (!(started_at && ended_at)) return 'invalid_date'
    const day = utcDate(startMs)
    const count = (this.#countsByDay.get(day) ?? 0) + 1
    if (count > entryLimits.perDay) return 'too_many_on_a_day'
    this.#countsByDay.set(day, count)

    for (const oddity of oddities) this.#note(row, oddity)
    if (lengthMs > DAY_MS) this.#note(row, 'longer_than_a_day')
    if (lengthMs === 0) this.#note(row, 'zero_length')
    if (row.isRepeated) this.#note(row, 'equal_to_another_row')
    const content = this.#contentOf(row, { started_at, ended_at })
    this.#drafts.push({ row: row.row, kind: 'entries', id: row.id, content })
    if (row.breakMs && row.breakMs < lengthMs)
      this.#addBreak(row, content, startMs + Math.round((lengthMs - row.breakMs) / 2))
    return undefined
  }

  /** Adds a break of which only the length is known, in the middle. */
  #addBreak(row: NamedRow, content: EntryContent, startMs: EpochMs): void {
    this.#note(row, 'break_placed')
    const import_ref = `${row.importRef}:break`
    const times = { started_at: instantOf(startMs), ended_at: instantOf(startMs + (row.breakMs ?? 0)) }
    const { time_zone, source } = content
    const empty = { project: null, note: '', tags: [] }
    this.#drafts.push({
      row: row.row,
      kind: 'entries',
      id: breakId(row),
      content: { kind: 'break', ...times, time_zone, ...empty, source, import_ref },
    })
  }

  #contentOf(row: NamedRow, times: { started_at: string; ended_at: string }): EntryContent {
    const odd = new Set<Oddity>()
    /** Keeps a text as it can be stored: without lone surrogates and NUL (D1.11), and not too long. */
    const storable = (text: string, max: number): string => {
      const clean = text.toWellFormed().replaceAll('\0', '')
      const kept = clean.length <= max ? clean : [...clean].slice(0, max).join('')
      if (clean !== text) odd.add('unstorable_characters')
      if (kept !== clean) odd.add('text_shortened')
      return kept
    }
    const note = storable(row.note, entryLimits.noteLength)
    const isShared = (this.#projects.get(row.project)?.size ?? 0) > 1
    const name =
      row.project === '' ? row.client : isShared && row.client !== '' ? `${row.project} (${row.client})` : row.project
    const project = storable(name.trim(), entryLimits.projectLength)
    const tags = [
      ...new Set(row.tags.map((tag) => storable(tag.trim(), entryLimits.tagLength)).filter((tag) => tag !== '')),
    ]
    if (tags.length > entryLimits.tags) odd.add('text_shortened')
    for (const oddity of odd) this.#note(row, oddity)
    return {
      kind: row.kind,
      ...times,
      time_zone: zoneOf(row) ?? this.#answers.timeZone,
      note,
      tags: tags.slice(0, entryLimits.tags),
      project: project === '' ? null : project,
      source: this.#batch,
      import_ref: row.importRef,
      ...(row.kind === 'work' && { counts: true }),
    } as EntryContent
  }

  #timesOf(row: NamedRow): { startMs: EpochMs; endMs: EpochMs; oddities: Oddity[] } | SkipReason {
    const { start, end, durationMs } = row
    if (this.#withoutTimes.has(row) && (start === undefined || this.#answers.durations === 'sequential')) {
      return this.#followingTimes(row)
    }
    if (start === undefined) return row.date === undefined ? 'no_date' : 'no_end'
    if ('at' in start) return fromInstant(start.at, end, durationMs)
    const date = readDateCell(start.date, this.#order)
    const clockMs = readTimeCell(start.time)
    if (date === undefined) return start.date === '' ? 'no_date' : 'invalid_date'
    if (clockMs === undefined) return 'invalid_time'
    const zone = start.zone ?? this.#answers.timeZone
    const starts = resolveLocal(date, clockMs, zone)
    if (end === undefined) {
      if (durationMs === undefined) return 'no_end'
      return { startMs: starts.firstMs, endMs: starts.firstMs + durationMs, oddities: starts.oddities }
    }
    if ('at' in end) return 'invalid_time'
    const endClockMs = readTimeCell(end.time)
    if (endClockMs === undefined) return 'invalid_time'
    const statedDate = end.date === '' ? undefined : readDateCell(end.date, this.#order)
    if (end.date !== '' && statedDate === undefined) return 'invalid_date'
    const isNextDay = statedDate === undefined && endClockMs < clockMs
    const endDate = statedDate ?? (isNextDay ? addDays(date, 1) : date)
    const ends = resolveLocal(endDate, endClockMs, end.zone ?? zone)
    const pairs = [starts.firstMs, starts.lastMs].flatMap((startMs) =>
      [ends.firstMs, ends.lastMs].map((endMs) => ({ startMs, endMs })),
    )
    // A repeated hour is read so that the length is right, else as the first one.
    const pair =
      pairs.find(({ startMs, endMs }) => endMs - startMs === durationMs) ??
      pairs.find(({ startMs, endMs }) => endMs >= startMs)
    if (!pair) return 'end_before_start'
    const oddities = [...new Set([...starts.oddities, ...ends.oddities])]
    if (isNextDay) oddities.push('ends_next_day')
    if (isDifferent(pair.endMs - pair.startMs, durationMs, row.breakMs)) oddities.push('duration_differs')
    return { ...pair, oddities }
  }

  /** Places a row after the last one of its date, or at nine if the durations are to stay as they are. */
  #followingTimes(row: FileRow): { startMs: EpochMs; endMs: EpochMs; oddities: Oddity[] } | SkipReason {
    const text = dayOf(row)
    const date = readDateCell(text, this.#order)
    if (date === undefined) return text === '' ? 'no_date' : 'invalid_date'
    const durationMs = lengthOf(row) ?? 0
    const isSequential = this.#answers.durations === 'sequential'
    const clockMs = isSequential ? (this.#endsByDate.get(date) ?? FIRST_START_MS) : FIRST_START_MS
    if (durationMs > entryLimits.ms) return 'too_long'
    if (isSequential) this.#endsByDate.set(date, clockMs + durationMs)
    const days = Math.floor(clockMs / DAY_MS)
    const startDate = addDays(date, days)
    const { firstMs, oddities } = resolveLocal(startDate, clockMs - days * DAY_MS, this.#answers.timeZone)
    return { startMs: firstMs, endMs: firstMs + durationMs, oddities }
  }
}

function fromInstant(
  startMs: EpochMs,
  end: FileTime | undefined,
  durationMs: DurationMs | undefined,
): { startMs: EpochMs; endMs: EpochMs; oddities: Oddity[] } | SkipReason {
  if (end && 'at' in end) return end.at < startMs ? 'end_before_start' : { startMs, endMs: end.at, oddities: [] }
  if (end) return 'invalid_time'
  return durationMs === undefined ? 'no_end' : { startMs, endMs: startMs + durationMs, oddities: [] }
}

/** True if a stated length is not that of the times, which may be rounded to minutes, or to hundredths of an hour. */
function isDifferent(lengthMs: DurationMs, statedMs: DurationMs | undefined, breakMs = 0): boolean {
  if (statedMs === undefined) return false
  const differenceMs = Math.min(Math.abs(lengthMs - statedMs), Math.abs(lengthMs - breakMs - statedMs))
  return differenceMs > 60_000
}

function zoneOf({ start }: FileRow): ZoneName | undefined {
  return start && 'date' in start ? start.zone : undefined
}

function toInstant(ms: EpochMs): string | undefined {
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return undefined
  const text = instantOf(ms)
  return isInstant(text) ? text : undefined
}

/** Returns the clients of each project. Projects of the same name belong to different clients. */
function clientsByProject(rows: readonly FileRow[]): Map<string, Set<string>> {
  const clients = new Map<string, Set<string>>()
  for (const { project, client } of rows) clients.set(project, (clients.get(project) ?? new Set()).add(client))
  return clients
}
