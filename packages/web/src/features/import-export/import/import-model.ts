import type { ColumnMapping, ImportAnswers, TableHead } from '@saldo/client/import'
import type { DurationMs, Profile, ProfilePatch } from '@saldo/core'
import type { FileReading, Look, ReadChoices, ShownPreview } from './import-work.ts'

/** A file that was chosen, with what the user has said about it. */
export interface ChosenFile {
  /** The file as the browser has it, unread: the worker reads it. */
  source: File
  choices: ReadChoices
  answers: ImportAnswers
  /** The last outcome of reading the file, if there is one yet. */
  reading: FileReading | undefined
  look: Look | undefined
  /** True while a newer reading or look is computed. */
  isBusy: boolean
}

/** Returns a file with further answers: each question keeps its answer until it gets another. */
export function withAnswers(file: ChosenFile, answers: Partial<ImportAnswers>): ChosenFile {
  return { ...file, answers: { ...file.answers, ...answers } }
}

/** Facts about an import that its figures do not say. */
interface PreviewFacts {
  /** The number of records that would be added. */
  recordCount: number
  /** The time of the entries that counts: each moment once, and not where there is work already. */
  countedMs: DurationMs
  /** True if there are entries before the account begins, or without one. */
  isBeforeAccount: boolean
  /** The number of closed weeks that change. */
  closedCount: number
}

type Figures = 'entries' | 'settings' | 'adjustments' | 'covered_ms' | 'overlapping_ms' | 'first' | 'account_from'

export function factsOf(
  preview: Pick<ShownPreview, Figures> & { weeks: readonly { isClosed: boolean }[] },
): PreviewFacts {
  const { entries, settings, adjustments, covered_ms, overlapping_ms, first, account_from, weeks } = preview
  return {
    recordCount: entries + settings + adjustments,
    countedMs: covered_ms - overlapping_ms,
    isBeforeAccount: first !== null && (account_from === null || first < account_from),
    closedCount: weeks.filter(({ isClosed }) => isClosed).length,
  }
}

/** The values of a column that are shown as examples. */
const SAMPLES = 3

/** Returns a mapping with another column for a field, or none. A column holds one thing: it leaves other fields. */
export function mapColumn(columns: ColumnMapping, field: keyof ColumnMapping, name: string | null): ColumnMapping {
  const others = Object.entries(columns).filter(([other, column]) => other !== field && column !== name)
  return Object.fromEntries(name === null ? others : [...others, [field, name]])
}

/** Returns the first values of a column, each once. */
export function samplesOf(
  { header, samples }: Pick<TableHead, 'header' | 'samples'>,
  name: string | undefined,
): string[] {
  const place = name === undefined ? -1 : header.indexOf(name)
  const values = samples.map((cells) => cells[place]?.trim() ?? '').filter((value) => value !== '')
  return [...new Set(values)].slice(0, SAMPLES)
}

/** Returns the fields of an exported profile that the own profile leaves empty. */
export function emptyFieldsFrom(own: Profile, exported: ProfilePatch): ProfilePatch {
  return Object.fromEntries(Object.entries(exported).filter(([field]) => own[field as keyof Profile] === ''))
}

/** The weeks and days that were closed in an export. The days of a closed week are among the days. */
interface Closings {
  closedWeeks: readonly string[]
  closedDays: readonly string[]
}

/** Returns the text that offers to close the same again, by weeks if there are any; `undefined` without closings. */
export function closingOffer({ closedWeeks, closedDays }: Closings): { key: string; count: number } | undefined {
  if (closedWeeks.length > 0) return { key: 'importExport.close.why', count: closedWeeks.length }
  return closedDays.length > 0 ? { key: 'importExport.close.whyDays', count: closedDays.length } : undefined
}
