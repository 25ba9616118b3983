import { type Entry, epochMs, type Instant, isTimed, type LocalDate } from '@saldo/core'
import { type ImportFormat, importFormats } from './file.ts'
import { dateIn } from './local-time.ts'

/** An import batch: the entries that one file brought. */
export interface Batch {
  /** The `source` of its entries. */
  batch: string
  format: ImportFormat
  entries: number
  /** The first and the last date of its entries, each in its own zone, else in UTC. */
  first: LocalDate
  last: LocalDate
  /** When its first entry was stored. */
  importedAt: Instant
}

/** Returns the import batches among entries, the latest first. */
export function listBatches(entries: readonly Entry[]): Batch[] {
  const batches = new Map<string, Batch>()
  for (const entry of entries) {
    const { source, created_at } = entry
    const format = importFormats.find((name) => source?.startsWith(`${name}-`))
    if (source === null || format === undefined) continue
    const date = isTimed(entry) ? dateIn(epochMs(entry.started_at), entry.time_zone ?? 'UTC') : entry.date
    const found = batches.get(source)
    const { entries = 0, first = date, last = date, importedAt = created_at } = found ?? {}
    batches.set(source, {
      batch: source,
      format,
      entries: entries + 1,
      first: date < first ? date : first,
      last: date > last ? date : last,
      importedAt: created_at < importedAt ? created_at : importedAt,
    })
  }
  return [...batches.values()].toSorted((a, b) => (a.importedAt > b.importedAt ? -1 : 1))
}
