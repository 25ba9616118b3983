import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseRecords, changes, START_MS } from '../../test/arbitraries.ts'
import type { OutboxRow } from '../store/rows.ts'
import { enqueue } from './outbox.ts'
import { showRecord } from './shown-record.ts'

const pending = changes.map((one) => enqueue(undefined, one, true, START_MS) as OutboxRow)

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
