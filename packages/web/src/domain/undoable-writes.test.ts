import { anAdjustment, pendingMutation } from '@saldo/client/testing'
import { contentOf, HOUR_MS, type RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { undoableDeletion, undoableSaving, undoableWrite } from './undoable-writes.ts'

const ID: RecordId = '00000000-0000-4000-8000-000000000001'

/** A collection of at most one record, which has the id `ID`. */
function shelf<C>(before: C | undefined) {
  let kept = before
  const none = (is: boolean) => {
    if (is !== (kept === undefined)) throw new RangeError('the record is there, or not')
  }
  const collection = {
    create(content: C, { id }: { id: RecordId }) {
      none(true)
      expect(id).toBe(ID)
      kept = content
      return pendingMutation('queued' as const)
    },
    update(id: RecordId, content: C) {
      none(false)
      expect(id).toBe(ID)
      kept = content
      return pendingMutation('queued' as const)
    },
    delete(id: RecordId) {
      none(false)
      expect(id).toBe(ID)
      kept = undefined
      return pendingMutation('queued' as const)
    },
  }
  return { collection, kept: () => kept }
}

test.each([
  ['a new record', undefined, 'new'],
  ['a changed record', 'old', 'new'],
  ['a deleted record', 'old', undefined],
])('%s is as wanted after a step, and as before after its undo', async (_, before, after) => {
  const { collection, kept } = shelf(before)
  const step = undoableWrite(collection, ID, before, after)
  await step.make().queued
  expect(kept()).toEqual(after)
  await step.takeBack()
  expect(kept()).toEqual(before)
})

test('undo restores an edited record, deletes a created one, and brings a deleted one back', async () => {
  const record = { ...anAdjustment('2026-11-20', HOUR_MS), id: ID }
  const before = contentOf(record)
  const after = { ...before, reason: 'other' }
  const noId = () => {
    throw new Error('a record has an id')
  }
  const steps = [
    {
      at: shelf(before),
      make: (at: ReturnType<typeof shelf<object>>) => undoableSaving(at.collection, record, after, noId),
    },
    { at: shelf(before), make: (at: ReturnType<typeof shelf<object>>) => undoableDeletion(at.collection, record) },
  ]
  const results = [after, undefined]
  for (const [index, { at, make }] of steps.entries()) {
    const step = make(at)
    await step.make().settled
    expect(at.kept()).toEqual(results[index])
    await step.takeBack()
    expect(at.kept()).toEqual(before)
  }
  const none = shelf<object>(undefined)
  const creation = undoableSaving(none.collection, undefined, after, () => ID)
  await creation.make().settled
  expect(none.kept()).toEqual(after)
  await creation.takeBack()
  expect(none.kept()).toBeUndefined()
})
