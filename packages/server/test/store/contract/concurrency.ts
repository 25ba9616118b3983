import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../core/test/tier.ts'
import { UnknownUserError } from '../../../src/store/store.ts'
import { dateSpan } from '../../../src/store/stored-records.ts'
import { hourOf, tombstone, uuidOf } from '../samples.ts'
import { type Contract, idsOf, markerOf } from './kit.ts'

/** That writes take turns, and that no reader sees a later one without the earlier. */
export function concurrencyContract(contract: Contract): void {
  /** Polls like a client until `done`, checking that nothing is missed; returns the versions in the order they came. */
  async function poll(user: UserNumber, limit: number, done: () => boolean): Promise<number[]> {
    const seen: number[] = []
    for (;;) {
      const wasDone = done()
      const since = seen.at(-1) ?? 0
      const { position, changes } = await contract.read(user, async (reader) => ({
        position: await reader.position(),
        changes: await reader.changesSince(since, limit),
      }))
      const upTo = Math.min(position.version, since + limit)
      // Every record is put once here, so each version is somebody's latest: all of them must come.
      const expected = Array.from({ length: upTo - since }, (_, index) => since + 1 + index)
      expect(changes.map(({ version }) => version)).toEqual(expected)
      seen.push(...expected)
      if (wasDone && changes.length === 0) return seen
      await nextTurn()
    }
  }

  /** Many writers of a user at once, each putting a few records that nobody else puts. */
  async function writeMany(user: UserNumber, writers: number, writesEach: number): Promise<number> {
    const counts = await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        let put = 0
        for (let write = 0; write < writesEach; write += 1) {
          const size = 1 + ((writer * 7 + write * 3) % 5)
          const ids = Array.from({ length: size }, (_, index) => uuidOf(`${user} ${writer} ${write} ${index}`))
          const stored = await contract.put(user, ...ids.map((id, index) => hourOf(index, id)))
          const first = stored[0]?.version ?? 0
          expect(stored.map(({ version }) => version)).toEqual(ids.map((_, index) => first + index))
          put += size
        }
        return put
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  test('[D4.2] a reader that polls while many write never gets version n + 1 before n', async () => {
    const user = await contract.user()
    let done = false
    const writing = writeMany(user, runsOf(12, 30), 8).finally(() => {
      done = true
    })
    const [total, ...readers] = await Promise.all([
      writing,
      ...[1, 7, 1_000].map((limit) => poll(user, limit, () => done)),
    ])
    for (const seen of readers) expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1))
    expect((await contract.log(user)).map(({ version }) => version)).toEqual(readers[0])
  })

  test('[D4.1] several users who write at once count independently', async () => {
    const users = await Promise.all(Array.from({ length: runsOf(4, 6) }, () => contract.user()))
    let writing = users.length
    await Promise.all(
      users.map(async (user) => {
        const written = writeMany(user, runsOf(5, 8), 5).finally(() => {
          writing -= 1
        })
        const [total, seen] = await Promise.all([written, poll(user, 11, () => writing === 0)])
        expect(seen).toHaveLength(total)
      }),
    )
  })

  test('[D4.2] concurrent read-modify-write transactions lose no update', async () => {
    const user = await contract.user()
    const id = uuidOf('counter')
    const increment = () =>
      contract.records.write(user, async (writer) => {
        const [stands] = await writer.find([{ kind: 'entries', id }])
        const count: number = stands ? JSON.parse(stands.body).count : 0
        const { version } = await writer.position()
        expect(version).toBe(count)
        await writer.put([hourOf(1, id, { count: count + 1 })])
      })
    const times = runsOf(25, 150)
    await Promise.all(Array.from({ length: times }, increment))
    const [found] = await contract.read(user, (reader) => reader.find([{ kind: 'entries', id }]))
    expect(JSON.parse(found?.body ?? '')).toMatchObject({ count: times, version: times })
    expect(
      (await contract.read(user, (reader) => reader.changesSince(0, 1_000))).map(({ version }) => version),
    ).toEqual([times])
  })

  test('[D4.8] a read sees every write that was acknowledged before it began', async () => {
    const user = await contract.user()
    await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const [stored] = await contract.put(user, hourOf(number))
        const version = stored?.version ?? 0
        const seen = await contract.read(user, async (reader) => ({
          counter: (await reader.position()).version,
          record: (await reader.find([{ kind: 'entries', id: uuidOf(number) }]))[0]?.version,
        }))
        expect(seen.counter).toBeGreaterThanOrEqual(version)
        expect(seen.record).toBe(version)
      }),
    )
  })

  test('[D4.11] all statements of a read see one state of the store', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1), hourOf(2))
    await contract.read(user, async (reader) => {
      const before = await reader.position()
      // Not for a body to do, but it is how a write comes between: it commits while this read is open.
      await contract.put(user, hourOf(3), tombstone('entries', uuidOf(1)))
      await contract.records.write(user, (writer) => writer.prune(Number.MAX_SAFE_INTEGER))
      expect(await reader.position()).toEqual(before)
      expect(idsOf(await reader.overlapping('entries', dateSpan({})))).toEqual([uuidOf(1), uuidOf(2)])
      expect(await reader.changesSince(0, 10)).toHaveLength(2)
      expect(await markerOf(reader)).toBeUndefined()
    })
    expect(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', dateSpan({}))))).toEqual([
      uuidOf(2),
      uuidOf(3),
    ])
  })

  test('reads of one user run one after another, whenever they come, and those of others beside them', async () => {
    const [user, other] = [await contract.user(), await contract.user()]
    let running = 0
    const readOnce = () =>
      contract.read(user, async () => {
        running += 1
        expect(running).toBe(1)
        await contract.read(other, (reader) => reader.position())
        await nextTurn()
        running -= 1
      })
    const [first, second] = [readOnce(), readOnce()]
    await first
    await Promise.all([second, readOnce(), readOnce()])
  })

  test('[D4.7] no part of a write is visible before its commit', async () => {
    const user = await contract.user()
    await contract.records.write(user, async (writer) => {
      await writer.put([hourOf(1)])
      expect((await contract.read(user, (reader) => reader.position())).version).toBe(0)
      expect(await contract.read(user, (reader) => reader.overlapping('entries', dateSpan({})))).toEqual([])
      await writer.put([hourOf(2)])
    })
    expect((await contract.read(user, (reader) => reader.position())).version).toBe(2)
  })

  test('[D8.26] writes during the deletion of their user succeed before it or find no user', async () => {
    const user = await contract.user()
    const writes = Array.from({ length: 20 }, (_, number) => contract.put(user, hourOf(number)))
    const removal = (async () => {
      for (;;) {
        const { version } = await contract.read(user, (reader) => reader.position())
        if ((await contract.users.remove(user, version, '2026-11-21')) === 'removed') return version
      }
    })()
    const later = Array.from({ length: 20 }, (_, number) => contract.put(user, hourOf(100 + number)))
    const [version, outcomes] = await Promise.all([removal, Promise.allSettled([...writes, ...later])])
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    for (const failure of failures) expect(failure).toBeInstanceOf(UnknownUserError)
    expect(outcomes.length - failures.length).toBe(version)
    for (const table of ['users', 'counters', 'records', 'sync_log', 'jobs']) {
      expect(await contract.rowsOf(table, user), table).toBe(0)
    }
  })
}
