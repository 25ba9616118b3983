import type { UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { ALL_USERS, type RecordStore } from '../../src/store/store.ts'
import { openStores } from '../../src/store/stores.ts'
import { gatherMs, NodeNotifications } from '../../src/sync/node-notifications.ts'
import { systemClock, systemRandom } from '../../src/system.ts'
import { startTestService, type TestService } from '../harness.ts'
import { askForEvents } from '../http/event-client.ts'
import { create, resourceOf } from '../http/resources.ts'
import { hourOf } from '../store/samples.ts'
import { newPostgres } from './database.ts'
import { execute } from './global-setup.ts'

const entries = resourceOf('entries')
const authSecret = 'the same for all nodes '.repeat(2)

/** Two nodes on one database, and how many of them listen. */
async function twoNodes() {
  const databaseUrl = await newPostgres()
  const nodes: TestService[] = []
  while (nodes.length < 2) nodes.push(await startTestService({ config: { databaseUrl, authSecret } }))
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
  })
  const listening = `FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(LISTEN|SELECT 1$)'`
  const listeners = async () => (await execute(databaseUrl, `SELECT pid ${listening}`)).rows.map(({ pid }) => pid)
  await expect.poll(listeners).toHaveLength(2)
  const cut = async () => {
    const before = await listeners()
    await execute(databaseUrl, `SELECT pg_terminate_backend(pid) ${listening}`)
    await expect.poll(async () => (await listeners()).filter((pid) => !before.includes(pid))).toHaveLength(2)
  }
  const [here, there] = nodes as [TestService, TestService]
  const { token, call, user } = await here.user()
  const stream = await askForEvents(there, { authorization: `Bearer ${token}` })
  await stream.receivesVersion(0)
  return { here, there, call, user, stream, cut, databaseUrl }
}

test('[D5.18] a change at one node notifies listeners at another', async () => {
  const { call, stream } = await twoNodes()
  await create(call, entries, entries.content)
  await stream.receivesVersion(1)
  await create(call, entries, entries.content)
  await stream.receivesVersion(2)
})

test('[D5.19] a node that lost its connection sends missed changes when it listens again', async () => {
  const { call, stream, cut } = await twoNodes()
  const cutting = cut()
  for (let version = 1; version <= 20; version += 1) await create(call, entries, entries.content)
  await cutting
  await stream.receivesVersion(20)
  await create(call, entries, entries.content)
  await stream.receivesVersion(21)
})

test('a service that listens at another database of the server is no listener of this one', async () => {
  const open = async () => {
    const stores = await openStores({
      ...{ url: await newPostgres(), clock: systemClock, random: systemRandom },
      as: 'service',
    })
    onTestFinished(() => stores.close())
    return stores.announcements as NonNullable<typeof stores.announcements>
  }
  const [one, other] = [await open(), await open()]
  const ignore = () => undefined
  const listening = other.listen({ onAnnouncement: ignore, onConnect: ignore, onDisconnect: ignore })
  onTestFinished(() => listening.close())
  await expect.poll(() => other.hasListeners()).toBe(true)
  expect(await one.hasListeners()).toBe(false)
})

test('[D5.19] a change that nobody announced is found by the lookup every half minute', async () => {
  const { here, there, user, stream } = await twoNodes()
  const beside = await here.openBeside()
  await beside.records.write(user, (writer) => writer.put([hourOf(1)]))
  await beside.close()
  for (let round = 0; round < 7; round += 1) await there.service.heartbeat()
  await stream.receivesVersion(1)
})

test('[D5.19] a version lowered by a fail-over or restored backup is notified, as are later ones', async () => {
  const { call, there, stream, databaseUrl } = await twoNodes()
  for (let version = 1; version <= 3; version += 1) await create(call, entries, entries.content)
  await stream.receivesVersion(3)
  await execute(databaseUrl, 'DELETE FROM sync_log WHERE version > 1')
  await execute(databaseUrl, 'DELETE FROM records WHERE version > 1')
  await execute(databaseUrl, 'UPDATE counters SET version = 1')
  for (let round = 0; round < 7; round += 1) await there.service.heartbeat()
  await expect.poll(() => stream.versions.at(-1)).toBe(1)
  await create(call, entries, entries.content)
  await expect.poll(() => stream.versions.at(-1)).toBe(2)
})

test('[D5.18] announcements of other programs on the same channel are ignored', async () => {
  const { call, stream, databaseUrl } = await twoNodes()
  for (const text of ['', 'hello', 'null', '{}', '[]', '[1]', '["node",null]', '["node",["a",1]]', '["node",[1]]']) {
    await execute(databaseUrl, `SELECT pg_notify('saldo_announcements', '${text}')`)
  }
  await create(call, entries, entries.content)
  await stream.receivesVersion(1)
})

test('[D5.26] a node announces once in 50 ms, however many users changed however often', async () => {
  const options = { url: await newPostgres(), clock: systemClock, random: systemRandom, as: 'service' as const }
  const { announcements, records, close } = await openStores(options)
  if (!announcements) throw new Error('PostgreSQL has announcements')
  const heard: string[] = []
  await new Promise<void>((begin) => {
    const listening = announcements.listen({
      onAnnouncement: (text) => heard.push(text),
      onConnect: begin,
      onDisconnect: () => undefined,
    })
    onTestFinished(async () => {
      await listening.close()
      await close()
    })
  })
  const gathering: (() => void)[] = []
  const notifications = new NodeNotifications({
    announcements,
    records,
    node: 'this node',
    after: (_ms, work) => gathering.push(work),
    onFailure: (error) => expect.fail(String(error)),
  })
  const most = Number.MAX_SAFE_INTEGER
  for (let version = 1; version <= 100; version += 1) notifications.notify(7 as UserNumber, version)
  for (let user = 0; user < 450; user += 1) notifications.notify((most - user) as UserNumber, most)
  expect(gathering).toHaveLength(1)
  gathering[0]?.()
  await expect.poll(() => heard).toHaveLength(3)
  const announced = heard.map((text) => JSON.parse(text))
  expect(announced.map(([node]) => node)).toEqual(Array(3).fill('this node'))
  expect(announced.flatMap(([, ...versions]) => versions)).toHaveLength(451)
  expect(announced[0]?.[1]).toEqual([7, 100])
  notifications.notify(7 as UserNumber, 101)
  await notifications.close()
  await expect.poll(() => heard).toHaveLength(4)
})

/** The notifications of a node without a service, once it listens. */
async function openNotifications(url: string, records: Partial<Pick<RecordStore, 'versions'>> = {}) {
  const stores = await openStores({ url, clock: systemClock, random: systemRandom, as: 'service' })
  const { announcements } = stores
  if (!announcements) throw new Error('PostgreSQL has announcements')
  const failures: unknown[] = []
  const delaysMs: number[] = []
  const notifications = new NodeNotifications({
    announcements,
    records: { versions: stores.records.versions, ...records },
    node: systemRandom.uuid(),
    after: (ms, work) => {
      delaysMs.push(ms)
      queueMicrotask(work)
    },
    onFailure: (error) => failures.push(error),
  })
  const closing = { isDone: false }
  const close = async () => {
    if (closing.isDone) return
    closing.isDone = true
    await notifications.close()
    await stores.close()
  }
  onTestFinished(close)
  const lookUp = async () => {
    for (let round = 0; round < 7; round += 1) await notifications.heartbeat()
  }
  return { notifications, failures, delaysMs, lookUp, close }
}

test('[D3.35] [D22.13] nodes share the users for whose work they look, and one that is left has all', async () => {
  const url = await newPostgres()
  const [one, other] = [await openNotifications(url), await openNotifications(url)]
  expect([one.notifications.share(), other.notifications.share()]).toEqual([ALL_USERS, ALL_USERS])
  const shares = async () => {
    for (const node of [one, other]) await node.lookUp()
    return [one, other].map(({ notifications }) => notifications.share()).toSorted((a, b) => a.index - b.index)
  }
  await expect.poll(shares).toEqual([0, 1].map((index) => ({ index, of: 2 })))
  await other.close()
  await expect.poll(() => one.lookUp().then(() => one.notifications.share())).toEqual(ALL_USERS)
})

test('[D5.26] all nodes together announce at most 200 times a second, however many they are', async () => {
  for (const nodes of [1, 2, 10, 11, 100, 1_000]) {
    const perSecond = (nodes * 1_000) / gatherMs(nodes)
    expect(perSecond, `${nodes}`).toBeLessThanOrEqual(200)
    expect(gatherMs(nodes)).toBeGreaterThanOrEqual(50)
  }
  const url = await newPostgres()
  const { notifications, delaysMs, lookUp } = await openNotifications(url)
  const others = await Promise.all(Array.from({ length: 11 }, () => openNotifications(url)))
  await expect.poll(() => lookUp().then(() => notifications.share().of)).toBe(others.length + 1)
  notifications.notify(7 as UserNumber, 1)
  expect(delaysMs).toEqual([60])
})

test('[D5.19] a server that fails keeps back versions of its own users, and none replaces a newer one', async () => {
  const [here, there, moved] = [1, 2, 3] as UserNumber[] as [UserNumber, UserNumber, UserNumber]
  const { notifications, failures, lookUp } = await openNotifications(await newPostgres(), {
    async versions(users) {
      if (users.length < 3) return []
      notifications.notify(moved, 8)
      const value = new Map([
        [here, 5],
        [moved, 7],
      ])
      return [
        { status: 'rejected', reason: 'that server is down' },
        { status: 'fulfilled', value },
      ]
    },
  })
  const heard: string[] = []
  for (const user of [there, here, moved])
    notifications.subscribe(user, (version) => heard.push(`${user} to ${version}`))
  await lookUp()
  // It may have looked when it began to listen, too.
  expect([new Set(heard), new Set(failures)]).toEqual([new Set(['3 to 8', '1 to 5']), new Set(['that server is down'])])
})
