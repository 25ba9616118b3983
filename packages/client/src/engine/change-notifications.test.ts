import { expect, test, vi } from 'vitest'
import { ManualClock } from '../../test/manual-clock.ts'
import { ChangeNotifications } from './change-notifications.ts'

test('[D7.46] a stream of change notifications that throws is reported, and opened again after a backoff', async () => {
  const clock = new ManualClock()
  const defects: unknown[] = []
  let opened = 0
  const notifications = new ChangeNotifications({
    clock,
    random: { fraction: () => 0.5 },
    listen: async () => {
      opened += 1
      throw new Error('no stream')
    },
    onVersion: () => {},
    onConnectionChange: () => {},
    onDefect: (error) => defects.push(String(error)),
  })
  notifications.setWanted(true)
  await vi.waitFor(() => expect(defects).toEqual(['Error: no stream']))
  await vi.waitFor(() => {
    clock.pass(60_000)
    expect(opened).toBeGreaterThan(1)
  })
  notifications.setWanted(false)
})

/** Notifications whose streams the test opens, feeds and ends. */
function streams() {
  const clock = new ManualClock()
  const opened: { tell: (version: number) => void; end: (how: 'ended' | 'missing') => void; signal: AbortSignal }[] = []
  const versions: number[] = []
  const connections: boolean[] = []
  const notifications = new ChangeNotifications({
    clock,
    random: { fraction: () => 0.5 },
    listen: (tell, signal) => new Promise((end) => opened.push({ tell, end, signal })),
    onVersion: (version) => versions.push(version),
    onConnectionChange: () => connections.push(notifications.isConnected),
    onDefect: () => {},
  })
  const newest = () => opened.at(-1) as (typeof opened)[number]
  /** Ends the newest stream. Returns the delay until the next one is opened, in milliseconds. */
  const delayAfter = async (how: 'ended' | 'missing') => {
    const count = opened.length
    newest().end(how)
    const begunMs = clock.now()
    for (let ms = 250; opened.length === count; ms *= 2) {
      await new Promise(setImmediate)
      clock.pass(ms)
      await new Promise(setImmediate)
    }
    return clock.now() - begunMs
  }
  return { notifications, opened, newest, versions, connections, delayAfter }
}

test('[D7.47] change notifications are live from the first one to the end of the stream', () => {
  const { notifications, newest, versions, connections } = streams()
  notifications.setWanted(true)
  expect(notifications.isConnected).toBe(false)
  newest().tell(7)
  newest().tell(8)
  expect([versions, connections]).toEqual([[7, 8], [true]])
  notifications.setWanted(false)
  expect(connections).toEqual([true, false])
  expect(newest().signal.aborted).toBe(true)
})

test('[D7.46] a stream that is no longer wanted is not heard, and a wanted one is opened once', () => {
  const { notifications, opened, newest, versions, connections } = streams()
  notifications.setWanted(true)
  notifications.setWanted(true)
  const first = newest()
  notifications.setWanted(false)
  notifications.setWanted(true)
  first.tell(7)
  expect([opened.length, versions, connections]).toEqual([2, [], []])
})

test('[D7.47] the end of an abandoned stream leaves the next one live', async () => {
  const { notifications, newest, connections } = streams()
  notifications.setWanted(true)
  const first = newest()
  notifications.setWanted(false)
  notifications.setWanted(true)
  newest().tell(7)
  first.end('ended')
  await new Promise(setImmediate)
  expect([notifications.isConnected, connections]).toEqual([true, [true]])
})

test('[D7.46] streams that end without a notification are opened again ever later', async () => {
  const { notifications, newest, delayAfter, connections } = streams()
  notifications.setWanted(true)
  const delays = [await delayAfter('ended'), await delayAfter('ended'), await delayAfter('ended')]
  expect(delays[0]).toBeLessThanOrEqual(1_000)
  expect(delays[2]).toBeGreaterThan(1_000)
  newest().tell(7)
  expect(await delayAfter('ended')).toBeLessThanOrEqual(1_000)
  expect(connections).toEqual([true, false])
})

test('[D7.46] a service without change notifications is asked again after an hour', async () => {
  const { notifications, delayAfter } = streams()
  notifications.setWanted(true)
  expect(await delayAfter('missing')).toBeGreaterThanOrEqual(3_600_000)
})
