import type {
  AccountNow,
  ColumnMapping,
  ImportAnswers,
  ImportFormat,
  ImportLimit,
  ImportPreview,
  Question,
  TableColumns,
  TableHead,
  UnreadableFileError,
} from '@saldo/client/import'
import type { ProfilePatch } from '@saldo/core'

/** The format or the columns of a file, chosen by the user. */
export interface ReadChoices {
  format?: ImportFormat
  columns?: ColumnMapping
}

/** The outcome of reading a file. `table` is the beginning of a CSV, whose columns the user can name. */
export type FileReading =
  | {
      outcome: 'unreadable'
      code: UnreadableFileError['code']
      /** The budget that the file exceeds, if it is too large. */
      limit: ImportLimit | undefined
      table: TableHead | undefined
    }
  | {
      outcome: 'read'
      format: ImportFormat
      batch: string | null
      table: TableHead | undefined
      /** The meaning of the columns of a table. */
      columns: TableColumns | undefined
      hasLocalTimes: boolean
      /** Closings of Saldo's own export. */
      closedWeeks: readonly string[]
      closedDays: readonly string[]
      /** The profile of Saldo's own export, without empty fields. */
      profile: ProfilePatch
    }

export type ShownPreview = Omit<ImportPreview, 'drafts'>

/** The questions about a file, answered or not, and the effect of the import once all are answered. */
export interface Look {
  questions: readonly Question[]
  preview: ShownPreview | undefined
}

/** The work of an import that takes long, and runs in a worker. It keeps the file that was read last. */
export interface ImportWork {
  /** Reads a file once its size is within the budget: a page hands it over unread. */
  read(chosen: File, choices: ReadChoices, nowMs: number): Promise<FileReading>
  look(answers: ImportAnswers, now: AccountNow): Promise<Look>
  /** Returns the records that the last preview was about. */
  takeDrafts(): Promise<ImportPreview['drafts']>
}

export type Call = { id: number; name: keyof ImportWork; args: unknown[] }
export type WorkerResponse = { id: number; value: unknown } | { id: number; error: string }
