import type { RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { stepOfRecord } from './record-steps.ts'

const ID: RecordId = '00000000-0000-4000-8000-000000000001'

test.each([
  ['a new record', undefined, 'new'],
  ['a changed record', 'old', 'new'],
  ['a deleted record', 'old', undefined],
])('%s is as wanted after a step, and as before after its undo', async (_, before, after) => {
  let kept = before
  const none = (is: boolean) => {
    if (is !== (kept === undefined)) throw new RangeError('the record is there, or not')
  }
  const collection = {
    async create(content: string, { id, onQueued }: { id: RecordId; onQueued: () => void }) {
      none(true)
      expect(id).toBe(ID)
      kept = content
      onQueued()
    },
    async update(id: RecordId, content: string, { onQueued }: { onQueued: () => void }) {
      none(false)
      expect(id).toBe(ID)
      kept = content
      onQueued()
    },
    async delete(id: RecordId, { onQueued }: { onQueued: () => void }) {
      none(false)
      expect(id).toBe(ID)
      kept = undefined
      onQueued()
    },
  }
  const step = stepOfRecord(collection, ID, before, after)
  let queued = 0
  await step.make(() => {
    queued += 1
  })
  expect([kept, queued]).toEqual([after, 1])
  await step.takeBack()
  expect([kept, queued]).toEqual([before, 1])
})
