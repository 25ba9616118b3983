import { expect, test } from 'vitest'
import { forgetUndo, offerUndo } from './undo-stack.ts'

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
