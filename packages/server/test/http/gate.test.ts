import { expect, test } from 'vitest'
import { Gate } from '../../src/gate.ts'

test('[D1.29] leaving a place twice frees one place only, whether somebody waits for it or not', async () => {
  const gate = new Gate(2)
  const [leave] = [await gate.enter('ada'), await gate.enter('ada')]
  leave()
  leave()
  await gate.enter('ada')
  void gate.enter('ada')
  void gate.enter('ada')
  expect(gate.waiting('ada')).toBe(2)

  const narrow = new Gate(1)
  const leaveNarrow = await narrow.enter('ada')
  const waiting = [narrow.enter('ada'), narrow.enter('ada')]
  leaveNarrow()
  leaveNarrow()
  const next = await waiting[0]
  expect(narrow.waiting('ada')).toBe(1)
  next?.()
  await waiting[1]
  expect([narrow.waiting('ada'), narrow.waiting('grace')]).toEqual([0, 0])
})
