import { DAY_MS, HOUR_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/manual-clock.ts'
import { alwaysThere, type Surrounding } from '../host/environment.ts'
import type { LocalStore, TableName } from '../store/store.ts'
import { pollMs, startPolling } from './polling.ts'

function polling() {
  const clock = new ManualClock()
  const page = { isVisible: true, tell: (_what: Surrounding) => {} }
  let changed = (_tables: ReadonlySet<TableName>) => {}
  let polls = 0
  const stop = startPolling({
    clock,
    store: {
      subscribe(listener: typeof changed) {
        changed = listener
        return () => {}
      },
    } as LocalStore,
    surroundings: {
      ...alwaysThere,
      isVisible: () => page.isVisible,
      subscribe(listener) {
        page.tell = listener
        return () => {}
      },
    },
    isLive: () => false,
    poll: () => {
      polls += 1
    },
  })
  return { clock, page, stop, changed: (table: TableName) => changed(new Set([table])), polls: () => polls }
}

test('[D7.47] a device that nobody looks at never polls, and one that is looked at again does', () => {
  const { clock, page, polls } = polling()
  page.isVisible = false
  page.tell('hidden')
  clock.pass(DAY_MS)
  expect(polls()).toBe(0)
  page.isVisible = true
  page.tell('visible')
  clock.pass(pollMs(0, false))
  expect(polls()).toBe(1)
})

test('[D7.47] polls come less often while nothing is new, and as often as at first after something was', () => {
  const { clock, polls, changed } = polling()
  clock.pass(HOUR_MS)
  const quiet = polls()
  expect(quiet).toBeLessThan(20)
  changed('meta')
  clock.pass(pollMs(0, false))
  expect(polls() - quiet).toBeLessThanOrEqual(1)
  changed('held')
  const before = polls()
  clock.pass(pollMs(0, false))
  expect(polls() - before).toBe(1)
})

test('[D7.47] what is stopped polls no more', () => {
  const { clock, polls, stop } = polling()
  stop()
  clock.pass(HOUR_MS)
  expect(polls()).toBe(0)
})

test('[D7.47] the wait grows with the quiet, within bounds, and is the longest where the service tells by itself', () => {
  fc.assert(
    fc.property(fc.nat(40), (quiet) => {
      expect(pollMs(quiet + 1, false)).toBeGreaterThanOrEqual(pollMs(quiet, false))
      expect(pollMs(quiet, false)).toBeGreaterThanOrEqual(30_000)
      expect(pollMs(quiet, true)).toBe(300_000)
      expect(pollMs(quiet, false)).toBeLessThanOrEqual(300_000)
    }),
  )
})
