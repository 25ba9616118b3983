import { contentOf, type Entry, type EntryContent, instantOf, type RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { aWork } from '../../../test/records.ts'
import { type Change, makeChanges } from './changes.ts'

const NEW: RecordId = '00000000-0000-4000-8000-0000000000ff'

/** Entries as the client keeps them, as far as changes go. */
function shelf(records: Entry[]) {
  const kept = new Map(records.map((record) => [record.id, contentOf(record)]))
  return {
    kept,
    async create(content: EntryContent, { id = NEW } = {}) {
      kept.set(id, content)
      return { id, result: 'queued' as const }
    },
    async update(id: RecordId, patch: Partial<EntryContent>) {
      kept.set(id, { ...kept.get(id), ...patch } as EntryContent)
      return 'queued' as const
    },
    async delete(id: RecordId) {
      kept.delete(id)
      return 'queued' as const
    },
  }
}

test('undo reverts creates, updates and deletes', async () => {
  const [kept, gone] = [aWork(0, 1_000, { note: 'a' }), aWork(2_000, 3_000)]
  const entries = shelf([kept, gone])
  const before = structuredClone(entries.kept)
  const changes: Change[] = [
    { op: 'update', record: kept, patch: { note: 'b', ended_at: instantOf(1_500) } },
    { op: 'delete', record: gone },
    { op: 'create', content: contentOf(aWork(5_000, null)) },
  ]
  const { settled, takeBack } = makeChanges(entries, changes, () => NEW)
  await settled
  expect([...entries.kept.keys()]).toEqual([kept.id, NEW])
  expect(entries.kept.get(kept.id)).toMatchObject({ note: 'b' })
  await takeBack()
  expect(entries.kept).toEqual(before)
})
