import {
  draftImport,
  findQuestions,
  hasLocalTimes,
  type ImportFile,
  type ImportPreview,
  previewImport,
  questionsToShow,
  ReadBudget,
  readImportFile,
  readTableHead,
  type SourceFile,
  UnreadableFileError,
} from '@saldo/client/import'
import type { Call, ImportWork, WorkerResponse } from './import-work.ts'

let file: ImportFile | undefined
let drafts: ImportPreview['drafts'] = []

const work: ImportWork = {
  async read(chosen, choices, nowMs) {
    file = undefined
    let source: SourceFile | undefined
    try {
      new ReadBudget().spend('fileBytes', chosen.size)
      source = { name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) }
      file = await readImportFile(source, { ...choices, nowMs })
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error
      const { code, limit } = error
      const table = source && code !== 'too_large' ? readTableHead(source) : undefined
      return { outcome: 'unreadable', code, limit, table }
    }
    const { format } = file
    return {
      outcome: 'read',
      format,
      batch: file.format === 'saldo' ? null : file.batch,
      table: format === 'csv' ? readTableHead(source) : undefined,
      columns: file.format === 'saldo' ? undefined : file.columns,
      hasLocalTimes: hasLocalTimes(file),
      closedWeeks: file.format === 'saldo' ? file.closedWeeks : [],
      closedDays: file.format === 'saldo' ? file.closedDays : [],
      profile: file.format === 'saldo' ? file.profile : {},
    }
  },
  async look(answers, now) {
    if (!file) throw new Error('no file was read')
    const questions = questionsToShow(file, answers)
    if (findQuestions(file, answers).length > 0) return { questions, preview: undefined }
    const { drafts: found, ...preview } = previewImport(now, draftImport(file, answers))
    drafts = found
    return { questions, preview }
  },
  takeDrafts: async () => drafts,
}

self.addEventListener('message', ({ data }: MessageEvent<Call>) => void answer(data))

async function answer({ id, name, args }: Call): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  const call = work[name] as (...args: unknown[]) => Promise<unknown>
  const reply = await call(...args).then(
    (value): WorkerResponse => ({ id, value }),
    (error: unknown): WorkerResponse => ({ id, error: String(error) }),
  )
  self.postMessage(reply)
}
