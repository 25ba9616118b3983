import { DAY_MS, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/manual-clock.ts'
import { type HostEvent, headlessEnvironment } from '../host/environment.ts'
import type { LocalStore, TableName } from '../store/store.ts'
import { pollDelayMs, startPolling } from './polling.ts'

function polling() {
  const clock = new ManualClock()
  const page = { isVisible: true, tell: (_event: HostEvent) => {} }
  let changed = (_tables: ReadonlySet<TableName>) => {}
  let polls = 0
  const stop = startPolling({
    clock,
    store: {
      subscribe(listener: typeof changed) {
        changed = listener
        return () => {
          changed = () => {}
        }
      },
    } as LocalStore,
    environment: {
      ...headlessEnvironment,
      isVisible: () => page.isVisible,
      subscribe(listener) {
        page.tell = listener
        return () => {
          page.tell = () => {}
        }
      },
    },
    isConnected: () => false,
    poll: () => {
      polls += 1
    },
  })
  return { clock, page, stop, changed: (table: TableName) => changed(new Set([table])), polls: () => polls }
}

test('[D7.47] a hidden page does not poll, and a page that becomes visible again does', () => {
  const { clock, page, polls } = polling()
  page.isVisible = false
  page.tell('hidden')
  clock.pass(DAY_MS)
  expect(polls()).toBe(0)
  page.isVisible = true
  page.tell('visible')
  clock.pass(pollDelayMs(0, false))
  expect(polls()).toBe(1)
})

test('[D7.47] polls become rarer while nothing is new, and frequent again after a change', () => {
  const { clock, polls, changed } = polling()
  clock.pass(HOUR_MS)
  const quiet = polls()
  expect(quiet).toBeLessThan(20)
  changed('meta')
  clock.pass(pollDelayMs(0, false))
  expect(polls() - quiet).toBeLessThanOrEqual(1)
  for (const table of ['baseRecords', 'outbox'] as const) {
    changed(table)
    const before = polls()
    clock.pass(pollDelayMs(0, false))
    expect(polls() - before).toBe(1)
    clock.pass(HOUR_MS)
  }
})

test('[D7.47] polling that was stopped does not poll, whatever happens then', () => {
  const { clock, page, polls, stop, changed } = polling()
  clock.pass(pollDelayMs(0, false))
  expect(polls()).toBe(1)
  stop()
  page.tell('visible')
  changed('baseRecords')
  clock.pass(HOUR_MS)
  expect(polls()).toBe(1)
})

test('[D7.47] the delay doubles from half a minute to 5 minutes, and is 5 minutes with change notifications', () => {
  const quietPolls = [0, 1, 2, 3, 4, 5, 1_000]
  expect(quietPolls.map((count) => pollDelayMs(count, false) / 1_000)).toEqual([30, 60, 120, 240, 300, 300, 300])
  for (const count of quietPolls) expect(pollDelayMs(count, true)).toBe(300_000)
})

test('[D7.47] a change after a single quiet poll makes the next one come soon', () => {
  const { clock, polls, changed } = polling()
  clock.pass(pollDelayMs(0, false))
  expect(polls()).toBe(1)
  changed('baseRecords')
  clock.pass(pollDelayMs(0, false))
  expect(polls()).toBe(2)
  // Unlike a change of nothing that syncs.
  clock.pass(pollDelayMs(1, false) - 1)
  changed('meta')
  clock.pass(1)
  expect(polls()).toBe(3)
})
