import type { Saldo } from '@saldo/client'
import type { ExportTableName } from '@saldo/client/export'
import { useSaldo } from '@saldo/client/react'
import type { DateRange, EpochMs, LocalDate } from '@saldo/core'
import { clock } from '../../../context/clock.ts'
import { useSignedIn } from '../../../context/session.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { keptProfile } from '../../../domain/profile/sync-profile.ts'
import { type Translate, useTranslation } from '../../../i18n/translation.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { rangeSuffix } from './export-range.ts'

export const offeredFormats = ['xlsx', 'csv', 'solidtime', 'json'] as const
export type OfferedFormat = (typeof offeredFormats)[number]

export interface ExportChoice {
  format: OfferedFormat
  /** The table of a CSV. */
  table: ExportTableName
  /** Everything for JSON, which has no range. */
  range: DateRange
}

/** Returns a function that saves an export as a file, made of what is on this device. */
export function useExport(): (choice: ExportChoice) => Promise<void> {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { user } = useSignedIn()
  const today = useToday()
  return async (choice) => {
    const { name, file } = await makeExport(choice, { saldo, email: user.email, today, nowMs: clock.now(), t })
    saveFile(name, file)
  }
}

interface Context {
  saldo: Saldo
  email: string
  today: LocalDate
  nowMs: EpochMs
  t: Translate
}

async function makeExport(
  { format, table, range }: ExportChoice,
  context: Context,
): Promise<{ name: string; file: Blob }> {
  const { saldo, email, today, nowMs, t } = context
  // Loaded when it is used: it brings the library of the CSV.
  const exporting = await import('@saldo/client/export')
  if (format === 'json') {
    const user = { user_id: saldo.user, email, ...keptProfile(saldo.user) }
    const text = await saldo.query((tables, deviceNowMs) => exporting.exportJson(tables, user, deviceNowMs))
    return { name: `saldo-${today}.json`, file: new Blob([text], { type: 'application/json' }) }
  }
  const account = await exporting.readExportedAccount(saldo, nowMs)
  const suffix = rangeSuffix(range, today)
  switch (format) {
    case 'xlsx': {
      const words = {
        sheet: (name: string) => t(`importExport.export.table.${name}`),
        column: (name: string) => t(`importExport.export.column.${name}`),
        total: (table: string) => t(table === 'entries' ? 'importExport.export.sum' : 'importExport.export.total'),
      }
      const tables = exporting.tableNames.map((name) => exporting.tableOf(name, account, range))
      return { name: `saldo-${suffix}.xlsx`, file: await exporting.workbookOf(tables, words) }
    }
    case 'csv':
      return {
        name: `saldo-${table}-${suffix}.csv`,
        file: csvFile(exporting.csvOf(exporting.tableOf(table, account, range))),
      }
    case 'solidtime':
      return {
        name: `saldo-solidtime-${suffix}.csv`,
        file: csvFile(exporting.solidtimeCsv(account, range, { name: email, email })),
      }
  }
}

function csvFile(text: string): Blob {
  return new Blob([text], { type: 'text/csv' })
}
