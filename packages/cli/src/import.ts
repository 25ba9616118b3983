import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { Saldo } from '@saldo/client'
import {
  closeExported,
  columnFields,
  draftImport,
  findQuestions,
  type ImportAnswers,
  importFormats,
  previewImport,
  type Question,
  ReadBudget,
  readAccountNow,
  readImportFile,
  runImport,
  undoImport,
} from '@saldo/client/import'
import { isZone } from '@saldo/core'
import { CommandError } from './command-error.ts'
import { explaining, type ServiceAccess, withTemporaryDevice } from './device.ts'
import { countedEntries, type ImportedFile, importAsJson, importAsLines } from './import-text.ts'
import { type ServiceAccessOptions, serviceOf } from './input.ts'
import { print, printJson } from './output.ts'
import { nowMs } from './system.ts'

/** Options of `saldo import`. */
export interface ImportCommandOptions extends ServiceAccessOptions {
  format?: string
  columns?: string
  timeZone?: string
  user?: string
  dateOrder?: ImportAnswers['dateOrder']
  durations?: ImportAnswers['durations']
  durationUnit?: ImportAnswers['durationUnit']
  breakUnit?: ImportAnswers['breakUnit']
  dryRun?: true
  json?: true
  undo?: string
}

/** Imports a file into the account of a token, or undoes an import. */
export async function importOrUndo(path: string | undefined, options: ImportCommandOptions): Promise<void> {
  const { undo, json } = options
  if ((path === undefined) === (undo === undefined))
    throw new CommandError('give either a file or --undo and a batch', 2)
  const service = serviceOf(options)
  if (undo !== undefined) {
    const entries = await undoBatch(undo, service)
    if (entries === 0) throw new CommandError(`there are no entries of the batch ${undo}`)
    if (json) printJson({ batch: undo, entries })
    else print(`${countedEntries(entries)} deleted`)
    return
  }
  const imported = await importFile(path as string, service, options)
  if (json) printJson(importAsJson(imported))
  else for (const line of importAsLines(imported)) print(line)
}

/** Reads a file and imports it into the account of a token, or finds the effect with `--dry-run`. */
async function importFile(path: string, service: ServiceAccess, options: ImportCommandOptions): Promise<ImportedFile> {
  const columns = options.columns === undefined ? undefined : readColumns(options.columns)
  const format = importFormats.find((name) => name === options.format)
  if (options.format !== undefined && !format) {
    throw new CommandError(`--format must be one of ${importFormats.join(', ')}`, 2)
  }
  if (options.timeZone !== undefined && !isZone(options.timeZone)) {
    throw new CommandError('--time-zone must be a name such as Europe/Berlin', 2)
  }
  return explaining(service, async () => {
    const file = await readImportFile(await readSource(path), {
      nowMs: nowMs(),
      ...(format && { format }),
      ...(columns && { columns }),
    })
    const questions = findQuestions(file, options)
    if (questions.length > 0) throw new CommandError(questions.map(askFor).join('; '), 2)
    return withTemporaryDevice(service, async (saldo) => {
      const timeZone = options.timeZone ?? (await ownZone(saldo))
      const { user, dateOrder, durations, durationUnit, breakUnit } = options
      const drafted = draftImport(file, { timeZone, user, dateOrder, durations, durationUnit, breakUnit })
      const preview = previewImport(await saldo.query(readAccountNow), drafted)
      const columns = file.format === 'saldo' ? undefined : file.columns
      const result = { format: file.format, batch: drafted.batch, timeZone, preview, columns, notClosed: [] }
      if (options.dryRun) return { ...result, outcome: 'previewed' }
      await runImport(saldo, preview.drafts)
      await sendAll(saldo)
      if (file.format !== 'saldo') return { ...result, outcome: 'imported' }
      const { weeks, days } = await closeExported(saldo, file)
      return { ...result, outcome: 'imported', notClosed: [...weeks, ...days] }
    })
  })
}

/** Deletes the entries of a batch. Returns their number. */
function undoBatch(batch: string, service: ServiceAccess): Promise<number> {
  return explaining(service, () =>
    withTemporaryDevice(service, async (saldo) => {
      const entries = await undoImport(saldo, batch)
      await sendAll(saldo)
      return entries
    }),
  )
}

const PIECE_BYTES = 1024 * 1024

/** Attempts after which changes that the service does not take are given up. */
const MAX_IDLE_ATTEMPTS = 12

/** Sends all unsent changes. Throws `CommandError` if the service rejects some, or takes none for some time. */
async function sendAll(saldo: Saldo): Promise<void> {
  const total = (await saldo.status.read()).unsent ?? 0
  let left = total
  const end = saldo.status.subscribe(({ unsent }) => showProgress(total - (unsent ?? total), total))
  try {
    for (let idle = 0; idle < MAX_IDLE_ATTEMPTS; ) {
      await saldo.sync()
      const { unsent, rejected } = await saldo.status.read()
      if (rejected) throw new CommandError(await rejections(saldo))
      if (unsent === 0) return
      idle = attemptsWithoutProgress(idle, left, unsent ?? left)
      left = unsent ?? left
      await new Promise((resolve) => setTimeout(resolve, 1_000 * (idle + 1)))
    }
    throw new CommandError(`${left} of ${total} changes could not be sent; run the same command again to continue`)
  } finally {
    end()
  }
}

/** Returns the number of attempts in a row that sent nothing, after one more; `count` is that before it. */
export function attemptsWithoutProgress(count: number, leftBefore: number, left: number): number {
  return left < leftBefore ? 0 : count + 1
}

/** Names each reason for which the service rejected changes, and of how many. */
async function rejections(saldo: Saldo): Promise<string> {
  const all = await saldo.rejectedChanges.list().read()
  const byReason = Map.groupBy(all, ({ problem: { errors, detail, title } }) => errors?.[0]?.detail ?? detail ?? title)
  const reasons = [...byReason].map(([reason, same]) => `${reason} (${same.length})`)
  return `the service rejected ${all.length} of the changes: ${reasons.join('; ')}`
}

/** Returns the time zone of the account, or of this computer if the account has none. */
async function ownZone(saldo: Saldo): Promise<string> {
  const rows = (await saldo.settings.all().read()).map(({ record }) => record)
  const latest = rows.toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1)).at(-1)
  return latest?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

function askFor({ about, options }: Question): string {
  if (about === 'user') return `rows of several users, choose one with --user: ${options.join(', ')}`
  if (about === 'dateOrder') return 'dates can be read in two ways, choose with --date-order dmy or mdy'
  if (about === 'durationUnit') return `durations are bare numbers, choose with --duration-unit ${options.join(' or ')}`
  if (about === 'breakUnit') return `breaks are bare numbers, choose with --break-unit ${options.join(' or ')}`
  return 'rows have no times of their own: choose --durations sequential (one after another from 9:00) or as-is'
}

/** Reads a file in pieces, up to the budget: a pipe or a device has no size, and may have no end. */
async function readSource(path: string): Promise<{ name: string; bytes: Uint8Array }> {
  const budget = new ReadBudget()
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
      budget.spend('fileBytes', piece.length)
      pieces.push(piece)
    }
    return { name: basename(path), bytes: Buffer.concat(pieces) }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new CommandError(code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${code}`, 2)
  }
}

/** Reads `date=Datum,start=Von`. */
function readColumns(text: string): Record<string, string> {
  const fields: readonly string[] = columnFields
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
