import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { delayedActs } from './delayed-acts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is not brought back in time goes through, what is brought back never does', async () => {
  const held = delayedActs(1_000)
  const gone: string[] = []
  const bringBack = held.hold('a', async () => gone.push('a'))
  held.hold('b', async () => gone.push('b'))
  expect([held.has('a'), held.has('b')]).toEqual([true, true])
  await vi.advanceTimersByTimeAsync(900)
  bringBack()
  expect(held.has('a')).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(gone).toEqual(['b'])
  expect(held.has('b')).toBe(false)
})
