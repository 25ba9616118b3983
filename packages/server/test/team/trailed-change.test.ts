import type { RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { trailedChange } from '../../src/team/trailed-change.ts'

test('[D29.3] a trail has times and figures of a change, and of its texts only that they changed', () => {
  const id = 'a' as RecordId
  const before = {
    content: { kind: 'work', started_at: 'a', ended_at: 'b', note: 'secret', tags: ['x'], project: 'p' },
  }
  const change = { kind: 'entries', id, content: { ...before.content, ended_at: 'c', note: 'other' } } as const
  expect(trailedChange(change, before)).toEqual({
    ...{ record: 'entries', id, texts_changed: true },
    before: { kind: 'work', started_at: 'a', ended_at: 'b' },
    after: { kind: 'work', started_at: 'a', ended_at: 'c' },
  })
  expect(trailedChange({ ...change, content: null }, before)).toMatchObject({ after: null, texts_changed: false })
})

test('[D29.3] a trail has no field that the service does not know, whatever it is called', () => {
  const id = '00000000-0000-4000-8000-000000000001' as RecordId
  const figuresOf = (kind: 'entries' | 'settings_history', content: object) =>
    trailedChange({ kind, id, content } as Parameters<typeof trailedChange>[0], undefined).after
  const times = { kind: 'work', started_at: 'a', ended_at: 'b' }
  expect(figuresOf('entries', { ...times, days: 'words', date: { more: 'words' } })).toEqual(times)
  expect(figuresOf('entries', { kind: 'sick', date: 'a', started_at: 'words' })).toEqual({ kind: 'sick', date: 'a' })
  const rule = { worked_above_ms: 1, required_ms: 2 }
  const hours = { effective_from: 'a', target_ms: [0] }
  expect(
    figuresOf('settings_history', {
      ...hours,
      break_policy: { rules: [{ ...rule, x: 'words' }], min_piece_ms: 0, x: 'words' },
    }),
  ).toEqual({ ...hours, break_policy: { rules: [rule], min_piece_ms: 0 } })
  expect(figuresOf('settings_history', { ...hours, break_policy: null })).toEqual({ ...hours, break_policy: null })
})
