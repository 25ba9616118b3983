import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseRecords, changes, START_MS } from '../../test/arbitraries.ts'
import type { BaseRecord, OutboxRow } from '../store/rows.ts'
import { rowAfterChange } from './outbox.ts'
import { showRecord } from './shown-record.ts'

const pending = changes.map(
  (one) => rowAfterChange(undefined, one, { mayBeStored: true, nowMs: START_MS }) as OutboxRow,
)

test('[D7.11] an unsent change keeps version and creation time of its base record; a new record has its own', () => {
  fc.assert(
    fc.property(fc.option(baseRecords, { nil: undefined }), pending, (base, row) => {
      fc.pre(row.content !== null)
      const created_at = '2020-01-01T00:00:00.000Z'
      const known = base?.record && { ...base, record: { ...base.record, created_at } }
      const shown = showRecord(known ?? undefined, row)?.record
      expect(shown?.created_at).toBe(known ? created_at : row.updatedAt)
      expect(shown?.version).toBe(known?.version)
    }),
  )
})

test('[D7.28] a record that this program cannot read is not shown, and a closed week gets no creation time', () => {
  const base: BaseRecord = {
    kind: 'closed_weeks',
    id: '00000000-0000-4000-8000-000000000001',
    version: 1,
    updatedAt: '2026-11-21T08:00:00.000Z',
    record: { week: '2026-W47' },
    unconfirmed: false,
  }
  expect(showRecord(base, undefined)).toEqual({ record: { week: '2026-W47' }, pending: false })
  expect(showRecord({ ...base, isUnreadable: true }, undefined)).toBeUndefined()
})

test('[D7.11] an unsent change covers the base record, and undoing it shows the base record again', () => {
  fc.assert(
    fc.property(fc.option(baseRecords, { nil: undefined }), pending, (base, row) => {
      const shown = showRecord(base, row)
      if (row.content === null) expect(shown).toBeUndefined()
      else expect(shown).toMatchObject({ pending: true, record: { ...row.content, updated_at: row.updatedAt } })
      const undone = showRecord(base, undefined)
      expect(undone?.record ?? null).toEqual(base?.record ? { created_at: base.updatedAt, ...base.record } : null)
    }),
  )
})
