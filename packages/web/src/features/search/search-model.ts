import type { EntryMutation } from '@saldo/client/entries'
import { absenceKinds, type Entry, FIRST_DATE, isDate, LAST_DATE, type LocalDate, timedEntryKinds } from '@saldo/core'
import { addressWith, type FieldReads } from '../../domain/address.ts'
import { filterFields, type Query, readFilter, readSearchDate, textFields } from '../../domain/entries/search.ts'
import { reportAddressOf as addressOfReport, datesOf } from '../../domain/reports/report-query.ts'

const PATH = '/search'

/** Returns the address of a search. Its fields are named like those of a report. */
export function searchAddressOf({ from, to, isRunning, ...filter }: Query): string {
  return addressWith(PATH, { from, to, ...filterFields(filter), running: isRunning ? '1' : '' })
}

/** True if a query finds work or breaks, and not absences alone. */
export function hasTime({ kind }: Pick<Query, 'kind'>): boolean {
  return kind === '' || kind === 'work' || kind === 'break'
}

/** Returns the address of the report of the same time. Running entries and absences have none. */
export function reportAddress({ from, to, isRunning, ...filter }: Query, today: LocalDate): string | undefined {
  if (isRunning || !hasTime(filter)) return undefined
  const range = { from: from === '' ? FIRST_DATE : from, to: to === '' ? LAST_DATE : to }
  return addressOfReport({ ...filter, dates: datesOf(range, today) })
}

const kinds = [...timedEntryKinds, ...absenceKinds]

/** The values that fields of the address of a search can have. */
export const searchFields: FieldReads = {
  from: isDate,
  to: isDate,
  kind: (text) => kinds.some((kind) => kind === text),
  running: (text) => text === '1',
  ...textFields,
}

/** Reads a search from the fields of its address. Malformed ones are no limit. */
export function readSearchAddress(params: URLSearchParams): Query {
  return {
    from: readSearchDate(params, 'from') ?? '',
    to: readSearchDate(params, 'to') ?? '',
    ...readFilter(params, kinds),
    isRunning: params.get('running') === '1',
  }
}

/** The ids from one to another, both of them, in whichever order; the second alone where the first is not there. */
export function idsBetween(ids: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [first, last] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)]
  if (first < 0 || last < 0) return [to]
  return ids.slice(Math.min(first, last), Math.max(first, last) + 1)
}

/** An action on all selected entries. */
export type Bulk =
  | { op: 'project'; project: string }
  | { op: 'addTag'; tag: string }
  | { op: 'removeTag'; tag: string }
  | { op: 'delete' }

/**
 * Returns the changes of an action; entries that need none are left alone. An empty project removes it, and only work
 * has one.
 */
export function bulkChanges(records: readonly Entry[], bulk: Bulk): EntryMutation[] {
  switch (bulk.op) {
    case 'project': {
      const project = bulk.project.trim() === '' ? null : bulk.project.trim()
      return records
        .filter((record) => record.kind === 'work' && record.project !== project)
        .map((record) => ({ op: 'update', record, patch: { project } }))
    }
    case 'addTag': {
      const tag = bulk.tag.trim().replace(/^#/, '').trim()
      return records
        .filter(({ tags }) => tag !== '' && !tags.includes(tag))
        .map((record) => ({ op: 'update', record, patch: { tags: [...record.tags, tag] } }))
    }
    case 'removeTag':
      return records
        .filter(({ tags }) => tags.includes(bulk.tag))
        .map((record) => ({
          op: 'update',
          record,
          patch: { tags: record.tags.filter((tag) => tag !== bulk.tag) },
        }))
    case 'delete':
      return records.map((record) => ({ op: 'delete', record }))
  }
}

/** Returns the names to choose from: projects or tags of all entries; tags to remove only of the selected ones. */
export function namesFor(
  op: Exclude<Bulk['op'], 'delete'>,
  selected: readonly Entry[],
  all: readonly Entry[],
): string[] {
  const used = (op === 'removeTag' ? selected : all).flatMap(({ project, tags }) => {
    return op === 'project' ? (project ?? []) : tags
  })
  return [...new Set(used)].sort()
}

/** True if an action can change any of the entries: only work has a project, and only tags that are there go. */
export function canChange(records: readonly Entry[], op: Bulk['op']): boolean {
  switch (op) {
    case 'project':
      return records.some(({ kind }) => kind === 'work')
    case 'removeTag':
      return records.some(({ tags }) => tags.length > 0)
    case 'addTag':
    case 'delete':
      return records.length > 0
  }
}
