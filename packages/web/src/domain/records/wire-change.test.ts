import { expect, test } from 'vitest'
import { readWireChange } from './wire-change.ts'

const times = { started_at: '2026-11-27T07:00:00.000Z', ended_at: '2026-11-27T10:00:00.000Z' }
const change = { kind: 'entries', op: 'upsert', record: { id: 'a', kind: 'work', ...times } }

test('[D28.2] a proposal leaves fields that it does not name as the record has them, or as a new one has', () => {
  const present = { kind: 'work', ...times, ended_at: null, note: 'mine', tags: ['a'], project: 'Falcon' }
  expect(readWireChange(change, present)?.content).toMatchObject({ ...times, note: 'mine', tags: ['a'] })
  expect(readWireChange(change, null)?.content).toMatchObject({ ...times, note: '', tags: [], project: null })
})

test('a deletion has no content, and what is no change of this app is not read', () => {
  expect(readWireChange({ kind: 'entries', op: 'delete', id: 'a' }, null)).toEqual({ kind: 'entries', content: null })
  const others = [
    null,
    {},
    { ...change, kind: 'moods' },
    { ...change, record: { kind: 'work' } },
    { ...change, record: 1 },
  ]
  for (const other of others) expect(readWireChange(other, null)).toBeUndefined()
})
