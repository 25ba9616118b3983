import type {
  AbsenceContent,
  DurationMs,
  EpochMs,
  ProfilePatch,
  RecordId,
  TimedEntryContent,
  WritableKind,
} from '@saldo/core'
import type { DurationUnit } from '../reading/durations.ts'

/** The formats that can be imported. `csv` is any other CSV, by a mapping of its columns. */
export const importFormats = [
  'saldo',
  'toggl',
  'clockify',
  'kimai',
  'solidtime',
  'harvest',
  'timetagger',
  'timewarrior',
  'watson',
  'activitywatch',
  'icalendar',
  'csv',
] as const

/** The name of a format that can be imported, such as `toggl`. */
export type ImportFormat = (typeof importFormats)[number]

/** A file as the user chose it. */
export interface SourceFile {
  name: string
  bytes: Uint8Array
}

/** A time in a file: an instant, or the date and the time that a clock on the wall shows, as text of the file. */
export type FileTime = { at: EpochMs } | { date: string; time: string; zone?: string }

/** The reasons for which a row becomes no entry. */
export type SkipReason =
  | 'no_date'
  | 'no_start'
  | 'no_year'
  | 'invalid_date'
  | 'invalid_time'
  | 'invalid_duration'
  | 'no_end'
  | 'no_time'
  | 'end_before_start'
  | 'too_long'
  | 'too_many_on_a_day'
  | 'other_user'
  | 'subtotal'
  | 'time_off'
  | 'away'
  | 'all_day'
  | 'cancelled'
  | 'superseded'
  | 'unknown_zone'
  | 'invalid_record'
  | 'unclosed_quote'
  | 'already_imported'

/** A reason why a row that becomes an entry is odd. */
export type Oddity =
  | 'clock_change_gap'
  | 'clock_change_repeated_hour'
  | 'begins_next_day'
  | 'ends_next_day'
  | 'duration_differs'
  | 'duration_not_read'
  | 'break_placed'
  | 'date_above'
  | 'date_differs'
  | 'break_not_used'
  | 'whole_day'
  | 'equal_to_another_row'
  | 'longer_than_a_day'
  | 'text_shortened'
  | 'unstorable_characters'
  | 'zero_length'
  | 'in_the_future'
  | 'not_busy'
  | 'overlaps_account'

/** A row of a file, with what the file says and nothing that would have to be decided. */
export interface FileRow {
  /** Its place: in a CSV the row of a spreadsheet, the header being the first; elsewhere counted from 1. */
  row: number
  kind: TimedEntryContent['kind'] | AbsenceContent['kind']
  start?: FileTime
  /** An end without a date is on the date of the start, or on the next one. */
  end?: FileTime
  /** The days after its date on which it begins, as a later part of a night does. */
  laterDays?: number
  /** The date of a row without a start, as text of the file. */
  date?: string
  durationMs?: DurationMs
  /** The length of a break that lies somewhere within. */
  breakMs?: DurationMs
  /** The length of the breaks within that are rows of their own. */
  placedBreaksMs?: DurationMs
  /** Lengths whose unit the file leaves open: numbers as it has them. */
  durationNumber?: string
  breakNumber?: string
  project: string
  client: string
  note: string
  tags: readonly string[]
  user: string
  /** The id that the other tool gave it, if it stays the same in every export. */
  ref?: string
  /** Set if the reader knows that the row is no entry. */
  skip?: SkipReason
  /** The row as the file has it, for somebody who looks for it there. */
  text?: string
  /** The oddities that the reader found. */
  odd?: readonly Oddity[]
}

/** The most tags that are read of a row. An entry is stored with fewer, and the preview says so. */
export const MAX_TAGS = 1_000

/** Returns a row that says nothing yet. */
export function newRow(row: number): FileRow {
  return { row, kind: 'work', project: '', client: '', note: '', tags: [], user: '' }
}

/** A row with its name among all rows of its tool. */
export interface NamedRow extends FileRow {
  /** The same for the same row in every file of the tool: the `import_ref` of its entry. */
  importRef: string
  /** The id of its entry. */
  id: RecordId
  /** True if the file has an equal row before it. */
  isRepeated: boolean
}

/** A record of Saldo's own export. */
export interface ExportedRecord {
  row: number
  kind: WritableKind
  record: unknown
}

/** A column of a table and what it was taken for. */
export interface UsedColumn {
  field: ColumnField
  name: string
  /** The unit of its bare numbers, if it has some and the file says it. */
  unit?: DurationUnit
}

/** The meaning of the columns of a table. */
export interface TableColumns {
  used: readonly UsedColumn[]
  unused: readonly string[]
  /** The units that the bare numbers of a column can have, where the file leaves that open. */
  openUnits: Partial<Record<'duration' | 'break', readonly DurationUnit[]>>
}

/** A file that has been read: rows of another tool, or records of Saldo's own export. */
export type ImportFile =
  | {
      format: Exclude<ImportFormat, 'saldo'>
      batch: string
      rows: readonly NamedRow[]
      /** Set for a table. */
      columns?: TableColumns
    }
  | {
      format: 'saldo'
      records: readonly ExportedRecord[]
      /** The fields of the user's profile that are not empty. An import makes no record of them. */
      profile: ProfilePatch
      /** The closed weeks and days of the export. */
      closedWeeks: readonly string[]
      closedDays: readonly string[]
    }

/** Columns of a CSV that Saldo does not know, by what they hold. */
export type ColumnMapping = Partial<Record<ColumnField, string>>

/** The fields that the columns of a CSV can hold. */
export const columnFields = [
  'user',
  'email',
  'firstName',
  'lastName',
  'client',
  'project',
  'task',
  'note',
  'tags',
  'date',
  'start',
  'startDate',
  'startTime',
  'end',
  'endDate',
  'endTime',
  'duration',
  'hours',
  'minutes',
  'break',
  'breakStart',
  'breakEnd',
  'type',
  'allDay',
  'timeZone',
] as const

export type ColumnField = (typeof columnFields)[number]

/** The budgets of reading a file. */
export type ImportLimit =
  | 'fileBytes'
  | 'textCharacters'
  | 'unpackedBytes'
  | 'zipFiles'
  | 'tableMarks'
  | 'columns'
  | 'rows'
  | 'calendarSteps'
  | 'jsonValues'
  | 'records'

/** The file cannot be imported. The message is one line in English. */
export class UnreadableFileError extends Error {
  readonly code: 'unknown_format' | 'not_this_format' | 'no_rows' | 'one_column' | 'no_columns' | 'too_large'
  /** The budget that the file exceeds, if the code is `too_large`. */
  readonly limit: ImportLimit | undefined

  constructor(code: UnreadableFileError['code'], message: string, limit?: ImportLimit) {
    super(message)
    this.name = 'UnreadableFileError'
    this.code = code
    this.limit = limit
  }
}
