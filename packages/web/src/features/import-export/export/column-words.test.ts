import { type ExportedAccount, tableNames, tableOf } from '@saldo/client/export'
import { expect, test } from 'vitest'
import de from '../de.json'
import en from '../en.json'

const nothing: ExportedAccount = {
  timeline: [],
  entries: [],
  days: [],
  closedWeeks: [],
  adjustments: [],
  today: '2026-11-20',
}

test.each([
  ['en', en],
  ['de', de],
])('each column of a workbook has a name in «%s»', (_, { importExport }) => {
  const range = { from: '2026-11-01', to: '2026-11-30' } as const
  const columns = tableNames.flatMap((name) => tableOf(name, nothing, range).columns.map(({ name }) => name))
  expect(Object.keys(importExport.export.column).sort()).toEqual([...new Set(columns)].sort())
})
