import { connect } from '@saldo/client'
import {
  csvOf,
  lastCountedDate,
  plainSheetWords,
  readExportedAccount,
  type SheetRequest,
  sheetOf,
  sheetWorkbookOf,
  solidtimeCsv,
  type TableName,
  tableNames,
  tableOf,
  workbookOf,
} from '@saldo/client/export'
import type { DateRange, EpochMs } from '@saldo/core'
import { catching, type Failure, type Service, withDevice } from './device.ts'

// Loaded for `saldo export` alone, as a bundle of its own: so it throws no errors of the command but returns outcomes.

export type ExportFormat = 'json' | 'csv' | 'xlsx' | 'sheet' | 'solidtime'

export interface ExportRequest {
  format: ExportFormat
  /** The table of a CSV. */
  table: TableName
  range: DateRange
  /** The choices of a sheet. */
  sheet: Pick<SheetRequest, 'withProjects' | 'withNotes' | 'withHints'>
  nowMs: EpochMs
}

/** Exports the account of a token. */
export function exportAccount(
  service: Service,
  { format, table, range, sheet: choices, nowMs }: ExportRequest,
): Promise<{ outcome: 'exported'; bytes: Uint8Array } | Failure> {
  return catching(service, () =>
    withDevice(service, async (saldo) => {
      if (format === 'json') return exported((await saldo.userAccount.export()).text)
      const account = await readExportedAccount(saldo, nowMs)
      switch (format) {
        case 'csv':
          return exported(csvOf(tableOf(table, account, range)))
        case 'xlsx':
          return exportedFile(await workbookOf(tableNames.map((name) => tableOf(name, account, range))))
        case 'sheet': {
          const profile = await saldo.userAccount.profile()
          const sheet = sheetOf(account, { range, countedTo: lastCountedDate(account), profile, ...choices })
          const { position } = await saldo.query((tables) => tables.meta())
          return exportedFile(await sheetWorkbookOf(sheet, plainSheetWords(sheet, position?.version ?? 0)))
        }
        case 'solidtime': {
          const { email } = await connect(service).me()
          return exported(solidtimeCsv(account, range, { name: email, email }))
        }
      }
    }),
  )
}

function exported(text: string) {
  return { outcome: 'exported' as const, bytes: new TextEncoder().encode(text) }
}

async function exportedFile(file: Blob) {
  return { outcome: 'exported' as const, bytes: new Uint8Array(await file.arrayBuffer()) }
}
