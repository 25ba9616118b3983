import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalDate } from '@saldo/core'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, onTestFinished, test } from 'vitest'
import { cachingStore } from '../src/store/caching-store.ts'
import { dexieStore } from '../src/store/dexie/dexie-store.ts'
import { StoreError } from '../src/store/errors.ts'
import { sqliteStore } from '../src/store/node/sqlite-store.ts'
import type { BaseRecord } from '../src/store/rows.ts'
import type { LocalStore, ReadTables, Tables } from '../src/store/store.ts'
import { baseRecord, conflict, id, outboxRow, owner, rejectedChange } from './rows.ts'

const day = (number: number, version = number): BaseRecord => ({ ...baseRecord(number), kind: 'closed_days', version })

function opened(): { store: LocalStore; kept: LocalStore; looks: () => number; transactions: () => number } {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-remembering-'))
  const kept = sqliteStore(join(folder, 'client.db'))(owner)
  let looks = 0
  let transactions = 0
  const counting: LocalStore = {
    write: (body) => kept.write(body),
    read: (body) => {
      transactions += 1
      return kept.read((tables) => {
        const ofKind = (kind: BaseRecord['kind']) => {
          looks += 1
          return tables.baseRecords.ofKind(kind)
        }
        return body({ ...tables, baseRecords: { ...tables.baseRecords, ofKind } })
      })
    },
    subscribe: (listener) => kept.subscribe(listener),
    subscribeToErrors: (listener) => kept.subscribeToErrors(listener),
    error: () => kept.error(),
    close: () => kept.close(),
    erase: () => kept.erase(),
  }
  onTestFinished(async () => {
    await kept.close()
    rmSync(folder, { recursive: true })
  })
  return { store: cachingStore(counting), kept, looks: () => looks, transactions: () => transactions }
}

const days = (store: LocalStore) => store.read((tables) => tables.baseRecords.ofKind('closed_days'))

test('rarely changing records are read once until they change', async () => {
  const { store, looks } = opened()
  await store.write((tables) => tables.baseRecords.put([day(1), day(2)]))
  for (let time = 0; time < 3; time += 1) expect(await days(store)).toEqual([day(1), day(2)])
  await store.write((tables) => tables.baseRecords.put([baseRecord(3)]))
  expect(await days(store)).toEqual([day(1), day(2)])
  expect(looks()).toBe(1)
  await store.write((tables) => tables.baseRecords.put([day(2, 9)]))
  expect(await days(store)).toEqual([day(1), day(2, 9)])
  await store.write((tables) => tables.wipe())
  expect(await days(store)).toEqual([])
})

test('records that change during a read are read again', async () => {
  const { store } = opened()
  await store.write((tables) => tables.baseRecords.put([day(1)]))
  const early = store.read(async (tables) => {
    const rows = await tables.baseRecords.ofKind('closed_days')
    await tables.meta()
    return rows
  })
  const change = store.write((tables) => tables.baseRecords.put([day(2)]))
  await Promise.all([early, change])
  expect(await days(store)).toEqual([day(1), day(2)])
})

test('entries are not cached, because there are many', async () => {
  const { store, looks } = opened()
  const entries = () => store.read((tables) => tables.baseRecords.ofKind('entries'))
  await entries()
  await entries()
  expect(looks()).toBe(2)
})

test('[D7.54] ranges of entries that begin on the same date are cached apart', async () => {
  const { store } = opened()
  const sick = (number: number, date: LocalDate) => baseRecord(number, { id: id(number), kind: 'sick', date })
  await store.write((tables) => tables.baseRecords.put([sick(1, '2026-11-20'), sick(2, '2026-11-21')]))
  const until = async (to: LocalDate) =>
    (await store.read((tables) => tables.baseRecords.entriesIn({ from: '2026-11-20', to }))).length
  expect([await until('2026-11-20'), await until('2026-11-21'), await until('2026-11-20')]).toEqual([1, 2, 1])
})

const cached: [string, (tables: ReadTables) => Promise<unknown>, (tables: Tables) => Promise<void>][] = [
  [
    'closed days',
    ({ baseRecords }) => baseRecords.ofKind('closed_days'),
    ({ baseRecords }) => baseRecords.put([day(1)]),
  ],
  [
    'unreadable records',
    ({ baseRecords }) => baseRecords.unreadable(),
    ({ baseRecords }) => baseRecords.put([{ ...day(1), isUnreadable: true }]),
  ],
  [
    'entries of a range',
    ({ baseRecords }) => baseRecords.entriesIn({ from: '2026-11-20', to: '2026-11-20' }),
    ({ baseRecords }) => baseRecords.put([baseRecord(1, { id: id(1), kind: 'sick', date: '2026-11-20' })]),
  ],
  ['unsent changes', ({ outbox }) => outbox.all(), ({ outbox }) => outbox.put([outboxRow(1)])],
  ['rejected changes', (of) => of.rejectedChanges.all(), (of) => of.rejectedChanges.put([rejectedChange(1)])],
  ['conflicts', ({ conflicts }) => conflicts.all(), ({ conflicts }) => conflicts.put([conflict(1)])],
  ['the meta row', (of) => of.meta(), async (of) => of.setMeta({ ...(await of.meta()), syncedAtMs: 7 })],
]

test.each(cached)('[D7.51] %s: a change is read, whatever else changed before', async (...row) => {
  const [, read, change] = row
  const { store, kept } = opened()
  const before = await store.read(read)
  for (const [name, , other] of cached) if (name !== row[0]) await store.write(other)
  expect(await store.read(read)).toEqual(await kept.read(read))
  await store.write(change)
  const after = await store.read(read)
  expect(after).toEqual(await kept.read(read))
  expect(after).not.toEqual(before)
})

test('simultaneous reads share a transaction and its results', async () => {
  const { store, looks, transactions } = opened()
  await store.write((tables) => tables.baseRecords.put([day(1)]))
  const answers = await Promise.all([days(store), days(store), store.read((tables) => tables.meta())])
  expect(answers).toMatchObject([[day(1)], [day(1)], { seq: 0 }])
  expect([looks(), transactions()]).toEqual([1, 1])
})

test('a throwing reader does not affect others', async () => {
  const { store } = opened()
  await store.write((tables) => tables.baseRecords.put([day(1)]))
  const failing = store.read(async () => {
    throw new RangeError('mine')
  })
  const [failed, rows] = await Promise.allSettled([failing, days(store)])
  expect(failed).toMatchObject({ status: 'rejected', reason: new RangeError('mine') })
  expect(rows).toMatchObject({ status: 'fulfilled', value: [day(1)] })
})

test('a store that cannot read fails all waiting readers', async () => {
  const { store } = opened()
  await store.close()
  const outcomes = await Promise.allSettled([days(store), days(store)])
  expect(outcomes.map((one) => one.status === 'rejected' && one.reason)).toEqual([
    new StoreError('closed'),
    new StoreError('closed'),
  ])
})

test('a read after a write sees it', async () => {
  const { store } = opened()
  const waiting = () => store.read((tables) => tables.outbox.all())
  expect(await waiting()).toEqual([])
  const meta = await store.read((tables) => tables.meta())
  for (const seq of [1, 2, 3]) {
    await store.write((tables) => tables.setMeta({ ...meta, seq }))
    expect((await store.read((tables) => tables.meta())).seq).toBe(seq)
  }
})

test('[D7.51] a read while changes are settled has either the unsent change or its result, in every tab', async () => {
  const indexedDB = new IDBFactory()
  const [store, tab] = [0, 1].map(() => dexieStore({ indexedDB, IDBKeyRange })(owner)) as [LocalStore, LocalStore]
  onTestFinished(async () => void (await Promise.all([store.close(), tab.close()])))
  const caching = cachingStore(store)
  const shown = () =>
    caching.read(async ({ baseRecords, outbox }) => {
      const [base] = await baseRecords.entriesIn({ from: '2026-11-21', to: '2026-11-21' })
      return { note: base?.record?.note, waiting: (await outbox.all()).length }
    })
  const entry = (note: string) => baseRecord(1, { started_at: '2026-11-21T08:00:00.000Z', ended_at: null, note })
  await store.write((tables) => tables.baseRecords.put([entry('before')]))
  for (const by of [store, tab]) {
    await shown()
    await by.write((tables) => tables.outbox.put([outboxRow(1)]))
    const settling = by.write(async (tables) => {
      await tables.baseRecords.put([entry('after')])
      await tables.outbox.delete([1])
    })
    const during = await shown()
    expect([
      { note: 'before', waiting: 1 },
      { note: 'after', waiting: 0 },
    ]).toContainEqual(during)
    await settling
    expect(await shown()).toEqual({ note: 'after', waiting: 0 })
    await store.write((tables) => tables.baseRecords.put([entry('before')]))
  }
})
