import type { ImportFile, ImportPreview, TableColumns } from '@saldo/client/import'
import { formatDelta } from '@saldo/core'

/** An import, or the effect that one would have. */
export interface ImportedFile {
  outcome: 'previewed' | 'imported'
  format: ImportFile['format']
  batch: string | null
  timeZone: string
  preview: ImportPreview
  /** The meaning of the columns of a table. */
  columns: TableColumns | undefined
  /** Weeks and days of Saldo's own export that could not be closed. */
  notClosed: readonly string[]
}

/** Returns what `--json` prints of an import. */
export function importAsJson(imported: ImportedFile): object {
  const { outcome, format, batch, timeZone, preview, columns, notClosed } = imported
  const { rows, entries, skipped, oddities, first, last, days, worked_ms, covered_ms, overlapping_ms, projects } =
    preview
  const { balanceBeforeMs, balanceAfterMs, weeks, settings, adjustments } = preview
  return {
    format,
    rows,
    entries,
    ...(columns && { columns: columns.used, unused_columns: columns.unused }),
    skipped: skipped.map((one) => ({ ...one, ...textOf(preview, one.row) })),
    odd: oddities.map(({ row, oddity }) => ({ row, reason: oddity, ...textOf(preview, row) })),
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

/** Returns the row as the file has it, if there is something to show. */
function textOf({ texts }: ImportPreview, row: number): { text?: string } {
  const text = texts.get(row)
  return text === undefined || text === '' ? {} : { text }
}

/** Rows of which each reason is shown. */
const SHOWN_ROWS = 10

/** Returns the lines about an import. */
export function importAsLines(imported: ImportedFile): string[] {
  const { outcome, format, batch, timeZone, preview, columns, notClosed } = imported
  const { rows, entries, skipped, oddities, first, last, days, worked_ms, covered_ms, overlapping_ms, projects } =
    preview
  const closedWeeks = preview.weeks.filter(({ isClosed }) => isClosed).map(({ week }) => week)
  const others = preview.settings + preview.adjustments
  const andOthers = others > 0 ? ` and ${counted(others, 'other record')}` : ''
  return [
    `${format}: ${counted(rows, 'row')}, ${countedEntries(entries)}${andOthers} to add`,
    ...(columns ? columnLines(columns) : []),
    ...(first === null ? [] : [`${counted(days, 'day')} from ${first} to ${last}, local times in ${timeZone}`]),
    `worked ${formatDelta(worked_ms)}, covered ${formatDelta(covered_ms)} (without breaks, and overlaps count once)`,
    ...(overlapping_ms > 0
      ? [`${formatDelta(overlapping_ms)} of it overlaps work of the account and adds nothing`]
      : []),
    ...(projects.length > 0 ? [`projects: ${projects.join(', ')}`] : []),
    `balance ${formatDelta(preview.balanceBeforeMs)} before, ${formatDelta(preview.balanceAfterMs)} after`,
    ...(closedWeeks.length > 0 ? [`closed weeks that change: ${closedWeeks.join(', ')}`] : []),
    ...byReason('left out', skipped, preview),
    ...byReason(
      'odd',
      oddities.map(({ row, oddity }) => ({ row, reason: oddity })),
      preview,
    ),
    ...(notClosed.length > 0 ? [`not closed: ${notClosed.join(', ')}`] : []),
    ...(outcome === 'previewed' ? ['nothing is imported yet'] : importedLines(entries + others, batch, preview)),
  ]
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** Returns `1 entry` or `2 entries`. */
export const countedEntries = (count: number) => counted(count, 'entry', 'entries')

function columnLines({ used, unused }: TableColumns): string[] {
  const named = used.map(({ field, name, unit }) => `${name} is ${field}${unit === undefined ? '' : ` (${unit})`}`)
  return [`columns: ${named.join(', ')}`, ...(unused.length > 0 ? [`columns not used: ${unused.join(', ')}`] : [])]
}

function importedLines(count: number, batch: string | null, { first, last }: ImportPreview): string[] {
  if (count === 0) return ['nothing to import']
  if (batch === null) return ['imported']
  return [
    `imported; to undo it: saldo import --undo ${batch}`,
    ...(first !== null && last !== null ? [`to see it: saldo log --from ${first} --to ${last}`] : []),
  ]
}

function byReason(title: string, rows: readonly { row: number; reason: string }[], preview: ImportPreview): string[] {
  return [...Map.groupBy(rows, ({ reason }) => reason)].flatMap(([reason, same]) => {
    const shown = same.slice(0, SHOWN_ROWS)
    const more = same.length > SHOWN_ROWS ? ` and ${same.length - SHOWN_ROWS} more` : ''
    const numbers = shown.map(({ row }) => row)
    const texts = shown.flatMap(({ row }) => textOf(preview, row).text?.replaceAll(/\s+/g, ' ') ?? [])
    const head = `${title}, ${reason.replaceAll('_', ' ')}: row ${numbers.join(', ')}${more}`
    return [head, ...texts.map((text) => `  ${text}`)]
  })
}
