import { afterEach, describe, expect, test } from 'vitest'
import { beginWork, forgetAllUndo, forgetUndo, offerUndo } from './undo-stack.ts'

test('the last fifty steps can be undone', () => {
  const steps = Array.from({ length: 51 }, () => offerUndo(async () => {}))
  const undone = Array.from({ length: 51 }, () => forgetUndo())
  expect(undone).toEqual([...steps.slice(1).toReversed(), undefined])
})

test('each step is undone once: a given step, or the newest', async () => {
  const done: string[] = []
  const [, b] = ['a', 'b', 'c'].map((name) => offerUndo(async () => done.push(name)))
  await forgetUndo(b)?.()
  expect(forgetUndo(b)).toBeUndefined()
  await forgetUndo()?.()
  await forgetUndo()?.()
  expect(forgetUndo()).toBeUndefined()
  expect(done).toEqual(['b', 'c', 'a'])
})

describe('work that can be undone', () => {
  const undone: string[] = []
  afterEach(() => undone.splice(0))
  /** Begins work that the test ends. */
  function begin(name = 'it') {
    const worked = Promise.withResolvers<boolean>()
    const queued = Promise.withResolvers<void>()
    const begun = beginWork(queued.promise, worked.promise, async () => undone.push(name))
    const fail = () => {
      queued.reject(new Error('the store is full'))
      worked.resolve(false)
    }
    return { ...begun, queue: queued.resolve, end: worked.resolve, fail }
  }

  test('is undone at once after it is kept, before the service has answered', async () => {
    const { kept, undo, queue, end, done } = begin()
    queue()
    expect(await kept).toBe(true)
    await undo()
    expect(undone).toEqual(['it'])
    end(true)
    expect(await done).toBe(true)
  })

  test('waits with an undo until it is kept', async () => {
    const { queue, undo } = begin()
    const going = forgetUndo()?.()
    await new Promise(setImmediate)
    expect(undone).toEqual([])
    queue()
    await going
    await undo()
    expect(undone).toEqual(['it'])
  })

  test('is undone by its own message, though other work began after it', async () => {
    const [first, second] = [begin('first'), begin('second')]
    first.queue()
    second.queue()
    await first.undo()
    expect(undone).toEqual(['first'])
    await forgetUndo()?.()
    expect(undone).toEqual(['first', 'second'])
  })

  test('is not undone if it fails, and leaves the step before it to be undone next', async () => {
    const before = offerUndo(async () => {})
    const early = begin()
    const going = early.undo()
    early.fail()
    await going
    const late = begin()
    late.queue()
    late.end(false)
    expect([await early.kept, await early.done, await late.done, undone]).toEqual([false, false, false, []])
    expect(forgetUndo()).toBe(before)
  })
})

test('after signing out, nothing of the last user can be undone', async () => {
  const undone: string[] = []
  offerUndo(async () => undone.push('deleted'))
  forgetAllUndo()
  expect(forgetUndo()).toBeUndefined()
  expect(undone).toEqual([])
})
