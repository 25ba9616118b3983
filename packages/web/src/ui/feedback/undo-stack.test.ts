import { expect, test } from 'vitest'
import { forgetUndo, offerUndo } from './undo-stack.ts'

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
