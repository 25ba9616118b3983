import { type JsonObject, type LocalDate, settingsIdOf, type UserNumber } from '@saldo/core'
import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { dexieStore } from '../../src/store/dexie/dexie-store.ts'
import { toOutboxRows } from '../../src/store/dexie/versions.ts'
import { contents, id, owner } from '../rows.ts'
import { type OldChange, OldProgram } from './old-databases.ts'

const USER = owner.user
const at = (second: number) => `2026-11-21T08:00:${String(second).padStart(2, '0')}.000Z` as const

const entry = (number: number, note: string): JsonObject => ({
  id: id(number),
  kind: 'work',
  started_at: at(0),
  note,
  created_at: at(0),
  updated_at: at(number),
  version: number,
})
const settings = (integerId: number, note: string): JsonObject => ({
  id: integerId,
  effective_from: '2026-11-01',
  note,
})
const adjustment = (number: number): JsonObject => ({
  id: id(number),
  delta_ms: 60_000,
  reason: 'opening',
  created_at: at(0),
  updated_at: at(number),
  version: number,
})
const upsert = (kind: OldChange['kind'], record: JsonObject, second: number): OldChange => ({
  kind,
  op: 'upsert',
  id: record.id as string | number,
  updated_at: at(second),
  record: { ...record, ...(kind !== 'settings_history' && { updated_at: at(second) }) },
})

function upgraded(indexedDB: IDBFactory, user = USER) {
  const store = dexieStore({ indexedDB, IDBKeyRange })({ ...owner, user })
  onTestFinished(() => store.close())
  return store
}

/** The database of a device of that version: pulled up to version 40, and changed without a network. */
async function oldDatabase(version: 1 | 2): Promise<IDBFactory> {
  const indexedDB = new IDBFactory()
  const program = await OldProgram.open(version, USER, indexedDB)
  await program.pulled(40, {
    entries: [entry(1, 'untouched'), entry(2, 'before'), entry(3, 'to be deleted')],
    closed_days: [{ id: id(9), date: '2026-11-20', updated_at: at(9), version: 9, settings_id: 5 }],
    settings_history: [settings(5, 'before'), settings(6, 'before')],
    ...(version === 2 && { balance_adjustments: [adjustment(7)] }),
  })
  const changes: OldChange[] = [
    upsert('settings_history', settings(5, 'changed'), 20),
    upsert('entries', entry(2, 'changed'), 21),
    upsert('entries', entry(4, 'created'), 22),
    { kind: 'entries', op: 'delete', id: id(3), updated_at: at(23) },
    upsert('entries', entry(2, 'changed again'), 24),
    upsert('settings_history', settings(-1, 'created'), 25),
    { kind: 'settings_history', op: 'delete', id: 6, updated_at: at(26) },
    upsert('settings_history', settings(-1, 'created, and changed'), 27),
    ...(version === 2 ? [upsert('balance_adjustments', adjustment(8), 28)] : []),
  ]
  for (const change of changes) await program.changedOffline(change)
  program.close()
  return indexedDB
}

test.each([1, 2] as const)(
  '[R5.7] [R6.3] [D7.55] a database of version %i is upgraded: settings cleared, the last version unset, the outbox kept',
  async (version) => {
    const store = upgraded(await oldDatabase(version))
    const { baseRecords, outbox, rejectedChanges, conflicts, meta } = await contents(store)

    expect(meta).toEqual({
      device: expect.stringMatching(/^[0-9a-f-]{36}$/),
      seq: version === 2 ? 9 : 8,
      position: null,
      knownVersion: 0,
      offsetMs: 0,
      syncedAtMs: null,
      lostClosings: { weeks: [], days: [] },
    })
    expect([rejectedChanges, conflicts]).toEqual([[], []])
    expect(baseRecords).toEqual([
      ...(version === 2 ? [heldRow('balance_adjustments', adjustment(7))] : []),
      heldRow('closed_days', { id: id(9), date: '2026-11-20', updated_at: at(9), version: 9, settings_id: 5 }),
      heldRow('entries', entry(1, 'untouched')),
    ])

    // Each of the changes was made in a second of its own, beginning with second 20.
    const queuedAtMs = (place: number) => Date.parse(at(19 + place))
    const { id: created } = outbox.find(({ content }) => content?.note === 'created, and changed') ?? { id: '' }
    const work = { kind: 'work', started_at: at(0) }
    const since = { effective_from: '2026-11-01' }
    const five = { kind: 'settings_history', id: settingsIdOf(USER, 5), content: { ...since, note: 'changed' } }
    expect(outbox.toSorted((a, b) => a.place - b.place)).toEqual(
      [
        { ...five, place: 1, seq: 1, updatedAt: at(20) },
        {
          kind: 'entries',
          id: id(2),
          content: { ...work, note: 'changed again' },
          place: 2,
          seq: 5,
          updatedAt: at(24),
        },
        { kind: 'entries', id: id(4), content: { ...work, note: 'created' }, place: 3, seq: 3, updatedAt: at(22) },
        { kind: 'entries', id: id(3), content: null, place: 4, seq: 4, updatedAt: at(23) },
        {
          kind: 'settings_history',
          id: created,
          content: { ...since, note: 'created, and changed' },
          place: 6,
          seq: 8,
          updatedAt: at(27),
        },
        { kind: 'settings_history', id: settingsIdOf(USER, 6), content: null, place: 7, seq: 7, updatedAt: at(26) },
        ...(version === 2
          ? [
              {
                kind: 'balance_adjustments',
                id: id(8),
                content: { delta_ms: 60_000, reason: 'opening' },
                place: 9,
                seq: 9,
                updatedAt: at(28),
              },
            ]
          : []),
      ].map((row) => ({ ...row, generation: 1, queuedAtMs: queuedAtMs(row.place), sender: null })),
    )
    expect(created).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  },
)

function heldRow(kind: string, record: JsonObject) {
  return { kind, id: record.id, version: record.version, updatedAt: record.updated_at, record, unconfirmed: false }
}

test('[R6.3] [R5.7] a database of version 3 keeps its outbox and does a cold start', async () => {
  const indexedDB = new IDBFactory()
  const program = await OldProgram.open(3, USER, indexedDB)
  await program.pulled(40, { entries: [entry(1, 'untouched')] })
  await program.changedOffline(upsert('settings_history', { ...settings(0, 'created'), id: id(5) }, 20))
  program.close()
  const { baseRecords, outbox, meta } = await contents(upgraded(indexedDB))
  expect(baseRecords).toEqual([heldRow('entries', entry(1, 'untouched'))])
  expect(outbox).toMatchObject([
    { kind: 'settings_history', id: id(5), content: { note: 'created' }, updatedAt: at(20) },
  ])
  expect(meta.position).toBeNull()
})

test('[R6.3] [D7.54] an upgraded database finds entries by their dates', async () => {
  const store = upgraded(await oldDatabase(2))
  const idsIn = async (from: LocalDate, to: LocalDate) =>
    (await store.read((tables) => tables.baseRecords.entriesIn({ from, to }))).map((row) => row.id)
  expect(await idsIn('2026-11-21', '2026-11-21')).toEqual([id(1)])
  expect(await idsIn('2026-11-01', '2026-11-20')).toEqual([])
})

test('[R6.3] a new and an upgraded local database have version 4 and the same tables', async () => {
  const tables = []
  for (const indexedDB of [new IDBFactory(), await oldDatabase(1), await oldDatabase(2)]) {
    const store = upgraded(indexedDB)
    await contents(store)
    await store.close()
    expect(await indexedDB.databases()).toEqual([{ name: `saldo-${USER}`, version: 40 }])
    const database = new Dexie(`saldo-${USER}`, { indexedDB, IDBKeyRange })
    await database.open()
    tables.push(
      database.tables.map(({ name, schema }) => [name, schema.primKey.src, ...schema.indexes.map((one) => one.src)]),
    )
    database.close()
  }
  expect(tables[0]).toEqual([
    ['baseRecords', '', 'longUntil', 'unconfirmed', 'unreadable', 'until'],
    ['conflicts', ''],
    ['meta', 'key'],
    ['outboxBlocks', '', '*recordKeys'],
    ['rejectedChanges', ''],
  ])
  expect(tables.slice(1)).toEqual([tables[0], tables[0]])
})

test('[R6.3] [R5.7] a failed upgrade leaves the old database unchanged, and the next one succeeds', async () => {
  const indexedDB = await oldDatabase(2)
  const uuid = () => {
    throw new Error('no chance')
  }
  const failing = dexieStore({ indexedDB, IDBKeyRange })({ user: USER, random: { ...owner.random, uuid } })
  await expect(contents(failing)).rejects.toMatchObject({
    name: 'StoreError',
    code: 'failed',
    cause: expect.anything(),
  })
  await failing.close()
  expect(await indexedDB.databases()).toEqual([{ name: `saldo-${USER}`, version: 20 }])
  expect((await contents(upgraded(indexedDB))).outbox).toHaveLength(7)
})

test('[D7.48] each user has a local database of their own', async () => {
  const indexedDB = new IDBFactory()
  const [ada, ben] = [upgraded(indexedDB, 1 as UserNumber), upgraded(indexedDB, 2 as UserNumber)]
  await ada.write(async (tables) => tables.setMeta({ ...(await tables.meta()), seq: 5 }))
  expect((await contents(ben)).meta.seq).toBe(0)
  expect((await indexedDB.databases()).map(({ name }) => name).toSorted()).toEqual(['saldo-1', 'saldo-2'])
})

test('[R5.7] [D7.55] migrating an old outbox keeps the latest change of each record, in queueing order', () => {
  const change = fc.record({
    id: fc.constantFrom(id(1), id(2), id(3)),
    op: fc.constantFrom('upsert' as const, 'delete' as const),
    second: fc.integer({ min: 0, max: 5 }),
    note: fc.string(),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const rows = changes.map(({ id, op, second, note }, index) => ({
        seq: 10 + index,
        kind: 'entries' as const,
        op,
        id,
        updated_at: at(second),
        ...(op === 'upsert' && { record: { id, note, updated_at: at(second) } }),
      }))
      const pending = toOutboxRows(rows.toReversed())
      expect(pending.map((row) => row.id)).toEqual([...new Set(changes.map((one) => one.id))])
      for (const row of pending) {
        const own = changes.filter((one) => one.id === row.id)
        const last = own.at(-1)
        expect(row.content).toEqual(last?.op === 'upsert' ? { note: last.note } : null)
        expect(row.seq).toBe(changes.findLastIndex((one) => one.id === row.id) + 1)
        expect(row.queuedAtMs).toBe(Date.parse(at(own[0]?.second ?? 0)))
        const latestBefore = Math.max(-1, ...own.slice(0, -1).map((one) => one.second))
        expect(row.updatedAt >= at(last?.second ?? 0)).toBe(true)
        expect(latestBefore === -1 || row.updatedAt > at(latestBefore)).toBe(true)
      }
    }),
  )
})
