import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edit, held, START_MS } from '../../test/arbitraries.ts'
import type { Pending } from '../engine/outbox.ts'
import { queue } from '../engine/outbox.ts'
import { show } from './shown-records.ts'

const pending = edit.map((one) => queue(undefined, one, true, START_MS) as Pending)

test('[D7.11] what is pending lies over what the service has, and undoing it shows that again', () => {
  fc.assert(
    fc.property(fc.option(held, { nil: undefined }), pending, (base, row) => {
      const shown = show(base, row)
      if (row.content === null) expect(shown).toBeUndefined()
      else expect(shown).toMatchObject({ pending: true, record: { ...row.content, updated_at: row.updatedAt } })
      const undone = show(base, undefined)
      expect(undone?.record ?? null).toEqual(base?.record ? { created_at: base.updatedAt, ...base.record } : null)
    }),
  )
})
