import { writeFileSync } from 'node:fs'
import { type DateRange, daysBetween, FIRST_DATE, isDate, LAST_DATE, type LocalDate } from '@saldo/core'
import { CommandError } from './command-error.ts'
import type { ExportRequest } from './export-run.ts'
import { type ServiceOptions, serviceOf } from './input.ts'
import { nowMs } from './system.ts'

/** More is no sheet that anybody signs. */
const MAX_SHEET_DAYS = 366

/** Options of `saldo export`. */
export interface ExportOptions extends ServiceOptions, Pick<ExportRequest, 'format' | 'table'> {
  projects?: boolean
  notes?: boolean
  hints?: boolean
  from?: string
  to?: string
  output?: string
}

/** Exports the account of a token to a file or to standard output. */
export async function exportToFile(options: ExportOptions): Promise<void> {
  const { format, table, output } = options
  const isWorkbook = format === 'xlsx' || format === 'sheet'
  if (isWorkbook && output === undefined && process.stdout.isTTY) {
    throw new CommandError('a workbook is no text: name a file with --output', 2)
  }
  const range = rangeOf(options)
  if (format === 'sheet' && daysBetween(range.from, range.to) >= MAX_SHEET_DAYS) {
    throw new CommandError('a sheet has a year at most: give --from and --to', 2)
  }
  const { projects = false, notes = false, hints = false } = options
  const sheet = { withProjects: projects, withNotes: notes, withHints: hints }
  // Loaded for this command alone: a service would hold it in memory.
  const { exportAccount } = await import('./export-run.ts')
  const outcome = await exportAccount(serviceOf(options), {
    format,
    table,
    range,
    sheet,
    nowMs: nowMs(),
  })
  if (outcome.outcome === 'failed') throw new CommandError(outcome.detail, outcome.isWrongUse ? 2 : 1)
  if (output === undefined) process.stdout.write(outcome.bytes)
  else write(output, outcome.bytes)
}

function rangeOf({ from, to }: ExportOptions): DateRange {
  const range = { from: dateOf(from, '--from') ?? FIRST_DATE, to: dateOf(to, '--to') ?? LAST_DATE }
  if (range.from > range.to) throw new CommandError('--from must not be after --to', 2)
  return range
}

function dateOf(text: string | undefined, option: string): LocalDate | undefined {
  if (text === undefined || isDate(text)) return text
  throw new CommandError(`${option} must be a date such as 2026-11-20`, 2)
}

function write(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CommandError(`${path} cannot be written: ${code}`)
  }
}
