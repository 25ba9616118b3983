import type { Change } from '@saldo/client/entries'
import type { Entry } from '@saldo/core'

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
export function bulkChanges(records: readonly Entry[], bulk: Bulk): Change[] {
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
