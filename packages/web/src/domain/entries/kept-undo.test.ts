import { aWork } from '@saldo/client/testing'
import { expect, test } from 'vitest'
import { type KeptChanges, textToKeep } from './kept-undo.ts'

const kept = (id: number, note = ''): KeptChanges => ({
  id: String(id),
  changes: [{ op: 'delete', record: aWork(0, 1, { note }) }],
})
const idsIn = (all: readonly KeptChanges[]) => (JSON.parse(textToKeep(all)) as KeptChanges[]).map(({ id }) => id)

test('the newest changes are kept for after a reload, as far as they fit', () => {
  const many = Array.from({ length: 25 }, (_, id) => kept(id))
  expect(idsIn(many)).toEqual(many.slice(5).map(({ id }) => id))
  const long = 'x'.repeat(3_000_000)
  expect(idsIn([kept(1, long), kept(2, long)])).toEqual(['2'])
  expect(idsIn([kept(1, long + long)])).toEqual([])
})
