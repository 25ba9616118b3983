import { isRecordKind, type JsonObject } from '@saldo/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StoreError } from '../src/store/errors.ts'
import { type BaseRecord, changeKey, recordKey } from '../src/store/rows.ts'
import type { LocalStore, Table, Tables } from '../src/store/store.ts'
import { describeEntriesIn } from './entries-contract.ts'
import { baseRecord, conflict, contents, outboxRow, rejectedChange } from './rows.ts'

/** Opens stores over the same data, one after another: what one kept the next one has. */
export type Opening = () => Promise<() => LocalStore>

/** Tests the contract of `LocalStore`. */
export function describeLocalStore(name: string, opening: Opening): void {
  const opened = async () => {
    const open = await opening()
    const store = open()
    onTestFinished(() => store.close())
    return { store, open }
  }
  const listening = async () => {
    const { store } = await opened()
    const heard: string[][] = []
    const end = store.subscribe((changed) => heard.push([...changed].filter((one) => !isRecordKind(one)).toSorted()))
    return { store, heard, end }
  }

  describe(name, () => {
    test('[D7.13] the first rows of the outbox are those with the lowest places', async () => {
      const { store } = await opened()
      const placed = (number: number, place: number) => ({ ...outboxRow(number), place })
      await store.write((tables) =>
        tables.outbox.put([placed(1, 1_030), placed(2, 99), placed(3, 200), placed(4, 100)]),
      )
      const first = (count: number) => store.read((tables) => tables.outbox.first(count))
      expect(await first(2)).toEqual([placed(2, 99), placed(4, 100)])
      expect((await first(9)).map(({ place }) => place)).toEqual([99, 100, 200, 1_030])
      await store.write((tables) => tables.outbox.delete([99, 200]))
      expect(await first(2)).toEqual([placed(4, 100), placed(1, 1_030)])
      expect(await first(0)).toEqual([])
    })

    test('[D7.12] the rows of the outbox are found by their records, in the order of the records', async () => {
      const { store } = await opened()
      await store.write((tables) => tables.outbox.put(Array.from({ length: 300 }, (_, index) => outboxRow(index + 1))))
      await store.write((tables) => tables.outbox.delete([2, 250]))
      const rowsOf = (...numbers: number[]) =>
        store.read((tables) => tables.outbox.ofRecords(numbers.map((number) => recordKey(outboxRow(number)))))
      expect(await rowsOf(260, 250, 1, 999, 150, 2)).toEqual([
        outboxRow(260),
        undefined,
        outboxRow(1),
        undefined,
        outboxRow(150),
        undefined,
      ])
      expect(await rowsOf()).toEqual([])
    })

    test('[D7.50] an outbox of hundreds of rows is put, replaced and deleted in parts', async () => {
      const { store, open } = await opened()
      const rows = Array.from({ length: 400 }, (_, index) => outboxRow(3 * index + 5))
      const places = rows.map(({ place }) => place)
      await store.write((tables) => tables.outbox.put(rows.toReversed()))
      const sent = rows.slice(100, 250).map((row) => ({ ...row, generation: 1 }))
      await store.write((tables) => tables.outbox.put(sent))
      await store.write((tables) => tables.outbox.delete([...places.slice(0, 120), 6, 9_999]))
      const failing = store.write(async (tables) => {
        await tables.outbox.delete(places)
        expect([await tables.outbox.count(), await tables.outbox.all()]).toEqual([0, []])
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      const expected = [...sent.slice(20), ...rows.slice(250)]
      await store.close()
      const again = open()
      onTestFinished(() => again.close())
      expect(await again.read((tables) => tables.outbox.first(500))).toEqual(expected)
      expect((await contents(again)).outbox).toEqual(expected)
      expect(await again.read((tables) => tables.outbox.count())).toBe(280)
      const [third, second, none] = await again.read((tables) => tables.outbox.getAll([371, 368, 5]))
      expect([second, third, none]).toEqual([expected[1], expected[2], undefined])
    })

    test('[D6.1] a new store has only a device id', async () => {
      const { store } = await opened()
      const { meta, ...tables } = await contents(store)
      expect(tables).toEqual({ baseRecords: [], outbox: [], rejectedChanges: [], conflicts: [] })
      expect(meta).toEqual({
        device: expect.stringMatching(/^[0-9a-f-]{36}$/),
        seq: 0,
        position: null,
        knownVersion: 0,
        offsetMs: 0,
        syncedAtMs: null,
        lostClosings: { weeks: [], days: [] },
      })
      expect(store.error()).toBeUndefined()
    })

    test('[D7.51] a transaction counts for the tables and kinds that it wrote to, if it is kept', async () => {
      const { store, open } = await opened()
      const counts = (of: LocalStore = store) => of.read((tables) => tables.changeCounts())
      expect(await counts()).toEqual({})
      await store.write(async (tables) => {
        await tables.outbox.put([outboxRow(1)])
        await tables.outbox.put([outboxRow(2)])
        await tables.baseRecords.put([baseRecord(1), { ...baseRecord(2), kind: 'closed_days' }])
      })
      expect(await counts()).toEqual({ outbox: 1, baseRecords: 1, entries: 1, closed_days: 1 })
      const failing = store.write(async (tables) => {
        await tables.outbox.delete([1])
        throw new RangeError('mine')
      })
      await expect(failing).rejects.toThrow('mine')
      await store.write((tables) => tables.outbox.delete([1]))
      expect(await counts()).toMatchObject({ outbox: 2, entries: 1 })
      await store.write((tables) => tables.wipe())
      await store.close()
      expect(await counts(open())).toMatchObject({ outbox: 3, entries: 2, closed_days: 2, conflicts: 1 })
    })

    for (const { rowCount, every } of [
      { rowCount: 200, every: 16 },
      { rowCount: 3_000, every: 1 },
    ]) {
      test(`[D7.50] hundreds of keys are read in their order among ${rowCount} rows`, async () => {
        const { store } = await opened()
        const rows = Array.from({ length: rowCount }, (_, index) => baseRecord(every * index))
        await store.write((tables) => tables.baseRecords.put(rows))
        const numbers = Array.from({ length: 400 }, (_, index) => 8 * (400 - index))
        const keys = [...numbers, 1, 2].map((number) => recordKey(baseRecord(number)))
        const found = await store.read((tables) => tables.baseRecords.getAll(keys))
        const rowsByKey = new Map(rows.map((row) => [recordKey(row), row]))
        expect(found).toEqual(keys.map((key) => rowsByKey.get(key)))
      })
    }

    test('[D7.50] each table puts, replaces, finds, lists and deletes under its key', async () => {
      const { store } = await opened()
      const exercise = async <Row, Key>(
        of: (tables: Tables) => Table<Row, Key>,
        keyOf: (row: Row) => Key,
        none: Key,
        [first, second, changed]: [Row, Row, Row],
      ) => {
        await store.write((tables) => of(tables).put([first, second]))
        await store.write((tables) => of(tables).put([changed]))
        expect(await store.write((tables) => of(tables).get(keyOf(first)))).toEqual(changed)
        expect(await store.write((tables) => of(tables).get(none))).toBeUndefined()
        expect(await store.read((tables) => of(tables as Tables).getAll([none, keyOf(first)]))).toEqual([
          undefined,
          changed,
        ])
        expect((await store.write((tables) => of(tables).all())).length).toBe(2)
        await store.write((tables) => of(tables).delete([keyOf(first), none]))
        expect(await store.write((tables) => of(tables).all())).toEqual([second])
      }
      await exercise((tables) => tables.baseRecords, recordKey, 'none', [
        baseRecord(1),
        baseRecord(2),
        baseRecord(1, null),
      ])
      await exercise(
        (tables) => tables.outbox,
        ({ place }) => place,
        99,
        [outboxRow(1), outboxRow(2), outboxRow(1, null)],
      )
      await exercise(
        (tables) => tables.rejectedChanges,
        (row) => changeKey(row.change),
        'none',
        [rejectedChange(1), rejectedChange(2), { ...rejectedChange(1), rejectedAtMs: 9 }],
      )
      await exercise(
        (tables) => tables.conflicts,
        (row) => changeKey(row.mine),
        'none',
        [conflict(1), conflict(2), { ...conflict(1), detectedAtMs: 9 }],
      )
    })

    test('[D7.12] one put of the same record twice keeps the later row', async () => {
      const { store } = await opened()
      await store.write((tables) => tables.outbox.put([outboxRow(1, { note: 'a' }), outboxRow(1, { note: 'b' })]))
      expect((await contents(store)).outbox).toEqual([outboxRow(1, { note: 'b' })])
    })

    test('[D7.56] the store counts the rows of a table', async () => {
      const { store } = await opened()
      const counts = () =>
        store.read(async (tables) => [
          await tables.baseRecords.count(),
          await tables.outbox.count(),
          await tables.rejectedChanges.count(),
          await tables.conflicts.count(),
        ])
      expect(await counts()).toEqual([0, 0, 0, 0])
      await store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1)])
        await tables.outbox.put([outboxRow(1), outboxRow(2)])
        await tables.conflicts.put([conflict(1)])
      })
      expect(await counts()).toEqual([1, 2, 0, 1])
    })

    test('[D7.27] base records are found by kind, and the unconfirmed ones on their own', async () => {
      const { store } = await opened()
      const closing: BaseRecord = { ...baseRecord(1), kind: 'closed_days' }
      const news: BaseRecord = { ...baseRecord(2), unconfirmed: true }
      await store.write((tables) => tables.baseRecords.put([closing, news, baseRecord(3)]))
      const found = (kind: BaseRecord['kind']) => store.write((tables) => tables.baseRecords.ofKind(kind))
      expect(await found('closed_days')).toEqual([closing])
      expect((await found('entries')).map(({ version }) => version).toSorted()).toEqual([2, 3])
      expect(await found('closed_weeks')).toEqual([])
      expect(await store.write((tables) => tables.baseRecords.unconfirmed())).toEqual([news])
      await store.write((tables) => tables.baseRecords.put([{ ...news, unconfirmed: false }]))
      expect(await store.write((tables) => tables.baseRecords.unconfirmed())).toEqual([])
      expect(await store.write((tables) => tables.baseRecords.get(recordKey(news)))).toEqual({
        ...news,
        unconfirmed: false,
      })
    })

    test('[D10.6] iterating over base records yields each once, across batches', async () => {
      const { store } = await opened()
      const rows = Array.from({ length: 400 }, (_, index) => baseRecord(index + 1))
      await store.write((tables) => tables.baseRecords.put(rows))
      const seen: BaseRecord[] = []
      await store.read((tables) => tables.baseRecords.each((row) => seen.push(row)))
      const byKey = (some: BaseRecord[]) => some.toSorted((a, b) => (recordKey(a) < recordKey(b) ? -1 : 1))
      expect(byKey(seen)).toEqual(byKey(rows))
    })

    test('[D7.28] unreadable records are returned as they arrived', async () => {
      const { store } = await opened()
      const odd: BaseRecord = { ...baseRecord(1, { kind: 'sabbatical' }), isUnreadable: true }
      await store.write((tables) => tables.baseRecords.put([odd, baseRecord(2)]))
      const unreadable = () => store.read((tables) => tables.baseRecords.unreadable())
      expect(await unreadable()).toEqual([odd])
      await store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
      expect(await unreadable()).toEqual([])
    })

    test('[R5.6] a wipe empties every table and leaves the meta row', async () => {
      const { store } = await opened()
      await store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1)])
        await tables.outbox.put([outboxRow(1)])
        await tables.rejectedChanges.put([rejectedChange(1)])
        await tables.conflicts.put([conflict(1)])
        await tables.setMeta({ ...(await tables.meta()), seq: 7 })
      })
      await store.write(async (tables) => {
        await tables.wipe()
        expect(await tables.outbox.count()).toBe(0)
        await tables.baseRecords.put([baseRecord(2)])
      })
      expect(await contents(store)).toEqual({
        baseRecords: [baseRecord(2)],
        outbox: [],
        rejectedChanges: [],
        conflicts: [],
        meta: expect.objectContaining({ seq: 7 }),
      })
    })

    test('[D7.51] a transaction reads its own writes, a wipe included', async () => {
      const { store } = await opened()
      const seen = await store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1), { ...baseRecord(2), unconfirmed: true }])
        await tables.baseRecords.delete([recordKey(baseRecord(1))])
        const meta = { ...(await tables.meta()), seq: 3, position: { version: 2, tag: 't' } }
        await tables.setMeta(meta)
        const before = [await tables.baseRecords.ofKind('entries'), await tables.baseRecords.unconfirmed()]
        const unchanged = (await tables.meta()).seq
        await tables.wipe()
        return { before, unchanged, after: await tables.baseRecords.all() }
      })
      const news = { ...baseRecord(2), unconfirmed: true }
      expect(seen).toEqual({ before: [[news], [news]], unchanged: 3, after: [] })
    })

    test('[D7.50] a transaction that throws writes nothing', async () => {
      const { store, open } = await opened()
      await store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1), baseRecord(2)])
        await tables.outbox.put([outboxRow(1)])
      })
      const before = await contents(store)
      const error = new Error('no')
      const failing = store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1, { note: 'new' }), baseRecord(3)])
        await tables.baseRecords.put([baseRecord(1, { note: 'newer' })])
        await tables.outbox.delete([1])
        await tables.setMeta({ ...(await tables.meta()), seq: 99 })
        await tables.wipe()
        await tables.rejectedChanges.put([rejectedChange(4)])
        throw error
      })
      await expect(failing).rejects.toBe(error)
      expect(await contents(store)).toEqual(before)
      await store.close()
      const again = open()
      onTestFinished(() => again.close())
      expect(await contents(again)).toEqual(before)
    })

    test('[D7.51] transactions run one after another, in the order of the calls', async () => {
      const { store } = await opened()
      const order: number[] = []
      const count = async (tables: Tables, number: number) => {
        const meta = await tables.meta()
        order.push(number)
        await tables.outbox.all()
        await tables.setMeta({ ...meta, seq: meta.seq + 1 })
      }
      const numbers = Array.from({ length: 50 }, (_, number) => number)
      const runs = numbers.map((number) =>
        store.write(async (tables) => {
          await count(tables, number)
          if (number % 10 === 3) throw new Error('no')
        }),
      )
      await Promise.allSettled(runs)
      expect(order).toEqual(numbers)
      expect((await contents(store)).meta.seq).toBe(45)
    })

    test('[D7.51] a read transaction sees everything written before it was requested, and nothing later', async () => {
      const { store } = await opened()
      const numbers = Array.from({ length: 20 }, (_, number) => number)
      const seen = numbers.map(async (number) => {
        const running = store.write((tables) => tables.baseRecords.put([baseRecord(number)]))
        const rows = store.read((tables) => tables.baseRecords.all())
        const failing = store.write(async (tables) => {
          await tables.baseRecords.put([baseRecord(100 + number)])
          throw new Error('no')
        })
        await expect(failing).rejects.toThrow('no')
        await running
        return (await rows).length
      })
      expect(await Promise.all(seen)).toEqual(numbers.map((number) => number + 1))
    })

    test('[D7.51] a failing read does not affect others', async () => {
      const { store } = await opened()
      const error = new Error('no')
      const failing = store.read(async (tables) => {
        await tables.baseRecords.all()
        throw error
      })
      await expect(failing).rejects.toBe(error)
      await store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
      expect((await contents(store)).baseRecords).toEqual([baseRecord(1)])
    })

    test('[D7.52] a listener gets the kinds of the rows put and deleted', async () => {
      const { store } = await opened()
      const heard: string[][] = []
      store.subscribe((changed) => heard.push([...changed].filter(isRecordKind)))
      const day = { ...baseRecord(1), kind: 'closed_days' } as const
      await store.write((tables) => tables.baseRecords.put([day]))
      await store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
      await store.write((tables) => tables.baseRecords.delete([recordKey(day)]))
      expect(heard).toEqual([['closed_days'], [baseRecord(1).kind], ['closed_days']])
      await store.write((tables) => tables.wipe())
      expect(heard[3]).toContain(baseRecord(1).kind)
    })

    test('[D7.52] a listener is called once for each transaction that wrote, with the changed tables', async () => {
      const { store, heard, end } = await listening()
      await store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1), baseRecord(2)])
        await tables.baseRecords.put([baseRecord(3)])
        await tables.outbox.delete([1])
        await tables.setMeta({ ...(await tables.meta()), seq: 1 })
      })
      expect(heard.splice(0)).toEqual([['baseRecords', 'meta', 'outbox']])
      await store.write(async (tables) => {
        await tables.baseRecords.all()
        await tables.outbox.put([])
        await tables.outbox.delete([])
      })
      await store.read(async (tables) => [await tables.baseRecords.all(), await tables.meta()])
      const failing = store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(3)])
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(heard).toEqual([])
      await store.write((tables) => tables.rejectedChanges.put([rejectedChange(1)]))
      await store.write((tables) => tables.wipe())
      expect(heard.splice(0)).toEqual([['rejectedChanges'], ['baseRecords', 'conflicts', 'outbox', 'rejectedChanges']])
      end()
      await store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
      expect(heard).toEqual([])
    })

    test('[D7.52] a listener can read the change from the store', async () => {
      const { store } = await opened()
      const seen: Promise<number>[] = []
      store.subscribe(() => {
        seen.push(store.write(async (tables) => (await tables.baseRecords.all()).length))
      })
      await store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
      await store.write((tables) => tables.baseRecords.put([baseRecord(2)]))
      expect(await Promise.all(seen)).toEqual([1, 2])
    })

    test('[D7.5] a store that is opened again shows everything', async () => {
      const { store, open } = await opened()
      await store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1), { ...baseRecord(2), unconfirmed: true }, baseRecord(3)])
        await tables.outbox.put([outboxRow(1), { ...outboxRow(2, null), sender: 'tab', generation: 2 }])
        await tables.rejectedChanges.put([rejectedChange(1)])
        await tables.conflicts.put([conflict(1)])
        await tables.setMeta({ ...(await tables.meta()), seq: 4, position: { version: 9, tag: 'x' }, offsetMs: -3 })
      })
      await store.write((tables) => tables.baseRecords.delete([recordKey(baseRecord(3))]))
      const before = await contents(store)
      expect(before.baseRecords).toHaveLength(2)
      await store.close()
      const again = open()
      await again.write((tables) => tables.baseRecords.put([baseRecord(4)]))
      await again.close()
      const third = open()
      onTestFinished(() => third.close())
      expect(await contents(third)).toEqual({ ...before, baseRecords: [...before.baseRecords, baseRecord(4)] })
    })

    test('[D1.2] unusual values are returned unchanged', async () => {
      const { store, open } = await opened()
      const nested = Array.from({ length: 32 }).reduce<JsonObject>((inner) => ({ inner: [inner] }), {})
      const odd: JsonObject[] = [
        { note: 'äß 漢字 🏳️‍🌈 \u0000 \u2028 \n " \\ \ud800', 'key 🏁\n': 1 },
        nested,
        { large: 'x'.repeat(64 * 1024) },
        { numbers: [2 ** 53 - 1, -(2 ** 53) + 1, 0.1, 5e-324, 1e308], nothing: null, empty: [{}, [], ''] },
        JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": 3, "hasOwnProperty": {"__proto__": null}}'),
        { toJSON: 1, 'a b': 2, '': 3, 'a.b': 4, '0': 5 },
      ]
      const rows = odd.map((record, index) => baseRecord(index + 1, record))
      await store.write((tables) => tables.baseRecords.put(rows))
      await store.close()
      const again = open()
      onTestFinished(() => again.close())
      const kept = (await contents(again)).baseRecords
      expect(kept.map(({ record }) => JSON.stringify(record))).toEqual(odd.map((record) => JSON.stringify(record)))
    })

    test('[D7.51] mutating an object after a put or read does not change the store', async () => {
      const { store } = await opened()
      const content: JsonObject = { tags: ['a'] }
      const row = outboxRow(1, content)
      await store.write((tables) => tables.outbox.put([row]))
      ;(content.tags as string[]).push('b')
      const [read] = (await contents(store)).outbox
      ;(read?.content?.tags as string[] | undefined)?.push('c')
      expect((await contents(store)).outbox).toEqual([outboxRow(1, { tags: ['a'] })])
    })

    test('[D7.50] one transaction stores ten thousand rows', async () => {
      const { store, open } = await opened()
      const rows = Array.from({ length: 10_000 }, (_, number) => baseRecord(number))
      await store.write((tables) => tables.baseRecords.put(rows))
      await store.close()
      const again = open()
      onTestFinished(() => again.close())
      expect((await contents(again)).baseRecords).toEqual(rows)
      expect(await again.read((tables) => tables.baseRecords.ofKind('entries'))).toHaveLength(10_000)
    })

    test('[D7.50] a throwing transaction of thousands of puts and deletes leaves nothing', async () => {
      const { store, heard } = await listening()
      const rows = Array.from({ length: 2_000 }, (_, number) => baseRecord(number))
      await store.write((tables) => tables.baseRecords.put(rows))
      const failing = store.write(async (tables) => {
        await tables.baseRecords.put(rows.map((row) => ({ ...row, kind: 'closed_days' as const })))
        await tables.baseRecords.delete(rows.map(recordKey))
        expect(await tables.baseRecords.ofKind('entries')).toEqual([])
        expect(await tables.baseRecords.ofKind('closed_days')).toHaveLength(2_000)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect((await contents(store)).baseRecords).toEqual(rows)
      expect(heard).toEqual([['baseRecords']])
    })

    test('[D7.51] tables used after their transaction write nothing', async () => {
      const { store } = await opened()
      const escaped = await store.write(async (tables) => {
        await tables.baseRecords.put([baseRecord(1)])
        return { tables }
      })
      await expect(escaped.tables.baseRecords.put([baseRecord(2)])).rejects.toThrow()
      expect((await contents(store)).baseRecords).toEqual([baseRecord(1)])
    })

    test('[D7.53] a closed store rejects calls with a typed error, and keeps earlier writes', async () => {
      const { store, open } = await opened()
      const last = store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
      const closing = store.close()
      await last
      await closing
      await store.close()
      await expect(store.write((tables) => tables.baseRecords.all())).rejects.toEqual(new StoreError('closed'))
      await expect(store.read((tables) => tables.baseRecords.all())).rejects.toEqual(new StoreError('closed'))
      await expect(store.erase()).rejects.toEqual(new StoreError('closed'))
      expect(store.error()).toEqual(new StoreError('closed'))
      const again = open()
      onTestFinished(() => again.close())
      expect((await contents(again)).baseRecords).toEqual([baseRecord(1)])
    })

    test('[D7.49] erasing a store closes it, and the next one starts empty', async () => {
      const { store, open } = await opened()
      const { meta } = await contents(store)
      const last = store.write((tables) => tables.baseRecords.put([baseRecord(1)]))
      const erasing = store.erase()
      await expect(store.write((tables) => tables.baseRecords.all())).rejects.toEqual(new StoreError('closed'))
      await last
      await erasing
      await store.close()
      expect(store.error()).toEqual(new StoreError('closed'))
      const again = open()
      onTestFinished(() => again.close())
      const anew = await contents(again)
      expect(anew).toEqual({
        baseRecords: [],
        outbox: [],
        rejectedChanges: [],
        conflicts: [],
        meta: { ...meta, device: anew.meta.device },
      })
      expect(anew.meta.device).not.toBe(meta.device)
      await again.write((tables) => tables.baseRecords.put([baseRecord(2)]))
      expect((await contents(again)).baseRecords).toEqual([baseRecord(2)])
    })

    describeEntriesIn(async () => (await opened()).store)
  })
}
