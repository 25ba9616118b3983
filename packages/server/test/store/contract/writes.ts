import type { SyncPosition, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { dateSpan } from '../../../src/store/stored-records.ts'
import { adjustment, hourOf, oneOfEachKind, tombstone, uuidOf } from '../samples.ts'
import { type Contract, idsOf, markerOf, storedBytesIn, tagAt } from './kit.ts'

const task = { kind: 'auto_close', dayFrom: '2026-01-01', weekFrom: '2025-12-29' } as const

/** Writes: what they store, and that they are atomic. */
export function writesContract(contract: Contract): void {
  test('[D4.1] a new user has version 0 and no tag', async () => {
    const user = await contract.user()
    expect(await contract.read(user, (reader) => reader.position())).toEqual({ version: 0, tag: null })
    expect(await contract.read(user, (reader) => reader.changesSince(0, 10))).toEqual([])
    expect(await contract.log(user)).toEqual([])
  })

  test('[D4.3] each record of a put takes the next version and a row in the log', async () => {
    const user = await contract.user()
    const states = oneOfEachKind(uuidOf('a'))
    const stored = await contract.put(user, ...states)
    expect(stored.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5])
    expect(stored.map(({ kind }) => kind)).toEqual(states.map(({ kind }) => kind))
    const more = await contract.put(user, hourOf(2), hourOf(3))
    expect(more.map(({ version }) => version)).toEqual([6, 7])
    const log = await contract.log(user)
    expect(log.map(({ version, kind, record_id }) => [version, kind, record_id])).toEqual(
      [...stored, ...more].map(({ version, kind, id }) => [version, kind, id]),
    )
  })

  test('[D4.20] the stored bytes follow every put, of new, changed, repeated and deleted records', async () => {
    const user = await contract.user()
    const other = await contract.user()
    expect(await contract.read(user, (reader) => reader.storedBytes())).toBe(0)
    const claims = { [uuidOf('device')]: 12 }
    for (const records of [
      oneOfEachKind(uuidOf('a')),
      [hourOf(2, uuidOf('b'), { note: 'ä€😀\ud800' }), { ...hourOf(3), claims }],
      [
        hourOf(2, uuidOf('b'), { note: 'longer than before'.repeat(100) }),
        hourOf(3),
        hourOf(3, uuidOf(3), { note: 'x' }),
      ],
      [tombstone('entries', uuidOf('b')), tombstone('entries', uuidOf('never there'))],
      [hourOf(2, uuidOf('b'))],
    ]) {
      await contract.put(user, ...records)
      const bytes = await contract.read(user, (reader) => reader.storedBytes())
      expect(bytes).toBe(await storedBytesIn(contract, user))
      expect(bytes).toBeGreaterThan(0)
    }
    expect(await contract.read(other, (reader) => reader.storedBytes())).toBe(0)
  })

  test('[D1.17] put returns the stored records with their versions', async () => {
    const user = await contract.user()
    const states = oneOfEachKind(uuidOf('returned'))
    const stored = await contract.put(user, ...states)
    const found = await contract.read(user, (reader) => reader.find(states))
    expect(found).toHaveLength(5)
    expect(new Set(found)).toEqual(new Set(stored))
    for (const { body, version, id } of found) expect(JSON.parse(body)).toMatchObject({ version, id })
  })

  test('[D4.5] log rows of one write share a tag, other writes have others, and the counter has the last', async () => {
    const user = await contract.user()
    const tags: (string | null)[] = []
    for (let write = 0; write < 50; write += 1) {
      await contract.put(user, hourOf(write), hourOf(write + 100))
      tags.push((await contract.read(user, (reader) => reader.position())).tag)
    }
    expect(new Set(tags).size).toBe(50)
    expect(tags).not.toContain(null)
    const log = await contract.log(user)
    expect(log.map(({ tag }) => tag)).toEqual(tags.flatMap((tag) => [tag, tag]))
    for (const { version, tag } of log) {
      expect(await contract.read(user, (reader) => tagAt(reader, version))).toBe(tag)
    }
  })

  test('[D4.5] two puts in one write count on and share a tag', async () => {
    const user = await contract.user()
    await contract.records.write(user, async (writer) => {
      expect((await writer.put([hourOf(1)]))[0]?.version).toBe(1)
      expect((await writer.put([hourOf(2), hourOf(3)])).map(({ version }) => version)).toEqual([2, 3])
      expect(await writer.put([])).toEqual([])
      expect((await writer.put([hourOf(4)]))[0]?.version).toBe(4)
    })
    const log = await contract.log(user)
    expect(log.map(({ version }) => version)).toEqual([1, 2, 3, 4])
    expect(new Set(log.map(({ tag }) => tag)).size).toBe(1)
  })

  test('[D4.7] a writer reads its own writes', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1), hourOf(2))
    await contract.records.write(user, async (writer) => {
      await writer.put([tombstone('entries', uuidOf(1)), hourOf(3)])
      expect((await writer.position()).version).toBe(4)
      expect(idsOf(await writer.overlapping('entries', dateSpan({})))).toEqual([uuidOf(2), uuidOf(3)])
      expect(idsOf(await writer.changesSince(2, 10))).toEqual([uuidOf(1), uuidOf(3)])
      expect(await tagAt(writer, 4)).toBe((await writer.position()).tag)
      expect((await writer.find([{ kind: 'entries', id: uuidOf(1) }]))[0]?.deleted).toBe(true)
    })
  })

  test('[D4.4] of several states of one record in one put the last is current; each has a version', async () => {
    const user = await contract.user()
    const id = uuidOf('edited often')
    const notes = ['first', 'second', 'third', 'fourth']
    const [first, second, third, fourth] = notes.map((note) => hourOf(1, id, { note }))
    if (!first || !second || !third || !fourth) throw new Error('unreachable')
    await contract.put(user, first, hourOf(2), second, tombstone('entries', id), third, hourOf(3), fourth)
    const log = await contract.log(user)
    expect(log.filter(({ record_id }) => record_id === id).map(({ version }) => version)).toEqual([1, 3, 4, 5, 7])
    const changes = await contract.read(user, (reader) => reader.changesSince(0, 100))
    expect(changes.map(({ version }) => version)).toEqual([2, 6, 7])
    const [found] = await contract.read(user, (reader) => reader.find([{ kind: 'entries', id }]))
    expect(found).toMatchObject({ version: 7, deleted: false })
    expect(JSON.parse(found?.body ?? '')).toMatchObject({ note: 'fourth', version: 7 })
  })

  test('[D4.3] a write without a put keeps counter, tag and log', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1))
    const before = await contract.read(user, (reader) => reader.position())
    await contract.put(user)
    await contract.records.write(user, (writer) => writer.putJob({ id: 'job', dueMs: 1, task }))
    await contract.records.write(user, async (writer) => {
      await writer.prune(0)
    })
    expect(await contract.read(user, (reader) => reader.position())).toEqual(before)
    expect(await contract.log(user)).toHaveLength(1)
  })

  test('[D2.4] a tombstone is found and pulled, and is in no list of live records', async () => {
    const user = await contract.user()
    const id = uuidOf('gone')
    await contract.put(user, adjustment(id, '2026-11-20', 5), adjustment(uuidOf('kept'), '2026-11-20', 7))
    await contract.put(user, tombstone('balance_adjustments', id, '2026-11-21T13:00:00.000Z'))
    const day = { from: Date.parse('2026-11-20'), to: Date.parse('2026-11-21') }
    await contract.read(user, async (reader) => {
      const [found] = await reader.find([{ kind: 'balance_adjustments', id }])
      expect(found).toMatchObject({ deleted: true, version: 3, updatedAt: '2026-11-21T13:00:00.000Z' })
      expect(JSON.parse(found?.body ?? '')).toMatchObject({ id, updated_at: '2026-11-21T13:00:00.000Z' })
      const changes = await reader.changesSince(0, 10)
      expect(changes.map(({ deleted, version }) => [deleted, version])).toEqual([
        [false, 2],
        [true, 3],
      ])
      const living = [uuidOf('kept')]
      expect(idsOf(await reader.snapshot(undefined, 10))).toEqual(living)
      expect(idsOf(await reader.overlapping('balance_adjustments', dateSpan({})))).toEqual(living)
      expect(idsOf(await reader.overlapping('balance_adjustments', day))).toEqual(living)
      expect(await reader.count('balance_adjustments', day)).toBe(1)
      expect(await reader.sumDeltas('balance_adjustments', day)).toEqual({ sum: 7, absolute: 7 })
    })
  })

  test('[D2.6] [D2.7] a tombstone of an unknown id is stored, and a later upsert revives it', async () => {
    const user = await contract.user()
    const id = uuidOf('never seen')
    const [stored] = await contract.put(user, tombstone('entries', id))
    expect(stored).toMatchObject({ deleted: true, version: 1 })
    await contract.put(user, hourOf(1, id))
    const span = { from: Date.parse('2020-01-02'), to: Date.parse('2020-01-03') }
    expect(idsOf(await contract.read(user, (reader) => reader.overlapping('entries', span)))).toEqual([id])
    expect(idsOf(await contract.read(user, (reader) => reader.snapshot(undefined, 10)))).toEqual([id])
    await contract.put(user, tombstone('entries', id))
    expect(await contract.read(user, (reader) => reader.overlapping('entries', span))).toEqual([])
  })

  test('[D4.7] an error after a put rolls the write back and reaches the caller', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1), adjustment(uuidOf('a'), '2026-11-20', 1))
    await contract.records.write(user, (writer) => writer.putJob({ id: 'kept', dueMs: 1, task }))
    const before = await everythingOf(contract, user)
    const error = new Error('on purpose')
    const failing = contract.records.write(user, async (writer) => {
      await writer.put([hourOf(1, uuidOf(1), { note: 'changed' }), tombstone('balance_adjustments', uuidOf('a'))])
      await writer.put([hourOf(5)])
      await writer.putJob({ id: 'new', dueMs: 2, task })
      await writer.deleteJob('kept')
      await writer.prune(Number.MAX_SAFE_INTEGER)
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect(await everythingOf(contract, user)).toEqual(before)
    // And the next write takes the version that the failed one did not.
    expect((await contract.put(user, hourOf(9)))[0]?.version).toBe(3)
  })

  test('[D4.12] writes that wait at the same time succeed or fail independently', async () => {
    const user = await contract.user()
    const error = new Error('the one in the middle')
    const write = (number: number) =>
      contract.records.write(user, async (writer) => {
        const [stored] = await writer.put([hourOf(number)])
        await writer.putJob({ id: String(number), dueMs: number, task })
        if (number % 3 === 2) throw error
        return stored?.version
      })
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(write))
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))).toEqual([
      1,
      error,
      2,
      3,
      error,
      4,
    ])
    const stands = await everythingOf(contract, user)
    expect(stands.changes.map(({ id }) => id)).toEqual([1, 3, 4, 6].map(uuidOf))
    expect(stands.log.map(({ version }) => version)).toEqual([1, 2, 3, 4])
    expect(stands.jobs.map(({ id }) => id)).toEqual(['1', '3', '4', '6'])
  })

  test('[D4.15] under any writes, the counter never goes back and no version names two changes', async () => {
    const user = await contract.user()
    const { write } = contract.records
    const seen: SyncPosition[] = []
    const steps: (() => Promise<unknown>)[] = [
      () => contract.put(user, hourOf(1), hourOf(2)),
      () => contract.put(user, tombstone('entries', uuidOf(2))),
      () => write(user, (writer) => writer.prune(Number.MAX_SAFE_INTEGER)),
      () => contract.put(user),
      () => write(user, (writer) => writer.put([hourOf(3)]).then(() => Promise.reject(new Error('on purpose')))),
      () => contract.put(user, hourOf(2)),
      () => write(user, (writer) => writer.put([hourOf(4)]).then(() => writer.prune(Number.MAX_SAFE_INTEGER))),
    ]
    for (let round = 0; round < 3; round += 1) {
      for (const step of steps) {
        await step().catch((error) => expect(error).toMatchObject({ message: 'on purpose' }))
        seen.push(await contract.read(user, (reader) => reader.position()))
      }
    }
    expect(seen.slice(0, 7).map(({ version }) => version)).toEqual([2, 3, 3, 3, 3, 4, 5])
    expect(seen).toEqual(seen.toSorted((a, b) => a.version - b.version))
    for (const [version, points] of Map.groupBy(seen, ({ version }) => version)) {
      expect(new Set(points.map(({ tag }) => tag)).size, `version ${version}`).toBe(1)
    }
  })

  test('a statement that the database refuses fails its own write only', async () => {
    const user = await contract.user()
    const other = await contract.user()
    const outcomes = await Promise.allSettled([
      contract.put(user, hourOf(1)),
      contract.driver.write((sql) => sql.run('INSERT INTO counters (user_id, version) VALUES ($1, 0)', [user])),
      contract.put(other, hourOf(2)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await contract.read(user, (reader) => reader.position())).version).toBe(1)
    expect((await contract.read(other, (reader) => reader.position())).version).toBe(1)
  })

  test('[D4.7] a failed statement makes its whole write fail, even if the body goes on', async () => {
    const user = await contract.user()
    const before = await everythingOf(contract, user)
    const fails = 'INSERT INTO counters (user_id, version) VALUES ($1, 0)'
    const works = 'UPDATE counters SET version = 99 WHERE user_id = $1'
    const failures: unknown[] = []
    const write = contract.driver.write(async (sql) => {
      await sql.run(works, [user])
      for (const text of [fails, works]) await sql.run(text, [user]).catch((error: unknown) => failures.push(error))
    })
    await expect(write).rejects.toSatisfy((error) => error === failures[0])
    expect(failures).toHaveLength(2)
    expect(await everythingOf(contract, user)).toEqual(before)
  })

  test('an error in the body of a read passes through, and the next read works', async () => {
    const user = await contract.user()
    const error = new Error('on purpose')
    await expect(contract.read(user, () => Promise.reject(error))).rejects.toBe(error)
    expect((await contract.read(user, (reader) => reader.position())).version).toBe(0)
  })

  test('readers cannot write, whatever statement they try', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1))
    const before = await everythingOf(contract, user)
    const statements = [
      'DELETE FROM sync_log WHERE user_id = $1 RETURNING version',
      'UPDATE counters SET version = 99 WHERE user_id = $1 RETURNING version',
      `INSERT INTO jobs (user_id, id, due_ms, task) VALUES ($1, 'x', 0, '{}') RETURNING id`,
    ]
    for (const text of statements) {
      await expect(contract.driver.read((sql) => sql.all(text, [user]))).rejects.toThrow()
      await expect(contract.driver.all(text, [user])).rejects.toThrow()
      expect(await everythingOf(contract, user)).toEqual(before)
    }
  })
}

/** All that the store holds of a user's records. */
async function everythingOf(contract: Contract, user: UserNumber) {
  const log = await contract.log(user)
  return contract.read(user, async (reader) => ({
    position: await reader.position(),
    marker: await markerOf(reader),
    changes: await reader.changesSince(0, 1_000),
    snapshot: await reader.snapshot(undefined, 1_000),
    jobs: await reader.jobs(),
    log,
  }))
}
