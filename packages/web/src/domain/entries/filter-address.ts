import { type EntryFilter, isDate, type LocalDate } from '@saldo/core'

/** Returns the address of a path with fields after `?`, without those that are empty. */
export function addressWith(path: string, fields: Readonly<Record<string, string>>): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== '')
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`
}

/** Returns the fields of a filter in an address. */
export function filterFields({ project, tag, words, kind }: EntryFilter): Record<keyof EntryFilter, string> {
  return { project, tag, words, kind }
}

/** Reads a filter from the fields of an address. Other kinds than these are no limit. */
export function readFilter(params: URLSearchParams, kinds: readonly EntryFilter['kind'][]): EntryFilter {
  const textOf = (name: string) => params.get(name) ?? ''
  return {
    project: textOf('project'),
    tag: textOf('tag'),
    words: textOf('words'),
    kind: kinds.find((kind) => kind === params.get('kind')) ?? '',
  }
}

/** Reads a date from a field of an address; `undefined` if there is none. */
export function readDate(params: URLSearchParams, name: 'from' | 'to'): LocalDate | undefined {
  const text = params.get(name)
  return text !== null && isDate(text) ? text : undefined
}
