import { aWork } from '@saldo/client/testing'
import { HOUR_MS, type Interval, instantOf, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { changesOfForm, editedEntryOf, newWork } from './edited-entry.ts'
import { type EntryValues, entryValuesOf } from './entry-form.ts'

const zone = 'Europe/Berlin'
const midnight = Date.parse('2026-11-18T23:00:00Z')
const span: Interval = { start: midnight + 9 * HOUR_MS, end: midnight + 17 * HOUR_MS }
const created = newWork(span, zone)
const form = (changed: Partial<EntryValues> = {}) => ({ ...entryValuesOf(created.content, zone), ...changed })

test('a new entry is created', () => {
  expect(changesOfForm(form({ note: 'Call' }), created, zone)).toEqual({
    ok: true,
    changes: [{ op: 'create', content: { ...created.content, note: 'Call' } }],
    again: { content: { ...created.content, note: 'Call' } },
  })
})

test('a stored entry is changed', () => {
  const record = aWork(span.start, span.end)
  const edited = editedEntryOf(record)
  const wanted = changesOfForm({ ...entryValuesOf(edited.content, zone), note: 'Call' }, edited, zone)
  expect(wanted).toMatchObject({ changes: [{ op: 'update', record, patch: { note: 'Call' } }] })
  // Otherwise, saving it again would create a second entry.
  expect(wanted).toMatchObject({ again: { record, content: { note: 'Call' } } })
})

test('a break is created with its work, and has to fit', () => {
  const noon = { started_at: instantOf(midnight + 12 * HOUR_MS), ended_at: instantOf(midnight + 12.5 * HOUR_MS) }
  const wanted = changesOfForm(form({ breakMs: 30 * MINUTE_MS }), created, zone)
  expect(wanted).toMatchObject({
    changes: [
      { op: 'create', content: { kind: 'work' } },
      { op: 'create', content: { kind: 'break', ...noon } },
    ],
  })
  expect(changesOfForm(form({ breakMs: 8 * HOUR_MS }), created, zone)).toEqual({ ok: false, problem: 'break' })
  expect(changesOfForm(form({ end: '' }), created, zone)).toEqual({ ok: false, problem: 'noTime' })
})
