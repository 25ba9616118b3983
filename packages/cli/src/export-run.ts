import { connect } from '@saldo/client'
import {
  csvOf,
  readExportedAccount,
  solidtimeCsv,
  type TableName,
  tableNames,
  tableOf,
  workbookOf,
} from '@saldo/client/export'
import type { DateRange, EpochMs } from '@saldo/core'
import { catching, type Failure, type Service, withDevice } from './device.ts'

// Loaded for `saldo export` alone, as a bundle of its own: so it throws no errors of the command but returns outcomes.

export type ExportFormat = 'json' | 'csv' | 'xlsx' | 'solidtime'

export interface ExportRequest {
  format: ExportFormat
  /** The table of a CSV. */
  table: TableName
  range: DateRange
  nowMs: EpochMs
}

/** Exports the account of a token. */
export function exportAccount(
  service: Service,
  { format, table, range, nowMs }: ExportRequest,
): Promise<{ outcome: 'exported'; bytes: Uint8Array } | Failure> {
  return catching(service, () =>
    withDevice(service, async (saldo) => {
      if (format === 'json') return exported((await saldo.session.export()).text)
      const account = await readExportedAccount(saldo, nowMs)
      switch (format) {
        case 'csv':
          return exported(csvOf(tableOf(table, account, range)))
        case 'xlsx': {
          const workbook = await workbookOf(tableNames.map((name) => tableOf(name, account, range)))
          return { outcome: 'exported', bytes: new Uint8Array(await workbook.arrayBuffer()) }
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
