import type { ReadBudget } from '../budget.ts'
import type { CsvTable } from '../csv.ts'
import type { FileRow, TableColumns } from '../file.ts'
import { guessColumns } from '../headers.ts'
import { readColumns } from './columns.ts'

/** Reads the report of TimeTagger as CSV, which has subtotals between its rows. */
export function readTimeTagger(table: CsvTable, budget: ReadBudget): { rows: FileRow[]; columns: TableColumns } {
  const groups = table.header.indexOf('tag_groups')
  const date = table.header.indexOf('date')
  const { project: _none, ...columns } = guessColumns(table.header)
  const read = readColumns(table, columns, true, budget)
  const rows = read.rows.map((row, index) => {
    const cells = table.rows[index]?.cells ?? []
    if ((cells[date] ?? '') === '') return { ...row, skip: 'subtotal' as const }
    const project = cells[groups] ?? ''
    // Its tags are the words of the description that begin with #, separated by spaces.
    const tags = row.tags.flatMap((tag) => tag.split(/\s+/)).map((tag) => tag.replace(/^#/, ''))
    return {
      ...row,
      tags: tags.filter(Boolean),
      ...(project !== '' && { project }),
    }
  })
  return { rows, columns: read.columns }
}
