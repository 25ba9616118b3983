import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { formatDelta } from '@saldo/core'
import { CommandError } from './command-error.ts'
import type { ImportOutcome } from './import-run.ts'
import { type ServiceOptions, serviceOf } from './input.ts'
import { print } from './output.ts'
import { nowMs } from './system.ts'

/** Options of `saldo import`. */
export interface ImportOptions extends ServiceOptions {
  format?: string
  columns?: string
  timeZone?: string
  user?: string
  dateOrder?: 'dmy' | 'mdy'
  durations?: 'sequential' | 'as-is'
  dryRun?: true
  json?: true
  undo?: string
}

/** Imports a file into the account of a token, or undoes an import. */
export async function importOrUndo(path: string | undefined, options: ImportOptions): Promise<void> {
  const { undo, json } = options
  if ((path === undefined) === (undo === undefined))
    throw new CommandError('give either a file or --undo and a batch', 2)
  const service = serviceOf(options)
  // Loaded for this command alone: a service would hold it in memory.
  const { columnFields, importFile, undoBatch } = await import('./import-run.ts')
  if (undo !== undefined) {
    const undone = await undoBatch(undo, service, showProgress)
    if (undone.outcome === 'failed') throw errorOf(undone)
    if (undone.entries === 0) throw new CommandError(`there are no entries of the batch ${undo}`)
    print(json ? JSON.stringify({ batch: undo, entries: undone.entries }) : `${countedEntries(undone.entries)} deleted`)
    return
  }
  const source = readSource(path as string)
  const imported = await importFile(source, service, {
    ...options,
    columns: options.columns === undefined ? undefined : readColumns(options.columns, columnFields),
    isDryRun: options.dryRun === true,
    nowMs: nowMs(),
    onProgress: showProgress,
  })
  if (imported.outcome === 'failed') throw errorOf(imported)
  if (imported.outcome === 'open') throw new CommandError(imported.questions.map(askFor).join('; '), 2)
  print(json ? JSON.stringify(asJson(imported)) : asText(imported))
}

type Imported = Extract<ImportOutcome, { preview: unknown }>

function asJson({ outcome, format, batch, timeZone, preview, notClosed }: Imported): object {
  const { rows, entries, skipped, oddities, first, last, days, worked_ms, covered_ms, overlapping_ms, projects } =
    preview
  const { balance_before_ms, balance_after_ms, weeks, settings, adjustments } = preview
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
    balance_before_ms,
    balance_after_ms,
    closed_weeks: weeks.filter(({ isClosed }) => isClosed).map(({ week }) => week),
    ...(format === 'saldo' && { settings, adjustments, not_closed: notClosed }),
    ...(outcome === 'imported' && { batch }),
  }
}

/** Rows of which each reason is shown. */
const SHOWN_ROWS = 10

function asText({ outcome, format, batch, timeZone, preview, notClosed }: Imported): string {
  const { rows, entries, skipped, oddities, first, last, days, worked_ms, covered_ms, overlapping_ms, projects } =
    preview
  const closedWeeks = preview.weeks.filter(({ isClosed }) => isClosed).map(({ week }) => week)
  const others = preview.settings + preview.adjustments
  return [
    `${format}: ${counted(rows, 'row')}, ${countedEntries(entries)}${others > 0 ? ` and ${counted(others, 'other record')}` : ''} to add`,
    ...(first === null ? [] : [`${counted(days, 'day')} from ${first} to ${last}, local times in ${timeZone}`]),
    `worked ${formatDelta(worked_ms)}, covered ${formatDelta(covered_ms)} (work that overlaps counts once)`,
    ...(overlapping_ms > 0
      ? [`${formatDelta(overlapping_ms)} of it overlaps work of the account and adds nothing`]
      : []),
    ...(projects.length > 0 ? [`projects: ${projects.join(', ')}`] : []),
    `balance ${formatDelta(preview.balance_before_ms)} before, ${formatDelta(preview.balance_after_ms)} after`,
    ...(closedWeeks.length > 0 ? [`closed weeks that change: ${closedWeeks.join(', ')}`] : []),
    ...byReason('left out', skipped),
    ...byReason(
      'odd',
      oddities.map(({ row, oddity }) => ({ row, reason: oddity })),
    ),
    ...(notClosed.length > 0 ? [`not closed: ${notClosed.join(', ')}`] : []),
    ...(outcome === 'previewed' ? ['nothing is imported yet'] : [importedLine(entries + others, batch)]),
  ].join('\n')
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

const countedEntries = (count: number) => counted(count, 'entry', 'entries')

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

function askFor({ about, options }: Extract<ImportOutcome, { outcome: 'open' }>['questions'][number]): string {
  if (about === 'user') return `rows of several users, choose one with --user: ${options.join(', ')}`
  if (about === 'dateOrder') return 'dates can be read in two ways, choose with --date-order dmy or mdy'
  return 'rows have no times of their own: choose --durations sequential (one after another from 9:00) or as-is'
}

function errorOf({ detail, isWrongUse }: Extract<ImportOutcome, { outcome: 'failed' }>): CommandError {
  return new CommandError(detail, isWrongUse ? 2 : 1)
}

function readSource(path: string): { name: string; bytes: Uint8Array } {
  try {
    return { name: basename(path), bytes: readFileSync(path) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CommandError(code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${code}`, 2)
  }
}

/** Reads `date=Datum,start=Von`. */
function readColumns(text: string, fields: readonly string[]): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='))
  const wrong = pairs.find(([field = '', ...name]) => !fields.includes(field) || name.join('=') === '')
  if (wrong)
    throw new CommandError(`--columns must be pairs such as date=Datum; the fields are ${fields.join(', ')}`, 2)
  return Object.fromEntries(pairs.map(([field = '', ...name]) => [field, name.join('=').trim()]))
}

/** Shows the number of sent changes while somebody looks on. */
function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total} sent${done === total ? '\n' : ''}`)
}
