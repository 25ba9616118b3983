import type { RejectedChange, ShownRecord } from '@saldo/client'
import { asLine, type Entry } from '@saldo/core'
import { entryLine } from './add.ts'

/** A note may be long, and the reason stands behind it. */
const MOST_LETTERS = 80

/** An entry that only a change which the service rejected has. */
export interface RejectedEntry {
  entry: Entry
  rejected: RejectedChange
}

/** Returns the entries that would be there if the service had not rejected them. `rows` are those that are. */
export function rejectedEntries(
  changes: readonly RejectedChange[],
  rows: readonly ShownRecord<Entry>[],
): RejectedEntry[] {
  const shown = new Set(rows.map((row) => row.record.id))
  return changes.flatMap((rejected) => {
    const { kind, id, content } = rejected.change
    if (kind !== 'entries' || content === null || shown.has(id)) return []
    return [{ entry: { ...content, id } as unknown as Entry, rejected }]
  })
}

/** Returns a rejected change in a line: what it asks for, and why the service rejected it. */
export function rejectedLine({ change, problem }: RejectedChange, zone: string): string {
  const { kind, id, content } = change
  const line = kind === 'entries' && content !== null ? ` ${entryLine(content as unknown as Entry, zone)}` : ''
  const entry = line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)}…` : line
  const what = content === null ? `deletion of ${kind} ${id}` : `${kind} ${id}${entry}`
  return `${what}: ${problemText(problem)}`
}

/** Returns why the service rejected a change, on one line. */
export function problemText({ errors, detail, title }: RejectedChange['problem']): string {
  return asLine(errors?.[0]?.detail ?? detail ?? title)
}
