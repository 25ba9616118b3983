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
  type LocalDate,
  parseContent,
  type RecordId,
  Uuid,
  utcDate,
  type WritableKind,
  type ZoneName,
} from '@saldo/core'
import { lacksYear } from '../reading/dates.ts'
import type { DateOrder } from '../reading/written-days.ts'
import type { ExportedRecord, FileRow, FileTime, ImportFile, NamedRow, Oddity, SkipReason } from './file.ts'
import { breakId } from './ids.ts'
import { isEmptyCell } from './lengths.ts'
import { resolveLocal } from './local-time.ts'
import {
  dayOfRow,
  type ImportAnswers,
  isOtherLength,
  lengthOfRow,
  orderOf,
  rowsOfUser,
  rowsWithoutTimes,
  withUnits,
} from './questions.ts'
import { readDateCell, readTimeCell } from './values.ts'

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
  /** The rows as the file has them, as far as they can be shown. */
  texts: ReadonlyMap<number, string>
}

/** The time at which rows that only have a length begin, on the clock on the wall. */
const FIRST_START_MS = 9 * HOUR_MS
const HALF_DAY_MS = DAY_MS / 2

/** Makes the records of a file. All its questions must be answered. */
export function draftImport(file: ImportFile, answers: ImportAnswers): DraftedImport {
  if (file.format === 'saldo') return draftRecords(file.records)
  const rows = file.rows.map((row) => withUnits(row, answers))
  const drafting = new Drafting(file, answers, rows)
  for (const row of rows) drafting.add(row)
  const texts = new Map(rows.flatMap(({ row, text }) => (text === undefined ? [] : [[row, text] as const])))
  // A row of a table can have several times.
  const rowCount = file.columns ? new Set(rows.map(({ row }) => row)).size : rows.length
  return { ...drafting.result(), rowCount, texts }
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
  return { batch: null, rowCount: records.length, drafts, skipped, oddities: [], texts: new Map() }
}

type RowsFile = Exclude<ImportFile, { format: 'saldo' }>

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
  /** The work of each date whose rows have times. */
  readonly #timedByDate = new Map<LocalDate, { lengthMs: DurationMs; breakMs: DurationMs }>()

  /** Texts that were cut off, by the length that they may have. */
  readonly #shortened = new Map<number, Map<string, StorableText>>()

  constructor({ batch, format }: RowsFile, answers: ImportAnswers, rows: readonly NamedRow[]) {
    const wanted = rowsOfUser(rows, answers.user)
    const order = orderOf(rows, answers.user)
    this.#batch = batch
    this.#answers = answers
    this.#order = order === undefined || order === 'none' ? (answers.dateOrder ?? 'dmy') : order
    this.#withoutTimes = rowsWithoutTimes(wanted, format)
    this.#projects = clientsByProject(wanted)
  }

  add(row: NamedRow): void {
    const reason = row.skip ?? this.#addEntry(row)
    if (reason) this.#skipped.push({ row: row.row, reason })
  }

  result(): Omit<DraftedImport, 'rowCount' | 'texts'> {
    return {
      batch: this.#batch,
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

    this.#countTimed(row, lengthMs)
    for (const oddity of [...oddities, ...(row.odd ?? [])]) this.#note(row, oddity)
    if (lengthMs > DAY_MS) this.#note(row, 'longer_than_a_day')
    if (lengthMs === 0) this.#note(row, 'zero_length')
    if (row.isRepeated) this.#note(row, 'equal_to_another_row')
    const content = this.#contentOf(row, { started_at, ended_at })
    this.#drafts.push({ row: row.row, kind: 'entries', id: row.id, content })
    if (row.breakMs && row.breakMs < lengthMs) {
      this.#addBreak(row, content, startMs + Math.round((lengthMs - row.breakMs) / 2))
    } else if (row.breakMs) this.#note(row, 'break_not_used')
    return undefined
  }

  #countTimed(row: FileRow, lengthMs: DurationMs): void {
    const date = row.start === undefined ? undefined : readDateCell(dayOfRow(row), this.#order)
    if (date === undefined) return
    const before = this.#timedByDate.get(date) ?? { lengthMs: 0, breakMs: 0 }
    const isBreak = row.kind === 'break'
    this.#timedByDate.set(date, {
      lengthMs: before.lengthMs + (isBreak ? 0 : lengthMs),
      breakMs: before.breakMs + (isBreak ? lengthMs : (row.breakMs ?? 0)),
    })
  }

  /** True for a row with nothing but the sum of the rows of its date that have times. */
  #isSumOfDay({ start, project, client, note, tags }: FileRow, date: LocalDate, durationMs: DurationMs): boolean {
    const timed = this.#timedByDate.get(date)
    const isBare = start === undefined && `${project}${client}${note}${tags.join('')}` === ''
    return isBare && timed !== undefined && !isOtherLength(timed.lengthMs, durationMs, timed.breakMs)
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

  /** Keeps a text as it can be stored. One that is cut off is cut once: all occurrences of an event have it. */
  #storable(text: string, max: number): StorableText {
    if (text.length <= max) return storableText(text, max)
    const shortened = this.#shortened.get(max) ?? new Map<string, StorableText>()
    this.#shortened.set(max, shortened)
    const known = shortened.get(text) ?? storableText(text, max)
    if (shortened.size >= MOST_SHORTENED) shortened.clear()
    shortened.set(text, known)
    return known
  }

  #contentOf(row: NamedRow, times: { started_at: string; ended_at: string }): EntryContent {
    const odd = new Set<Oddity>()
    const storable = (text: string, max: number): string => {
      const { kept, oddities } = this.#storable(text, max)
      for (const oddity of oddities) odd.add(oddity)
      return kept
    }
    const note = storable(row.note, entryLimits.noteLength)
    const isShared = (this.#projects.get(row.project)?.size ?? 0) > 1
    const [named, client] = [row.project, row.client].map((text) => (isEmptyCell(text) ? '' : text.trim()))
    const name = named && client && isShared ? `${named} (${client})` : named || client
    const project = storable(name ?? '', entryLimits.projectLength)
    const written = row.tags.map((tag) => tag.trim()).filter((tag) => !isEmptyCell(tag))
    const tags = [...new Set(written.map((tag) => storable(tag, entryLimits.tagLength)))].filter((tag) => tag !== '')
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

  #dateFault(text: string): SkipReason {
    if (text === '') return 'no_date'
    return lacksYear(text, this.#order) ? 'no_year' : 'invalid_date'
  }

  #timesOf(row: NamedRow): { startMs: EpochMs; endMs: EpochMs; oddities: Oddity[] } | SkipReason {
    const { start, end, durationMs } = row
    if (start === undefined && end === undefined && row.date !== undefined && !durationMs) return 'no_time'
    if (this.#withoutTimes.has(row) && (start === undefined || this.#answers.durations === 'sequential')) {
      return this.#followingTimes(row)
    }
    if (start === undefined) return row.date === undefined ? 'no_date' : 'no_end'
    if ('at' in start) return fromInstant(start.at, end, durationMs)
    const dateOfRow = readDateCell(start.date, this.#order)
    const clockMs = readTimeCell(start.time)
    if (dateOfRow === undefined) return this.#dateFault(start.date)
    const date = addDays(dateOfRow, row.laterDays ?? 0)
    if (clockMs === undefined) return 'invalid_time'
    const zone = start.zone ?? this.#answers.timeZone
    const starts = resolveLocal(date, clockMs, zone)
    if (end === undefined) {
      if (durationMs === undefined) return 'no_end'
      return { startMs: starts.firstMs, endMs: starts.firstMs + durationMs, oddities: starts.oddities }
    }
    if ('at' in end) return 'invalid_time'
    const writtenMs = readTimeCell(end.time)
    if (writtenMs === undefined) return 'invalid_time'
    const statedDate = end.date === '' ? undefined : readDateCell(end.date, this.#order)
    if (end.date !== '' && statedDate === undefined) return 'invalid_date'
    const isLater = statedDate === undefined && !/[ap]/i.test(end.time) && isAfternoon(clockMs, writtenMs, row)
    const endClockMs = isLater ? writtenMs + HALF_DAY_MS : writtenMs
    const isNextDay = statedDate === undefined && endClockMs < clockMs
    const clockLengthMs = endClockMs - clockMs + (isNextDay ? DAY_MS : 0)
    const moreDays = statedDate === undefined ? daysBeyond(clockLengthMs, durationMs, row.breakMs) : 0
    const endDate = statedDate ?? addDays(date, (isNextDay ? 1 : 0) + moreDays)
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
    if (clockMs === 0 && endClockMs % DAY_MS === 0 && pair.endMs > pair.startMs) oddities.push('whole_day')
    if (isOtherLength(pair.endMs - pair.startMs, durationMs, row.breakMs ?? row.placedBreaksMs))
      oddities.push('duration_differs')
    return { ...pair, oddities }
  }

  /** Places a row after the last one of its date, or at nine if the durations are to stay as they are. */
  #followingTimes(row: FileRow): { startMs: EpochMs; endMs: EpochMs; oddities: Oddity[] } | SkipReason {
    const text = dayOfRow(row)
    const date = readDateCell(text, this.#order)
    if (date === undefined) return this.#dateFault(text)
    const durationMs = lengthOfRow(row) ?? 0
    const isSequential = this.#answers.durations === 'sequential'
    const clockMs = isSequential ? (this.#endsByDate.get(date) ?? FIRST_START_MS) : FIRST_START_MS
    if (durationMs > entryLimits.ms) return 'too_long'
    if (this.#isSumOfDay(row, date, durationMs)) return 'subtotal'
    if (isSequential) this.#endsByDate.set(date, clockMs + durationMs)
    const days = Math.floor(clockMs / DAY_MS)
    const startDate = addDays(date, days)
    const { firstMs, oddities } = resolveLocal(startDate, clockMs - days * DAY_MS, this.#answers.timeZone)
    return { startMs: firstMs, endMs: firstMs + durationMs, oddities }
  }
}

/** A text as it is stored, and what is odd about that. */
interface StorableText {
  kept: string
  oddities: readonly Oddity[]
}

/** The texts of an event, each of which is cut off once. */
const MOST_SHORTENED = 1_000

/** Returns a text without lone surrogates and NUL (D1.11), and not too long. */
function storableText(text: string, max: number): StorableText {
  const clean = text.toWellFormed().replaceAll('\0', '')
  // A character takes two units at most: the others are not taken apart.
  const kept = clean.length <= max ? clean : [...clean.slice(0, 2 * max)].slice(0, max).join('')
  const oddities: Oddity[] = [
    ...(clean === text ? [] : (['unstorable_characters'] as const)),
    ...(kept === clean ? [] : (['text_shortened'] as const)),
  ]
  return { kept, oddities }
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

/** True if the length of a row says that its end, before its start, is in the afternoon: `8:00` to `5:00`, 9 hours. */
function isAfternoon(startMs: DurationMs, endMs: DurationMs, { durationMs, breakMs }: FileRow): boolean {
  const lengthMs = endMs + HALF_DAY_MS - startMs
  return (
    durationMs !== undefined && endMs < startMs && lengthMs > 0 && !isOtherLength(lengthMs, durationMs, breakMs ?? 0)
  )
}

/** Returns the whole days by which a stated length is longer than that between two times of day without a date. */
function daysBeyond(lengthMs: DurationMs, statedMs: DurationMs | undefined, breakMs = 0): number {
  if (statedMs === undefined || statedMs > entryLimits.ms) return 0
  const days = Math.round((statedMs - lengthMs) / DAY_MS)
  return days > 0 && !isOtherLength(lengthMs + days * DAY_MS, statedMs, breakMs) ? days : 0
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
