import { derivedId, type RecordId } from '@saldo/core'
import type { FileRow, ImportFormat, NamedRow } from './file.ts'

/**
 * Names each row of a file: by the id that the other tool gave it, else by all that it says and the number of equal
 * rows before it.
 */
export function nameRows(format: ImportFormat, rows: readonly FileRow[]): NamedRow[] {
  const counts = new Map<string, number>()
  return rows.map((row) => {
    const { ref, kind, start, end, date, durationMs, breakMs, project, client, note, tags, user } = row
    const numbers = [row.durationNumber, row.breakNumber].filter((number) => number !== undefined)
    const said =
      ref ??
      JSON.stringify([kind, start, end, date, durationMs, breakMs, project, client, note, tags, user, ...numbers])
    const count = (counts.get(said) ?? 0) + 1
    counts.set(said, count)
    const id = derivedId('import', `${format}/${said}/${count}`)
    return { ...row, id, importRef: `${format}:${id}`, isRepeated: count > 1 }
  })
}

/** Returns the name of the batch of a file: the same rows have the same one. */
export function batchOf(format: ImportFormat, rows: readonly NamedRow[]): string {
  const name = rows.map(({ importRef }) => importRef).join('\n')
  return `${format}-${derivedId('import-batch', name).slice(0, 13)}`
}

/** Returns the id of the break within the entry of a row. */
export function breakId({ importRef }: NamedRow): RecordId {
  return derivedId('import-break', importRef)
}
