import { anAdjustment, pendingMutation } from '@saldo/client/testing'
import { contentOf, HOUR_MS, type RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { undoableDeletion, undoableSaving, undoableWrite } from './undoable-writes.ts'

const ID: RecordId = '00000000-0000-4000-8000-000000000001'

/** A collection of at most one record, which has the id `ID`. */
function shelf<C extends object>(before: C | undefined) {
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
    all: () => ({ read: () => Promise.resolve(kept === undefined ? [] : [{ record: { ...kept, id: ID } } as never]) }),
  }
  const changeElsewhere = (content: C | undefined) => {
    kept = content
  }
  return { collection, kept: () => kept, changeElsewhere }
}

const [OLD, NEW, OTHER] = [{ reason: 'old' }, { reason: 'new' }, { reason: 'other' }]

test.each([
  ['a new record', undefined, NEW],
  ['a changed record', OLD, NEW],
  ['a deleted record', OLD, undefined],
])('%s is as wanted after a step, and as before after its undo', async (_, before, after) => {
  const { collection, kept } = shelf(before)
  const step = undoableWrite(collection, ID, before, after)
  await step.make().queued
  expect(kept()).toEqual(after)
  await step.takeBack()
  expect(kept()).toEqual(before)
})

test.each([
  ['a new record that was edited', undefined, NEW, OTHER],
  ['a changed record that was edited', OLD, NEW, OTHER],
  ['a changed record that is gone', OLD, NEW, undefined],
  ['a deleted record that is back', OLD, undefined, OLD],
])('what another device has done since is known: %s', async (_, before, after, since) => {
  const { collection, changeElsewhere } = shelf(before)
  const step = undoableWrite(collection, ID, before, after)
  await step.make().queued
  expect(await step.hasChanged()).toBe(false)
  changeElsewhere(since)
  expect(await step.hasChanged()).toBe(true)
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
      at: shelf<object>(before),
      make: (at: ReturnType<typeof shelf<object>>) => undoableSaving(at.collection, record, after, noId),
    },
    {
      at: shelf<object>(before),
      make: (at: ReturnType<typeof shelf<object>>) => undoableDeletion(at.collection, record),
    },
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
