import type { ImportFile, ImportPreview } from '@saldo/client/import'
import { formatDelta } from '@saldo/core'

/** An import, or the effect that one would have. */
export interface ImportedFile {
  outcome: 'previewed' | 'imported'
  format: ImportFile['format']
  batch: string | null
  timeZone: string
  preview: ImportPreview
  /** Weeks and days of Saldo's own export that could not be closed. */
  notClosed: readonly string[]
}

/** Returns what `--json` prints of an import. */
export function importAsJson({ outcome, format, batch, timeZone, preview, notClosed }: ImportedFile): object {
  const { rows, entries, skipped, oddities, first, last, days, worked_ms, covered_ms, overlapping_ms, projects } =
    preview
  const { balanceBeforeMs, balanceAfterMs, weeks, settings, adjustments } = preview
  return {
    format,
    rows,
    entries,
    skipped,
    odd: oddities.map(({ row, oddity }) => ({ row, reason: oddity })),
    first,
    last,
    days,
    time_zone: timeZone,
    worked_ms,
    covered_ms,
    overlapping_ms,
    projects,
    balance_before_ms: balanceBeforeMs,
    balance_after_ms: balanceAfterMs,
    closed_weeks: weeks.filter(({ isClosed }) => isClosed).map(({ week }) => week),
    ...(format === 'saldo' && { settings, adjustments, not_closed: notClosed }),
    ...(outcome === 'imported' && { batch }),
  }
}

/** Rows of which each reason is shown. */
const SHOWN_ROWS = 10

/** Returns the lines about an import. */
export function importAsLines({ outcome, format, batch, timeZone, preview, notClosed }: ImportedFile): string[] {
  const { rows, entries, skipped, oddities, first, last, days, worked_ms, covered_ms, overlapping_ms, projects } =
    preview
  const closedWeeks = preview.weeks.filter(({ isClosed }) => isClosed).map(({ week }) => week)
  const others = preview.settings + preview.adjustments
  const andOthers = others > 0 ? ` and ${counted(others, 'other record')}` : ''
  return [
    `${format}: ${counted(rows, 'row')}, ${countedEntries(entries)}${andOthers} to add`,
    ...(first === null ? [] : [`${counted(days, 'day')} from ${first} to ${last}, local times in ${timeZone}`]),
    `worked ${formatDelta(worked_ms)}, covered ${formatDelta(covered_ms)} (work that overlaps counts once)`,
    ...(overlapping_ms > 0
      ? [`${formatDelta(overlapping_ms)} of it overlaps work of the account and adds nothing`]
      : []),
    ...(projects.length > 0 ? [`projects: ${projects.join(', ')}`] : []),
    `balance ${formatDelta(preview.balanceBeforeMs)} before, ${formatDelta(preview.balanceAfterMs)} after`,
    ...(closedWeeks.length > 0 ? [`closed weeks that change: ${closedWeeks.join(', ')}`] : []),
    ...byReason('left out', skipped),
    ...byReason(
      'odd',
      oddities.map(({ row, oddity }) => ({ row, reason: oddity })),
    ),
    ...(notClosed.length > 0 ? [`not closed: ${notClosed.join(', ')}`] : []),
    ...(outcome === 'previewed' ? ['nothing is imported yet'] : [importedLine(entries + others, batch)]),
  ]
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** Returns `1 entry` or `2 entries`. */
export const countedEntries = (count: number) => counted(count, 'entry', 'entries')

function importedLine(count: number, batch: string | null): string {
  if (count === 0) return 'nothing to import'
  return batch === null ? 'imported' : `imported; to undo it: saldo import --undo ${batch}`
}

function byReason(title: string, rows: readonly { row: number; reason: string }[]): string[] {
  return [...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, same]) => {
    const more = same.length > SHOWN_ROWS ? ` and ${same.length - SHOWN_ROWS} more` : ''
    const numbers = same.slice(0, SHOWN_ROWS).map(({ row }) => row)
    return `${title}, ${reason.replaceAll('_', ' ')}: row ${numbers.join(', ')}${more}`
  })
}
