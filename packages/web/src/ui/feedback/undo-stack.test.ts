import { expect, test } from 'vitest'
import { forgetUndo, offerUndo } from './undo-stack.ts'

test('steps are taken back once, the newest first, or the one that is named', async () => {
  const done: string[] = []
  const [, b] = ['a', 'b', 'c'].map((name) => offerUndo(async () => done.push(name)))
  await forgetUndo(b)?.()
  expect(forgetUndo(b)).toBeUndefined()
  await forgetUndo()?.()
  await forgetUndo()?.()
  expect(forgetUndo()).toBeUndefined()
  expect(done).toEqual(['b', 'c', 'a'])
})
