import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { EventStreams } from '../../src/http/event-streams.ts'
import { LocalNotifications } from '../../src/sync/change-notifications.ts'
import type { Identity } from '../../src/users/identification.ts'
import { hourOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'

/** A connection whose client reads when the test says so. */
class Connection extends Writable {
  text = ''
  #read = () => {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk
    this.#read = done
  }

  read(): void {
    this.#read()
  }
}

const identityOf = (user: UserNumber): Identity => ({
  user,
  by: { kind: 'token', id: String(user), scope: 'full' },
  setCookies: [],
})

/** Streams of users who are there, with change notifications that the test sends. */
async function openStreams({ users: count = 1, maxPerUser = 20, maxTotal = 5_000 } = {}) {
  const { records, users } = await openTemporary()
  const there: UserNumber[] = []
  for (let n = 1; n <= count; n += 1) {
    const added = await users.add({ email: `${n}@example.com`, passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
    assert(added.outcome === 'added')
    there.push(added.user)
  }
  const notifications = new LocalNotifications((_ms, work) => setImmediate(work))
  const identification = { stillValid: async (identities: readonly Identity[]) => [...identities] }
  return {
    user: there[0] as UserNumber,
    there,
    notifications,
    records,
    identification,
    streams: new EventStreams({
      records,
      notifications,
      identification,
      lastTeamChanges: async () => new Map(),
      maxPerUser,
      maxPerKey: maxPerUser,
      maxTotal,
    }),
  }
}

const versionsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, version]) => Number(version))

test('[D5.20] a client that does not read has one event buffered and then gets the newest version', async () => {
  const { user, notifications, streams } = await openStreams()
  const connection = new Connection()
  const stream = await streams.open(identityOf(user))
  stream.begin(connection)
  for (let version = 1; version <= 1_000; version += 1) {
    notifications.notify(user, version)
    if (version % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    if (version % 300 === 0) await streams.heartbeat()
  }
  await new Promise((resolve) => setImmediate(resolve))
  expect(connection.writableLength).toBeLessThan(100)
  expect(versionsIn(connection.text)).toEqual([0])
  connection.read()
  await expect.poll(() => versionsIn(connection.text)).toEqual([0, 1_000])
})

test('[D5.19] a version that was looked up is announced though it is lower, and so are those after it', async () => {
  const { user, notifications, streams } = await openStreams()
  const connection = new Connection()
  const stream = await streams.open(identityOf(user))
  stream.begin(connection)
  const versionsAfter = async (notify: () => void) => {
    notify()
    await new Promise((resolve) => setImmediate(resolve))
    connection.read()
    return versionsIn(connection.text)
  }
  expect(await versionsAfter(() => notifications.notify(user, 9))).toEqual([0, 9])
  expect(await versionsAfter(() => notifications.notifyLookedUp(user, 2))).toEqual([0, 9, 2])
  expect(await versionsAfter(() => notifications.notify(user, 3))).toEqual([0, 9, 2, 3])
})

test('[D5.23] at shutdown, a stream ends cleanly, or is cut off where the client does not read', async () => {
  const { user, streams } = await openStreams()
  const [reads, doesNot] = [new Connection(), new Connection()]
  for (const connection of [reads, doesNot]) (await streams.open(identityOf(user))).begin(connection)
  reads.read()
  await new Promise((resolve) => setImmediate(resolve))
  streams.close()
  expect([reads.writableEnded, reads.destroyed]).toEqual([true, false])
  expect([doesNot.writableEnded, doesNot.destroyed]).toEqual([false, true])

  const late = new Connection()
  ;(await streams.open(identityOf(user))).begin(late)
  expect([late.writableEnded, late.text]).toEqual([true, ''])
})

test('[D5.24] the process has a maximum number of streams, for all users together', async () => {
  const { there, streams } = await openStreams({ users: 4, maxTotal: 3 })
  const [first, second, third, fourth] = there as [UserNumber, UserNumber, UserNumber, UserNumber]
  const open = []
  for (const user of [first, second, third]) open.push(await streams.open(identityOf(user)))
  await expect(streams.open(identityOf(fourth))).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  })
  open[0]?.stop()
  open[0]?.stop()
  await streams.open(identityOf(fourth))
  await expect(streams.open(identityOf(first))).rejects.toMatchObject({ code: 'rate_limited' })
})

test('[D5.24] many simultaneous requests for a stream do not exceed the limit', async () => {
  const { user, streams } = await openStreams({ maxPerUser: 5 })
  const asked = await Promise.allSettled(Array.from({ length: 50 }, () => streams.open(identityOf(user))))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('[D5.24] a stream that fails to open does not count', async () => {
  const { user, streams } = await openStreams({ maxPerUser: 1 })
  for (let n = 0; n < 3; n += 1) await expect(streams.open(identityOf(7 as UserNumber))).rejects.toThrow('no such user')
  await streams.open(identityOf(user))
})

test('[D5.16] a commit while the stream opens is not missed', async () => {
  const { user, notifications, records, streams } = await openStreams()
  const connection = new Connection()
  const opening = streams.open(identityOf(user))
  await records.write(user, (writer) => writer.put([hourOf(1)]))
  notifications.notify(user, 1)
  const stream = await opening
  stream.begin(connection)
  expect(versionsIn(connection.text)).toEqual([1])
})

test('[D5.22] a stream that opens during a heartbeat is not ended by it', async () => {
  const { user, identification, streams } = await openStreams()
  const first = new Connection()
  ;(await streams.open(identityOf(user))).begin(first)
  const late = new Connection()
  identification.stillValid = async (identities) => {
    const answer = [...identities]
    ;(await streams.open(identityOf(user))).begin(late)
    return answer
  }
  await streams.heartbeat()
  expect([first.destroyed, late.destroyed, late.writableEnded]).toEqual([false, false, false])
})

test('[D5.22] streams stay open while sessions cannot be looked up', async () => {
  const { user, identification, notifications, streams } = await openStreams()
  const connection = new Connection()
  ;(await streams.open(identityOf(user))).begin(connection)
  connection.read()
  identification.stillValid = async () => {
    throw new Error('the database is not available')
  }
  await expect(streams.heartbeat()).rejects.toThrow('not available')
  notifications.notify(user, 5)
  await expect.poll(() => versionsIn(connection.text)).toEqual([0, 5])
})
