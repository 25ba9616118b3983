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
    onLiveChange: () => {},
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
