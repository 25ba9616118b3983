import type { EntryContent } from '@saldo/core'

const tags: string[] = []
const defaults = { time_zone: null, note: '', tags, project: null, source: null, import_ref: null }

/** Returns the content of a new entry: its own fields, and the defaults of the others (D2.13). */
export function newEntry<Own extends { kind: EntryContent['kind'] }>(own: Own): Omit<typeof defaults, keyof Own> & Own {
  return { ...defaults, ...own }
}
