import { type RecordKind, recordKinds, type UserNumber } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../core/test/tier.ts'
import type { RecordKey, RecordToStore, StoredRecord } from '../../../src/store/store.ts'
import { dateSpan } from '../../../src/store/stored-records.ts'
import { hourOf, idOf, oneOfEachKind, tombstone, uuidOf } from '../samples.ts'
import { type Contract, idsOf, keysOf, tagAt } from './kit.ts'

/** Finding records by key, by version, and page by page. */
export function readingContract(contract: Contract): void {
  test('[D6.2] find accepts more keys than an engine has parameters', async () => {
    const user = await contract.user()
    const ids = Array.from({ length: 33_000 }, (_, index) => uuidOf(index))
    const known = ids.filter((_, index) => index % 11 === 0)
    await contract.put(user, ...known.map((id, index) => hourOf(index % 3_000, id)))
    for (const wanted of [ids.slice(0, 1_000), ids]) {
      const found = await contract.read(user, (reader) => reader.find(wanted.map((id) => ({ kind: 'entries', id }))))
      const asked = new Set(wanted)
      expect(idsOf(found).toSorted()).toEqual(known.filter((id) => asked.has(id)).toSorted())
      const bytes = await contract.read(user, (reader) => reader.bytesOf(wanted.map((id) => ({ kind: 'entries', id }))))
      expect(bytes).toBe(found.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0))
    }
  })

  test('[D4.3] put accepts more records than an engine has parameters', async () => {
    const user = await contract.user()
    // Of a row of the log, five values; PostgreSQL has 65,535 parameters.
    const count = 13_200
    const states = Array.from({ length: count }, (_, index) => hourOf(index % 3_000, uuidOf(index)))
    const stored = await contract.put(user, ...states)
    expect(stored.at(-1)?.version).toBe(count)
    expect(await contract.rowsOf('records', user)).toBe(count)
    expect(await contract.rowsOf('sync_log', user)).toBe(count)
  })

  test('find takes kind and id together, and gives what exists', async () => {
    const user = await contract.user()
    await contract.put(user, ...oneOfEachKind('same'), tombstone('entries', 'dead'))
    const find = (...keys: RecordKey[]) => contract.read(user, (reader) => reader.find(keys))
    expect(await find()).toEqual([])
    expect(keysOf(await find({ kind: 'closed_days', id: idOf('same') }))).toEqual(['closed_days same'])
    expect(await find({ kind: 'closed_days', id: idOf('dead') }, { kind: 'entries', id: idOf('unknown') })).toEqual([])
    const key = { kind: 'entries' as const, id: idOf('same') }
    expect(keysOf(await find(key, key))).toEqual(['entries same'])
    const found = await find(
      ...recordKinds.flatMap((kind) => [
        { kind, id: idOf('same') },
        { kind, id: idOf('dead') },
      ]),
    )
    expect(keysOf(found).toSorted()).toEqual([...recordKinds.map((kind) => `${kind} same`), 'entries dead'].toSorted())
  })

  test('[D4.4] changesSince returns the latest state of each record, in version order, up to the limit', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1), hourOf(2), hourOf(3), hourOf(4))
    await contract.put(user, hourOf(2, uuidOf(2), { note: 'changed' }), tombstone('entries', uuidOf(3)))
    const since = (version: number, limit = 100) =>
      contract.read(user, async (reader) =>
        (await reader.changesSince(version, limit)).map((change) => [change.id, change.version]),
      )
    const all = [
      [uuidOf(1), 1],
      [uuidOf(4), 4],
      [uuidOf(2), 5],
      [uuidOf(3), 6],
    ]
    expect(await since(0)).toEqual(all)
    expect(await since(0, 3)).toEqual(all.slice(0, 3))
    expect(await since(0, 1)).toEqual(all.slice(0, 1))
    expect(await since(1)).toEqual(all.slice(1))
    expect(await since(3)).toEqual(all.slice(1))
    expect(await since(4)).toEqual(all.slice(2))
    expect(await since(6)).toEqual([])
    expect(await since(Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  test('[D5.5] a change has the tag of its version, and a version without a log row has none', async () => {
    const user = await contract.user()
    for (let number = 0; number < 5; number += 1) await contract.put(user, hourOf(number), hourOf(number + 10))
    const log = await contract.log(user)
    await contract.read(user, async (reader) => {
      for (const { version, tag } of await reader.changesSince(0, 100)) {
        expect(log[version - 1]).toMatchObject({ version, tag })
      }
      for (const version of [0, 11, Number.MAX_SAFE_INTEGER]) expect(await tagAt(reader, version)).toBeNull()
      expect(await reader.position()).toEqual({ version: 10, tag: log[9]?.tag })
    })
  })

  const state = fc.record({
    kind: fc.constantFrom(...recordKinds),
    number: fc.integer({ min: 0, max: 12 }),
    dies: fc.boolean(),
  })
  const statesOf = (wanted: { kind: RecordKind; number: number; dies: boolean }[]): RecordToStore[] =>
    wanted.map(({ kind, number, dies }) => {
      const id = uuidOf(number)
      const [living] = oneOfEachKind(id).filter((one) => one.kind === kind)
      return dies || !living ? tombstone(kind, id) : living
    })

  test('[D5.4] [D5.8] after any writes, pulls in any steps and snapshots give each state once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(state, { minLength: 1, maxLength: 12 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (writes, limit) => {
          const user = await contract.user()
          const latest = new Map<string, StoredRecord>()
          for (const wanted of writes) {
            for (const stored of await contract.put(user, ...statesOf(wanted))) {
              latest.set(`${stored.kind} ${stored.id}`, stored)
            }
          }
          const byVersion = [...latest.values()].toSorted((a, b) => a.version - b.version)
          const pulled: StoredRecord[] = []
          for (;;) {
            const page = await contract.read(user, (reader) => reader.changesSince(pulled.at(-1)?.version ?? 0, limit))
            if (page.length === 0) break
            expect(page.length).toBeLessThanOrEqual(limit)
            pulled.push(...page.map(({ tag: _, ...record }) => record))
          }
          expect(pulled).toEqual(byVersion)

          const living = byVersion.filter(({ deleted }) => !deleted).toSorted(byKey)
          expect(await snapshotInPages(user, limit)).toEqual(living)
          expect(await contract.read(user, (reader) => reader.snapshot(undefined, 1_000))).toEqual(living)
        },
      ),
      { numRuns: runsOf(20, 60) },
    )
  })

  async function snapshotInPages(user: UserNumber, limit: number, between?: () => Promise<unknown>) {
    const records: StoredRecord[] = []
    for (;;) {
      const found = await contract.read(user, (reader) => reader.snapshot(records.at(-1), limit))
      expect(found.length).toBeLessThanOrEqual(limit)
      records.push(...found)
      if (found.length < limit) return records
      await between?.()
    }
  }

  test('[D5.8] a record that does not change is in a paged snapshot once', async () => {
    const user = await contract.user()
    const ids = Array.from({ length: 40 }, (_, index) => uuidOf(index)).toSorted()
    await contract.put(user, ...ids.flatMap((id) => oneOfEachKind(id)))
    const steady = ids.filter((_, index) => index % 2 === 0)
    const restless = ids.filter((_, index) => index % 2 === 1)
    let turn = 0
    const pages = await snapshotInPages(user, 7, () => {
      const id = restless[(turn * 3) % restless.length] ?? ''
      turn += 1
      const newcomers = oneOfEachKind(uuidOf(`new ${turn}`))
      return contract.put(user, tombstone('entries', id), tombstone('closed_days', id), ...newcomers)
    })
    const seen = keysOf(pages)
    expect(new Set(seen).size).toBe(seen.length)
    const expected = recordKinds.flatMap((kind) => steady.map((id) => `${kind} ${id}`))
    expect(expected.filter((key) => !seen.includes(key))).toEqual([])
  })

  test('[D8.1] users with records of the same ids never see each other’s', async () => {
    const [one, two, none] = [await contract.user(), await contract.user(), await contract.user()]
    const ids = ['a', 'b', 'c']
    await contract.put(one, ...ids.flatMap((id) => oneOfEachKind(id)))
    await contract.put(two, ...oneOfEachKind('b'), tombstone('entries', 'a'))
    const everything = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }
    const seenBy = (user: UserNumber) =>
      contract.read(user, async (reader) => ({
        version: (await reader.position()).version,
        found: keysOf(
          await reader.find(recordKinds.flatMap((kind) => ids.map((id) => ({ kind, id: idOf(id) })))),
        ).toSorted(),
        changes: (await reader.changesSince(0, 1_000)).length,
        snapshot: (await reader.snapshot(undefined, 1_000)).length,
        allLive: idsOf(await reader.overlapping('entries', dateSpan({}))),
        overlapping: idsOf(await reader.overlapping('entries', everything)),
        count: await reader.count('closed_days', everything),
        sum: (await reader.sumDeltas('balance_adjustments', everything)).sum,
      }))
    expect(await seenBy(one)).toMatchObject({
      version: 15,
      changes: 15,
      snapshot: 15,
      allLive: ids,
      overlapping: ids,
      count: 3,
      sum: 9,
    })
    expect(await seenBy(two)).toEqual({
      version: 6,
      found: ['entries a', ...recordKinds.map((kind) => `${kind} b`)].toSorted(),
      changes: 6,
      snapshot: 5,
      allLive: ['b'],
      overlapping: ['b'],
      count: 1,
      sum: 3,
    })
    expect(await seenBy(none)).toMatchObject({
      version: 0,
      found: [],
      changes: 0,
      snapshot: 0,
      allLive: [],
      count: 0,
      sum: 0,
    })
    // A write of one is no change of the other.
    const before = await seenBy(one)
    await contract.put(two, ...ids.map((id) => tombstone('entries', id)))
    await contract.records.write(two, (writer) => writer.prune(Number.MAX_SAFE_INTEGER))
    expect(await seenBy(one)).toEqual(before)
  })
}

function byKey(a: RecordKey, b: RecordKey): number {
  return Buffer.compare(Buffer.from(`${a.kind} ${a.id}`), Buffer.from(`${b.kind} ${b.id}`))
}
