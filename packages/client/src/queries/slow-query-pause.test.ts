import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Listeners } from '../store/listeners.ts'
import type { Changed, LocalStore } from '../store/store.ts'
import { pauseDuringBulkPush } from './slow-query-pause.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

/** A store with unsent changes. */
function storeWith(unsent: number) {
  const listeners = new Listeners<[ReadonlySet<Changed>]>()
  const pause = pauseDuringBulkPush({
    read: (async () => unsent) as LocalStore['read'],
    subscribe: (listener) => listeners.add(listener),
  })
  /** Returns a function that tells whether the pause of a query that took `tookMs` is over. */
  const begin = (tookMs: number) => {
    let isOver = false
    void pause(tookMs).then(() => {
      isOver = true
    })
    return () => isOver
  }
  /** Lets the store change for some time. */
  const change = async (forMs: number) => {
    for (let passedMs = 0; passedMs < forMs; passedMs += 400) {
      listeners.call(new Set())
      await vi.advanceTimersByTimeAsync(400)
    }
  }
  return { begin, change }
}

test('a slow query pauses while many changes wait, until the store has not changed for half a second', async () => {
  const { begin, change } = storeWith(1_000)
  const isOver = begin(60)
  await change(2_000)
  expect(isOver()).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isOver()).toBe(true)
})

test('a pause ends after ten seconds of changes, or after nine times what the query took', async () => {
  for (const [tookMs, maxMs] of [
    [60, 10_000],
    [2_000, 18_000],
  ] as const) {
    const { begin, change } = storeWith(1_000)
    const isOver = begin(tookMs)
    await change(maxMs - 1_000)
    expect(isOver()).toBe(false)
    await change(2_000)
    expect(isOver()).toBe(true)
  }
})

test('slow queries of a store go on together', async () => {
  const { begin, change } = storeWith(1_000)
  const isFirstOver = begin(60)
  await change(8_000)
  const isOtherOver = begin(60)
  await change(2_000)
  await change(400)
  expect([isFirstOver(), isOtherOver()]).toEqual([true, true])
})

test.each([
  ['a fast query', 50, 1_000],
  ['a query while few changes wait', 60, 999],
])('%s does not pause', async (_what, tookMs, unsent) => {
  const { begin, change } = storeWith(unsent)
  const isOver = begin(tookMs)
  await change(400)
  expect(isOver()).toBe(true)
})
