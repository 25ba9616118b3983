import type { Saldo } from '@saldo/client'
import {
  type Answers,
  type ColumnMapping,
  closeExported,
  draftImport,
  findQuestions,
  type ImportFile,
  type ImportPreview,
  importFormats,
  previewImport,
  type Question,
  readAccountNow,
  readImportFile,
  runImport,
  type SourceFile,
  undoImport,
} from '@saldo/client/import'
import { isZone } from '@saldo/core'
import { catching, type Failure, type Service, UnsentError, withDevice, wrongUse } from './device.ts'

// Loaded for `saldo import` alone, as a bundle of its own: so it throws no errors of the command but returns outcomes.

export { columnFields } from '@saldo/client/import'

export interface ImportRequest {
  format?: string | undefined
  columns?: ColumnMapping | undefined
  timeZone?: string | undefined
  user?: string | undefined
  dateOrder?: Answers['dateOrder']
  durations?: Answers['durations']
  isDryRun: boolean
  nowMs: number
  onProgress: (done: number, total: number) => void
}

export type ImportOutcome =
  | { outcome: 'open'; questions: readonly Question[] }
  | Failure
  | {
      outcome: 'previewed' | 'imported'
      format: ImportFile['format']
      batch: string | null
      timeZone: string
      preview: ImportPreview
      /** Weeks and days of Saldo's own export that could not be closed. */
      notClosed: readonly string[]
    }

/** Reads a file and imports it into the account of a token, or shows the effect if `isDryRun`. */
export async function importFile(source: SourceFile, service: Service, request: ImportRequest): Promise<ImportOutcome> {
  const format = importFormats.find((name) => name === request.format)
  if (request.format !== undefined && !format) {
    return wrongUse(`--format must be one of ${importFormats.join(', ')}`)
  }
  if (request.timeZone !== undefined && !isZone(request.timeZone)) {
    return wrongUse('--time-zone must be a name such as Europe/Berlin')
  }
  return catching(service, async () => {
    const { columns } = request
    const file = await readImportFile(source, {
      nowMs: request.nowMs,
      ...(format && { format }),
      ...(columns && { columns }),
    })
    const questions = findQuestions(file, request)
    if (questions.length > 0) return { outcome: 'open', questions }
    return withDevice(service, async (saldo) => {
      const timeZone = request.timeZone ?? (await ownZone(saldo))
      const { user, dateOrder, durations } = request
      const drafted = draftImport(file, { timeZone, user, dateOrder, durations })
      const preview = previewImport(await saldo.query(readAccountNow), drafted)
      const { batch } = drafted
      const result = { format: file.format, batch, timeZone, preview, notClosed: [] }
      if (request.isDryRun) return { ...result, outcome: 'previewed' }
      await runImport(saldo, preview.drafts)
      await sendAll(saldo, request.onProgress)
      if (file.format !== 'saldo') return { ...result, outcome: 'imported' }
      const { weeks, days } = await closeExported(saldo, file)
      return { ...result, outcome: 'imported', notClosed: [...weeks, ...days] }
    })
  })
}

/** Deletes the entries of a batch. */
export function undoBatch(
  batch: string,
  service: Service,
  onProgress: ImportRequest['onProgress'],
): Promise<{ outcome: 'undone'; entries: number } | Failure> {
  return catching(service, () =>
    withDevice(service, async (saldo) => {
      const entries = await undoImport(saldo, batch)
      await sendAll(saldo, onProgress)
      return { outcome: 'undone', entries }
    }),
  )
}

/** Attempts after which changes that the service does not take are given up. */
const MAX_IDLE_ATTEMPTS = 12

/** Sends all unsent changes. Throws `UnsentError` if the service rejects some, or takes none for some time. */
async function sendAll(saldo: Saldo, onProgress: ImportRequest['onProgress']): Promise<void> {
  const total = (await saldo.status.read()).unsent ?? 0
  let left = total
  const end = saldo.status.subscribe(({ unsent }) => onProgress(total - (unsent ?? total), total))
  try {
    for (let idle = 0; idle < MAX_IDLE_ATTEMPTS; ) {
      await saldo.sync()
      const { unsent, rejected } = await saldo.status.read()
      if (rejected) throw new UnsentError(await firstRejection(saldo, rejected))
      if (unsent === 0) return
      idle = attemptsWithoutProgress(idle, left, unsent ?? left)
      left = unsent ?? left
      await new Promise((resolve) => setTimeout(resolve, 1_000 * (idle + 1)))
    }
    throw new UnsentError(`${left} of ${total} changes could not be sent; run the same command again to continue`)
  } finally {
    end()
  }
}

/** Returns the number of attempts in a row that sent nothing, after one more; `count` is that before it. */
export function attemptsWithoutProgress(count: number, leftBefore: number, left: number): number {
  return left < leftBefore ? 0 : count + 1
}

async function firstRejection(saldo: Saldo, count: number): Promise<string> {
  const [first] = await saldo.rejectedChanges.list().read()
  const { errors, detail, title } = first?.problem ?? {}
  const reason = errors?.[0]?.detail ?? detail ?? title ?? 'no reason'
  return `the service rejected ${count} of the changes, the first because: ${reason}`
}

/** Returns the time zone of the account, or of this computer if the account has none. */
async function ownZone(saldo: Saldo): Promise<string> {
  const rows = (await saldo.settings.all().read()).map(({ record }) => record)
  const latest = rows.toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1)).at(-1)
  return latest?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
