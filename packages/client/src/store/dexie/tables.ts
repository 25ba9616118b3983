import { DAY_MS, type EpochMs, itemAt, recordKinds } from '@saldo/core'
import { Dexie, type Table as DexieTable, type Transaction } from 'dexie'
import { intervalOfDates, overlapsInterval, storedSpanOf } from '../entry-span.ts'
import { StoreError } from '../errors.ts'
import { type BaseRecord, type Conflict, kindOf, type Meta, type RejectedChange, recordKey } from '../rows.ts'
import {
  type ChangeCounts,
  type Changed,
  type RowTableName,
  rowKeyOf,
  rowTableNames,
  type Table,
  type TableName,
  type Tables,
} from '../store.ts'
import { type OutboxBlock, outboxOver } from './outbox-blocks.ts'

/** The schema of the tables for Dexie. `outbox` is the name of a table of version 3, which has other keys. */
export const schema = {
  baseRecords: ',unconfirmed,unreadable,until,longUntil',
  outboxBlocks: ',*recordKeys',
  rejectedChanges: '',
  conflicts: '',
  meta: 'key',
} as const

const nameOf = {
  baseRecords: 'baseRecords',
  outbox: 'outboxBlocks',
  rejectedChanges: 'rejectedChanges',
  conflicts: 'conflicts',
} as const

const META_KEY = 'device'
/** The key of the change counts in the table of meta rows. */
const CHANGE_COUNTS_KEY = 'changeCounts'
/** The key of the number of rows of the outbox in the table of meta rows. */
const OUTBOX_COUNT_KEY = 'outboxCount'

/** The number of rows that are read or written at a time, so that a page stays responsive. */
const SLICE_ROWS = 150

/** Up to so many keys are looked up one by one: about as many as a push has. */
const FEW_KEYS = 250

/** The number of keys that IndexedDB lists in the time of one look-up, at least. */
const KEYS_PER_LOOKUP = 4

/** Longer entries have an index of their own, so that all others are found between two ends. */
const LONG_MS = DAY_MS

/** A base record as IndexedDB stores it. An index contains only rows that have its field. */
interface StoredBaseRecord {
  row: BaseRecord
  unconfirmed?: 1
  unreadable?: 1
  /** The end of an entry. */
  until?: EpochMs
  /** The end of a long entry; infinite while it is running. */
  longUntil?: EpochMs
}

function toStoredBaseRecord(row: BaseRecord): StoredBaseRecord {
  const span = storedSpanOf(row)
  return {
    row,
    ...(row.unconfirmed && { unconfirmed: 1 }),
    ...(row.isUnreadable && { unreadable: 1 }),
    ...(span && (span.end - span.start > LONG_MS ? { longUntil: span.end } : { until: span.end })),
  }
}

/** Converts rows of a table to what IndexedDB stores and back. */
interface Codec<Row, Stored> {
  encode(row: Row): Stored
  decode(stored: Stored): Row
}

const plain = { encode: <Row>(row: Row) => row, decode: <Row>(row: Row) => row }
const baseRecordCodec: Codec<BaseRecord, StoredBaseRecord> = { encode: toStoredBaseRecord, decode: ({ row }) => row }

export interface Effects {
  readonly changed: Set<Changed>
  failed: { error: unknown } | undefined
}

/** Returns the tables in a transaction of Dexie, which records its effects. */
export function tablesOf(
  transaction: Transaction,
  effects: Effects = { changed: new Set(), failed: undefined },
): Tables {
  const request = <T>(result: PromiseLike<T>): Promise<T> =>
    Dexie.Promise.resolve(result).catch((error: unknown) => {
      effects.failed ??= { error }
      throw error
    })
  const write = async (name: TableName, rows: readonly unknown[], work: () => PromiseLike<unknown>) => {
    if (rows.length > 0) effects.changed.add(name)
    await request(work())
  }
  const table = <Row, Stored>(
    name: Exclude<RowTableName, 'outbox'>,
    { encode, decode }: Codec<Row, Stored>,
  ): Table<Row> => {
    const stored = transaction.table<Stored, string>(nameOf[name])
    const key = rowKeyOf[name] as (row: Row) => string
    const noteKinds = (keys: readonly string[]) => {
      if (name === 'baseRecords') for (const one of keys) effects.changed.add(kindOf(one))
    }
    return {
      get: (one) => request(stored.get(one)).then((found) => found && decode(found)),
      getAll: (keys) => request(readAll(keys, stored)).then((found) => found.map((one) => one && decode(one))),
      all: () => request(rowsUnder('', stored, decode, key)),
      count: () => request(stored.count()),
      put: (rows) => {
        noteKinds(rows.map(key))
        return write(name, rows, () => inSlices(rows, (slice) => stored.bulkPut(slice.map(encode), slice.map(key))))
      },
      delete: (keys) => {
        noteKinds(keys)
        return write(name, keys, () => inSlices(keys, (slice) => stored.bulkDelete(slice)))
      },
    }
  }

  const baseRecords = transaction.table<StoredBaseRecord, string>(nameOf.baseRecords)
  const baseRecordsIn = (...queries: { toArray(): PromiseLike<StoredBaseRecord[]> }[]): Promise<BaseRecord[]> =>
    request(Dexie.Promise.all(queries.map((query) => query.toArray()))).then((rows) =>
      rows.flat().map(baseRecordCodec.decode),
    )
  const meta = transaction.table<{ key: string; value: Meta }, string>('meta')
  const outboxCount = transaction.table<{ key: string; value: number }, string>('meta')
  const outbox = outboxOver(transaction.table<OutboxBlock, number>(nameOf.outbox), {
    get: async () => (await outboxCount.get(OUTBOX_COUNT_KEY))?.value ?? 0,
    set: (value) => outboxCount.put({ key: OUTBOX_COUNT_KEY, value }),
  })
  return {
    baseRecords: {
      ...table('baseRecords', baseRecordCodec),
      each: (visit) => request(forEachUnder('', baseRecords, baseRecordCodec.decode, recordKey, visit)),
      ofKind: (kind) => request(rowsUnder(`${kind} `, baseRecords, baseRecordCodec.decode, recordKey)),
      unconfirmed: () => baseRecordsIn(baseRecords.where('unconfirmed').equals(1)),
      unreadable: () => baseRecordsIn(baseRecords.where('unreadable').equals(1)),
      entriesIn: async (range) => {
        const days = intervalOfDates(range)
        const near = await baseRecordsIn(
          baseRecords.where('until').between(days.start, days.end + LONG_MS, true, true),
          baseRecords.where('longUntil').above(days.start),
        )
        return near.filter((row) => overlapsInterval(row, days))
      },
    },
    outbox: {
      get: (position) => request(outbox.get(position)),
      getAll: (positions) => request(outbox.getAll(positions)),
      ofRecords: (keys) => request(outbox.ofRecords(keys)),
      first: (count) => request(outbox.first(count)),
      all: () => request(outbox.all()),
      count: () => request(outbox.count()),
      put: (rows) => write('outbox', rows, () => outbox.put(rows)),
      delete: (positions) => write('outbox', positions, () => outbox.delete(positions)),
    },
    rejectedChanges: table<RejectedChange, RejectedChange>('rejectedChanges', plain),
    conflicts: table<Conflict, Conflict>('conflicts', plain),
    meta: () =>
      request(meta.get(META_KEY)).then((row) => {
        if (!row) throw new StoreError('damaged')
        return row.value
      }),
    changeCounts: () => request(changeCountsIn(transaction)),
    setMeta: (value) => write('meta', [value], () => meta.put({ key: META_KEY, value })),
    wipe: async () => {
      for (const kind of recordKinds) effects.changed.add(kind)
      for (const name of rowTableNames) await write(name, [name], () => transaction.table(nameOf[name]).clear())
      await request(meta.delete(OUTBOX_COUNT_KEY))
    },
  }
}

async function changeCountsIn(transaction: Transaction): Promise<ChangeCounts> {
  const row = await transaction.table<{ key: string; value: ChangeCounts }>('meta').get(CHANGE_COUNTS_KEY)
  return row?.value ?? {}
}

/** Counts a transaction for all that it wrote to. */
export async function countChanges(transaction: Transaction, changed: ReadonlySet<Changed>): Promise<void> {
  const before = await changeCountsIn(transaction)
  const counted = Object.fromEntries([...changed].map((name) => [name, (before[name] ?? 0) + 1]))
  await transaction.table('meta').put({ key: CHANGE_COUNTS_KEY, value: { ...before, ...counted } })
}

/** Calls `visit` with the rows whose keys begin with `prefix` and are longer, in the order of the keys. */
async function forEachUnder<Row, Stored>(
  prefix: string,
  stored: DexieTable<Stored, string>,
  decode: (stored: Stored) => Row,
  keyOfRow: (row: Row) => string,
  visit: (row: Row) => void,
): Promise<void> {
  for (let after = prefix; ; ) {
    const slice = stored.where(':id').between(after, `${prefix}\uffff`, false, true).limit(SLICE_ROWS)
    const rows = (await slice.toArray()).map(decode)
    for (const row of rows) visit(row)
    const last = rows.at(-1)
    if (rows.length < SLICE_ROWS || last === undefined) return
    after = keyOfRow(last)
  }
}

/** Returns the same rows. */
async function rowsUnder<Row, Stored>(
  prefix: string,
  stored: DexieTable<Stored, string>,
  decode: (stored: Stored) => Row,
  keyOfRow: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = []
  await forEachUnder(prefix, stored, decode, keyOfRow, (row) => rows.push(row))
  return rows
}

/**
 * Returns the rows of keys, in their order. Of many keys, those without a row are found by one request, unless the
 * table has many more rows between them.
 */
async function readAll<T>(keys: readonly string[], stored: DexieTable<T, string>): Promise<(T | undefined)[]> {
  let wanted = keys
  if (keys.length > FEW_KEYS) {
    const ordered = keys.toSorted()
    const range = stored.where(':id').between(ordered[0], ordered.at(-1), true, true)
    const limit = keys.length * KEYS_PER_LOOKUP
    const present = new Set(await range.limit(limit).primaryKeys())
    if (present.size < limit) wanted = keys.filter((key) => present.has(key))
  }
  const rowsByKey = new Map<string, T | undefined>()
  for (let at = 0; at < wanted.length; at += SLICE_ROWS) {
    const slice = wanted.slice(at, at + SLICE_ROWS)
    for (const [index, row] of (await stored.bulkGet(slice)).entries()) rowsByKey.set(itemAt(slice, index), row)
  }
  return keys.map((key) => rowsByKey.get(key))
}

async function inSlices<T>(rows: readonly T[], write: (slice: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += SLICE_ROWS) await write(rows.slice(at, at + SLICE_ROWS))
}
