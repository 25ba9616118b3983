import assert from 'node:assert/strict'
import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import type { RecordStore } from '../../src/store/store.ts'
import { LocalNotifications, withNotifications } from '../../src/sync/change-notifications.ts'
import { hourOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'

const [ADA, BEN] = [1 as UserNumber, 2 as UserNumber]

/** Change notifications with a timer that the test controls. */
function notificationsWithTimer() {
  let waiting: (() => void)[] = []
  const notifications = new LocalNotifications((ms, work) => {
    expect(ms).toBe(50)
    waiting.push(work)
  })
  return {
    notifications,
    pass() {
      const due = waiting
      waiting = []
      for (const work of due) work()
      return due.length
    },
  }
}

test('[D5.17] the first notification is sent at once, of the others only the newest after 50 ms', () => {
  const { notifications, pass } = notificationsWithTimer()
  const versions: number[] = []
  notifications.subscribe(ADA, (version) => versions.push(version))
  notifications.notify(ADA, 1)
  expect(versions).toEqual([1])
  for (const version of [2, 4, 3]) notifications.notify(ADA, version)
  expect(versions).toEqual([1])
  pass()
  expect(versions).toEqual([1, 4])
  notifications.notify(ADA, 5)
  expect(versions).toEqual([1, 4])
  pass()
  expect(versions).toEqual([1, 4, 5])
  // No timer starts without news.
  expect([pass(), pass()]).toEqual([1, 0])
  notifications.notify(ADA, 6)
  expect(versions).toEqual([1, 4, 5, 6])
})

test('[D5.18] every listener of the user is notified, no other user’s, and none that has unsubscribed', () => {
  const { notifications, pass } = notificationsWithTimer()
  const versions: string[] = []
  const listen = (user: UserNumber, name: string) =>
    notifications.subscribe(user, (version) => versions.push(`${name} ${version}`))
  const goes = listen(ADA, 'a')
  listen(ADA, 'b')
  listen(BEN, 'c')
  notifications.notify(ADA, 7)
  expect(versions).toEqual(['a 7', 'b 7'])
  notifications.notify(ADA, 8)
  goes()
  pass()
  expect(versions).toEqual(['a 7', 'b 7', 'b 8'])
  notifications.notify(BEN, 1)
  expect(versions).toEqual(['a 7', 'b 7', 'b 8', 'c 1'])
})

test('[D5.18] a user without listeners costs neither memory nor a timer', () => {
  const { notifications, pass } = notificationsWithTimer()
  notifications.notify(ADA, 1)
  notifications.subscribe(ADA, () => undefined)()
  notifications.notify(ADA, 2)
  expect(pass()).toBe(0)
})

test('[D5.17] a commit that moved the version is notified; one that moved nothing or failed is not', async () => {
  const { records, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  assert(added.outcome === 'added')
  const { user } = added
  const versions: string[] = []
  let committed = 'not yet'
  const durable: RecordStore = {
    ...records,
    async write(user, body) {
      const result = await records.write(user, body)
      committed = 'committed'
      return result
    },
  }
  const store = withNotifications(durable, {
    notify: (user, version) => versions.push(`${user} ${version} ${committed}`),
  })
  await store.write(user, (writer) => writer.put([hourOf(1), hourOf(2)]))
  expect(versions).toEqual([`${user} 2 committed`])
  expect(await store.write(user, async (writer) => (await writer.position()).version)).toBe(2)
  await store.write(user, (writer) => writer.prune(0))
  const failing = store.write(user, async (writer) => {
    await writer.put([hourOf(3)])
    throw new Error('refused by the body')
  })
  await expect(failing).rejects.toThrow('refused by the body')
  expect(await store.read(user, async (reader) => (await reader.position()).version)).toBe(2)
  expect(versions).toEqual([`${user} 2 committed`])
})
