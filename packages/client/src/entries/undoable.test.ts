import { anAbsence, aWork } from '@saldo/client/testing'
import { contentOf, type Entry, type EntryContent, instantOf, type RecordId } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Saldo } from '../api/saldo.ts'
import { pendingMutation } from '../testing.ts'
import { type EntryMutation, haveChangedSince, undoableMutations } from './undoable.ts'

const NEW: RecordId = '00000000-0000-4000-8000-0000000000ff'

const NOTED = aWork(0, 1_000, { note: 'a' })
const RENOTED: Entry = { ...NOTED, note: 'b' }
const TAGGED: Entry = { ...RENOTED, tags: ['t'] }

/** Entries as the client keeps them, as far as changes go. */
function shelf(records: Entry[]) {
  const kept = new Map(records.map((record) => [record.id, contentOf(record)]))
  const counts: number[] = []
  return {
    kept,
    /** The numbers of changes that were queued together. */
    counts,
    async queueAll(changes: Parameters<Saldo['entries']['queueAll']>[0]) {
      counts.push(changes.length)
      for (const change of changes) {
        if ('patch' in change) {
          if (kept.has(change.id)) await this.update(change.id, change.patch as Partial<EntryContent>).settled
        } else if (change.content) kept.set(change.id, change.content as EntryContent)
        else kept.delete(change.id)
      }
    },
    create(content: EntryContent, { id = NEW }: { id?: RecordId } = {}) {
      kept.set(id, content)
      return pendingMutation({ id, result: 'queued' as const })
    },
    update(id: RecordId, patch: Partial<EntryContent>) {
      kept.set(id, { ...kept.get(id), ...patch } as EntryContent)
      return pendingMutation('queued' as const)
    },
    delete(id: RecordId) {
      kept.delete(id)
      return pendingMutation('queued' as const)
    },
  }
}

test('undo reverts creates, updates and deletes', async () => {
  const [kept, gone] = [aWork(0, 1_000, { note: 'a' }), aWork(2_000, 3_000)]
  const entries = shelf([kept, gone])
  const before = structuredClone(entries.kept)
  const changes: EntryMutation[] = [
    { op: 'update', record: kept, patch: { note: 'b', ended_at: instantOf(1_500) } },
    { op: 'delete', record: gone },
    { op: 'create', content: contentOf(aWork(5_000, null)) },
  ]
  const { make, takeBack } = undoableMutations(entries, changes, () => NEW)
  await make().settled
  expect([...entries.kept.keys()]).toEqual([kept.id, NEW])
  expect(entries.kept.get(kept.id)).toMatchObject({ note: 'b' })
  await takeBack()
  expect(entries.kept).toEqual(before)
})

test('an edit and its undo leave every other field as it is by then', async () => {
  const text = fc.constantFrom('', 'a', 'b', 'c')
  const edit = fc.record(
    { note: text, project: text, tags: fc.constantFrom<string[]>([], ['a'], ['b', 'c']) },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(edit, edit, edit, fc.boolean(), async (own, early, late, isWhole) => {
      const record = aWork(0, 1_000, { note: 'a', project: 'a', tags: ['a'] })
      const entries = shelf([record])
      // Another device changes the record while the editor is open, and again before the undo.
      await entries.update(record.id, early).settled
      const opened = contentOf(record)
      const patch = isWhole ? { ...opened, ...own } : own
      const edited = Object.fromEntries(
        Object.entries(own).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(record[field])),
      )
      const { make, takeBack } = undoableMutations(entries, [{ op: 'update', record, patch }], () => NEW)
      await make().settled
      expect(entries.kept.get(record.id)).toEqual({ ...opened, ...early, ...edited })
      await entries.update(record.id, late).settled
      await takeBack()
      const reverted = Object.fromEntries(Object.keys(edited).map((field) => [field, record[field]]))
      expect(entries.kept.get(record.id)).toEqual({ ...opened, ...early, ...edited, ...late, ...reverted })
    }),
  )
})

const creation: EntryMutation = { op: 'create', content: contentOf(NOTED), id: NOTED.id }

test.each<[string, EntryMutation, Entry[]]>([
  ['a new entry that is as it was made', creation, [NOTED]],
  ['a new entry that is gone', creation, []],
  ['an edit whose field is as it made it', { op: 'update', record: NOTED, patch: { note: 'b' } }, [RENOTED]],
  ['an edit beside one of another field', { op: 'update', record: NOTED, patch: { ...NOTED, tags: ['t'] } }, [TAGGED]],
  ['a deleted entry that is gone', { op: 'delete', record: NOTED }, []],
])('undo would lose no later change of %s', (_, mutation, entries) => {
  expect(haveChangedSince([mutation], entries)).toBe(false)
})

test.each<[string, EntryMutation, Entry[]]>([
  ['a new entry with another note', creation, [RENOTED]],
  ['an edit whose field was edited since', { op: 'update', record: RENOTED, patch: { note: 'c' } }, [NOTED]],
  ['a deleted entry that somebody brought back', { op: 'delete', record: NOTED }, [RENOTED]],
])('undo would lose a later change of %s', (_, mutation, entries) => {
  expect(haveChangedSince([mutation], entries)).toBe(true)
})

test('a new entry that brings its id is created and taken back under it', async () => {
  const entries = shelf([])
  const id: RecordId = '00000000-0000-4000-8000-0000000000fe'
  const { make, takeBack } = undoableMutations(
    entries,
    [{ op: 'create', content: contentOf(aWork(0, 1)), id }],
    () => NEW,
  )
  await make().settled
  expect([...entries.kept.keys()]).toEqual([id])
  await takeBack()
  expect(entries.kept.size).toBe(0)
})

test('many changes are queued in several transactions, and so is their undo', async () => {
  const records = Array.from({ length: 1_234 }, (_, at) => aWork(at, at + 1, { project: 'Old' }))
  const entries = shelf(records)
  const changes = records.map((record): EntryMutation => ({ op: 'update', record, patch: { project: 'New' } }))
  const { make, takeBack } = undoableMutations(entries, changes, () => NEW)
  const projects = () => [...new Set([...entries.kept.values()].map(({ project }) => project))]
  const countsWhenQueued: number[] = []
  await make().queued.then(() => countsWhenQueued.push(...entries.counts))
  expect([countsWhenQueued, projects()]).toEqual([[500, 500, 234], ['New']])
  await takeBack()
  expect([entries.counts.slice(3), projects()]).toEqual([[500, 500, 234], ['Old']])
})

test('undo gives work that became a day of absence its times back', async () => {
  const record = aWork(0, 1_000, { note: 'a' })
  const entries = shelf([record])
  const absence = contentOf(anAbsence('sick', '2026-11-20'))
  const { make, takeBack } = undoableMutations(entries, [{ op: 'update', record, patch: absence }], () => NEW)
  await make().settled
  // The client keeps the fields of the new kind alone.
  entries.kept.set(record.id, absence)
  await takeBack()
  expect(entries.kept.get(record.id)).toMatchObject(contentOf(record))
})

test('an edit of the size of an absence carries both of its fields, whatever else is edited', async () => {
  const record = anAbsence('sick', '2026-11-20', 0.5)
  const { id } = record
  const mutations: unknown[] = []
  const entries = { ...shelf([record]), update: (_: RecordId, patch: object) => pendingMutation(mutations.push(patch)) }
  const patches = [
    { day_share: null, amount_ms: 3_600_000 },
    { day_share: 0.25, amount_ms: null, note: 'flu' },
    { day_share: 0.5, amount_ms: null, note: 'flu' },
  ]
  for (const patch of patches) {
    await undoableMutations(entries as never, [{ op: 'update', record, patch }], () => id).make().settled
  }
  expect(mutations).toEqual([patches[0], patches[1], { note: 'flu' }])
})

test('a single change is sent directly, tells when it is queued, and fails as the service rejects it', async () => {
  const record = aWork(0, 1_000)
  const calls: string[] = []
  const send = (op: string) => () => {
    calls.push(op)
    const { promise, reject } = Promise.withResolvers<never>()
    return { queued: Promise.resolve().then(() => reject(new Error(`${op} was rejected`))), settled: promise }
  }
  const queueAll = async () => void calls.push('queueAll')
  const entries = { create: send('create'), update: send('update'), delete: send('delete'), queueAll } as never
  const changes: EntryMutation[] = [
    { op: 'create', content: contentOf(record) },
    { op: 'update', record, patch: { note: 'b' } },
    { op: 'delete', record },
  ]
  for (const change of changes) {
    const { queued, settled } = undoableMutations(entries, [change], () => NEW).make()
    await Promise.all([queued, expect(settled).rejects.toThrow(`${change.op} was rejected`)])
  }
  expect(calls).toEqual(['create', 'update', 'delete'])
  await undoableMutations(entries, [], () => NEW).make().queued
  expect(calls).toHaveLength(3)
})
