import type { Saldo } from '@saldo/client'
import type { RecordId } from '@saldo/core'
import type { Step } from './changes.ts'

/** Entries that are rewritten in one transaction of the local store, so that other reads get a turn. */
const ENTRIES_PER_STEP = 500

type Entries = Pick<Saldo['entries'], 'all' | 'updateAll'>

/**
 * Returns the step that gives the entries of a project another name; if that is a project already, the two become one.
 * Undo gives the old name back to the entries that still have the new one. A step that is cut off is completed by
 * repeating it.
 */
export function stepOfRename(entries: Entries, from: string, to: string): Step {
  const renamed = new Set<RecordId>()
  return {
    async make(onQueued) {
      for (const id of await idsOf(entries, from)) renamed.add(id)
      await setProject(entries, [...renamed], to)
      onQueued()
    },
    async takeBack() {
      const ids = await idsOf(entries, to)
      await setProject(
        entries,
        ids.filter((id) => renamed.has(id)),
        from,
      )
    },
  }
}

async function idsOf(entries: Entries, project: string): Promise<RecordId[]> {
  const rows = await entries.all().read()
  return rows.filter(({ record }) => record.project === project).map(({ record }) => record.id)
}

async function setProject(entries: Entries, ids: readonly RecordId[], project: string): Promise<void> {
  for (let at = 0; at < ids.length; at += ENTRIES_PER_STEP) {
    await entries.updateAll(ids.slice(at, at + ENTRIES_PER_STEP), { project })
  }
}
