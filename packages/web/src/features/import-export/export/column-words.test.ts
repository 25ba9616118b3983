import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExportedAccount, tableNames, tableOf } from '@saldo/client/export'
import { expect, test } from 'vitest'

const nothing: ExportedAccount = {
  timeline: [],
  entries: [],
  days: [],
  closedWeeks: [],
  adjustments: [],
  today: '2026-11-20',
}

test.each(['en', 'de'])('each column of a workbook has a name in «%s»', (language) => {
  const { importExport } = JSON.parse(readFileSync(join(import.meta.dirname, `../${language}.json`), 'utf8'))
  const range = { from: '2026-11-01', to: '2026-11-30' } as const
  const columns = tableNames.flatMap((name) => tableOf(name, nothing, range).columns.map(({ name }) => name))
  expect(Object.keys(importExport.export.column).sort()).toEqual([...new Set(columns)].sort())
})
