import { aWork } from '@saldo/client/testing'
import type { Entry, EntryContent, RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { stepOfRename } from './rename-project.ts'

/** Entries as the client keeps them, as far as a rename goes. */
function shelf(records: readonly Entry[]) {
  const kept = new Map(records.map((record) => [record.id, record]))
  const counts: number[] = []
  const read = async () => [...kept.values()].map((record) => ({ record, pending: false }))
  return {
    counts,
    change: (id: RecordId, patch: Partial<EntryContent>) => kept.set(id, { ...kept.get(id), ...patch } as Entry),
    projects: () => [...kept.values()].map(({ project }) => project),
    all: () => ({ read, subscribe: () => () => {} }),
    async updateAll(ids: readonly RecordId[], patch: Partial<EntryContent>) {
      counts.push(ids.length)
      for (const id of ids) this.change(id, patch)
    },
  }
}

test('a merge gives the entries of a project the name of another, and its undo divides them again', async () => {
  const entries = shelf([aWork(0, 1, { project: 'Old' }), aWork(1, 2, { project: 'New' }), aWork(2, 3)])
  const { make, takeBack } = stepOfRename(entries, 'Old', 'New')
  await make(() => {})
  expect(entries.projects()).toEqual(['New', 'New', null])
  await takeBack()
  expect(entries.projects()).toEqual(['Old', 'New', null])
})

test('undo leaves an entry alone whose project changed after the rename', async () => {
  const [first, second] = [aWork(0, 1, { project: 'Old' }), aWork(1, 2, { project: 'Old' })]
  const entries = shelf([first, second])
  const { make, takeBack } = stepOfRename(entries, 'Old', 'New')
  await make(() => {})
  entries.change(first.id, { project: 'Other' })
  await takeBack()
  expect(entries.projects()).toEqual(['Other', 'Old'])
})

test('many entries are rewritten in several steps', async () => {
  const entries = shelf(Array.from({ length: 1_234 }, (_, at) => aWork(at, at + 1, { project: 'Old' })))
  await stepOfRename(entries, 'Old', 'New').make(() => {})
  expect(entries.counts).toEqual([500, 500, 234])
  expect(new Set(entries.projects())).toEqual(new Set(['New']))
})
