import { writeFileSync } from 'node:fs'
import { connect } from '@saldo/client'
import {
  csvOf,
  type ExportTableName,
  lastCountedDate,
  plainSheetWords,
  readExportedAccount,
  sheetOf,
  sheetWorkbookOf,
  solidtimeCsv,
  tableNames,
  tableOf,
  workbookOf,
} from '@saldo/client/export'
import { type DateRange, daysBetween, FIRST_DATE, isDate, LAST_DATE, type LocalDate } from '@saldo/core'
import { CommandError } from './command-error.ts'
import { explaining, type ServiceAccess, withTemporaryDevice } from './device.ts'
import { type ServiceAccessOptions, serviceOf } from './input.ts'
import type { ExportFormat } from './option-values.ts'
import { nowMs } from './system.ts'

/** More is no sheet that anybody signs. */
const MAX_SHEET_DAYS = 366

/** Options of `saldo export`. */
export interface ExportOptions extends ServiceAccessOptions {
  format: ExportFormat
  /** The table of a CSV. */
  table: ExportTableName
  projects?: boolean
  notes?: boolean
  hints?: boolean
  from?: string
  to?: string
  output?: string
}

/** Exports the account of a token to a file or to standard output. */
export async function exportToFile(options: ExportOptions): Promise<void> {
  const { format, output } = options
  const isWorkbook = format === 'xlsx' || format === 'sheet'
  if (isWorkbook && output === undefined && process.stdout.isTTY) {
    throw new CommandError('a workbook is no text: name a file with --output', 2)
  }
  const range = rangeOf(options)
  if (format === 'sheet' && daysBetween(range.from, range.to) >= MAX_SHEET_DAYS) {
    throw new CommandError('a sheet has a year at most: give --from and --to', 2)
  }
  const bytes = await exportAccount(serviceOf(options), options, range)
  if (output === undefined) process.stdout.write(bytes)
  else write(output, bytes)
}

/** Returns the export of the account of a token. */
function exportAccount(
  service: ServiceAccess,
  { format, table, projects = false, notes = false, hints = false }: ExportOptions,
  range: DateRange,
): Promise<Uint8Array> {
  return explaining(service, () =>
    withTemporaryDevice(service, async (saldo) => {
      if (format === 'json') return encoded((await saldo.userAccount.export()).text)
      const account = await readExportedAccount(saldo, nowMs())
      switch (format) {
        case 'csv':
          return encoded(csvOf(tableOf(table, account, range)))
        case 'xlsx':
          return bytesOf(await workbookOf(tableNames.map((name) => tableOf(name, account, range))))
        case 'sheet': {
          const profile = await saldo.userAccount.profile()
          const choices = { withProjects: projects, withNotes: notes, withHints: hints }
          const sheet = sheetOf(account, { range, countedTo: lastCountedDate(account), profile, ...choices })
          const { position } = await saldo.query((tables) => tables.meta())
          return bytesOf(await sheetWorkbookOf(sheet, plainSheetWords(sheet, position?.version ?? 0)))
        }
        case 'solidtime': {
          const { email } = await connect(service).me()
          return encoded(solidtimeCsv(account, range, { name: email, email }))
        }
      }
    }),
  )
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
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

/** Writes a file that only its owner can read, and replaces none: a link could lead into another file. */
function write(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'EEXIST') throw new CommandError(`${path} exists`)
    throw new CommandError(`${path} cannot be written: ${code}`)
  }
}
