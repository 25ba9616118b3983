import { DAY_MS, type EpochMs, recordKinds } from '@saldo/core'
import { Dexie, type Table as DexieTable, type Transaction } from 'dexie'
import type { Held } from '../../engine/base-record.ts'
import type { Pending } from '../../engine/outbox.ts'
import { daysOf, liesIn, spanOf } from '../entry-span.ts'
import { StoreError } from '../errors.ts'
import { inSlices, SLICE } from '../slices.ts'
import {
  type Changed,
  keyOf,
  kindOf,
  type Meta,
  type Overridden,
  type Refused,
  type RowTableName,
  recordKey,
  rowTableNames,
  type Table,
  type TableName,
  type Tables,
} from '../store.ts'

/** The schema of the tables, as Dexie takes it. A table named `outbox` with keys of another kind was there before. */
export const schema = {
  held: ',unconfirmed,unreadable,until,longUntil',
  pending: ',free',
  refused: '',
  overridden: '',
  meta: 'key',
} as const

const nameOf = { held: 'held', outbox: 'pending', refused: 'refused', overridden: 'overridden' } as const

const META_KEY = 'device'

/** Entries longer than this have an index of their own, so that the others are found by their end alone. */
const LONG_MS = DAY_MS

/** A row of `held` as it is stored. An index lists only rows that have its key. */
interface StoredHeld {
  row: Held
  unconfirmed?: 1
  unreadable?: 1
  /** The end of an entry. */
  until?: EpochMs
  /** The end of a long entry, infinite where it is running. */
  longUntil?: EpochMs
}

function storedHeld(row: Held): StoredHeld {
  const span = spanOf(row)
  return {
    row,
    ...(row.unconfirmed && { unconfirmed: 1 }),
    ...(row.isUnreadable && { unreadable: 1 }),
    ...(span && (span.end - span.start > LONG_MS ? { longUntil: span.end } : { until: span.end })),
  }
}

/** A row of the outbox as it is stored. */
interface StoredPending {
  row: Pending
  /** No tab is sending it. */
  free?: 1
}

/** How the rows of a table are stored. */
interface Form<Row, Stored> {
  stored(row: Row): Stored
  row(stored: Stored): Row
}

const asTheyAre = { stored: <Row>(row: Row) => row, row: <Row>(row: Row) => row }
const heldForm: Form<Held, StoredHeld> = { stored: storedHeld, row: ({ row }) => row }
const pendingForm: Form<Pending, StoredPending> = {
  stored: (row) => ({ row, ...(row.sender === null && { free: 1 }) }),
  row: ({ row }) => row,
}

/** What happened in a transaction. */
export interface Seen {
  readonly changed: Set<Changed>
  failed: { error: unknown } | undefined
}

/** The tables in a transaction of Dexie, which tells `seen` what happened. */
export function tablesOf(transaction: Transaction, seen: Seen = { changed: new Set(), failed: undefined }): Tables {
  const asked = <T>(answer: PromiseLike<T>): Promise<T> =>
    Dexie.Promise.resolve(answer).catch((error: unknown) => {
      seen.failed ??= { error }
      throw error
    })
  const change = <T>(name: TableName, parts: readonly T[], each: (slice: T[]) => PromiseLike<unknown>) => {
    if (parts.length > 0) seen.changed.add(name)
    return asked(inSlices(parts, each))
  }
  const table = <Row, Stored>(name: RowTableName, { stored, row }: Form<Row, Stored>): Table<Row> => {
    const kept = transaction.table<Stored, string>(nameOf[name])
    const key = keyOf[name] as (row: Row) => string
    return {
      get: (one) => asked(kept.get(one)).then((found) => found && row(found)),
      all: () => asked(rowsUnder('', kept, row, key)),
      put: (rows) => {
        if (name === 'held') for (const one of rows) seen.changed.add(kindOf(key(one)))
        return change(name, rows, (slice) => kept.bulkPut(slice.map(stored), slice.map(key)))
      },
      delete: (keys) => {
        if (name === 'held') for (const one of keys) seen.changed.add(kindOf(one))
        return change(name, keys, (slice) => kept.bulkDelete(slice))
      },
    }
  }

  const held = transaction.table<StoredHeld, string>(nameOf.held)
  const heldWhere = (...found: { toArray(): PromiseLike<StoredHeld[]> }[]): Promise<Held[]> =>
    asked(Dexie.Promise.all(found.map((one) => one.toArray()))).then((rows) => rows.flat().map(heldForm.row))
  const pending = transaction.table<StoredPending, string>(nameOf.outbox)
  const meta = transaction.table<{ key: string; value: Meta }, string>('meta')
  return {
    held: {
      ...table('held', heldForm),
      each: (visit) =>
        asked(
          rowsUnder(
            '',
            held,
            ({ row }) => {
              visit(row)
              return row
            },
            recordKey,
          ),
        ),
      ofKind: (kind) => asked(rowsUnder(recordKey({ kind, id: '' }), held, heldForm.row, recordKey)),
      unconfirmed: () => heldWhere(held.where('unconfirmed').equals(1)),
      unreadable: () => heldWhere(held.where('unreadable').equals(1)),
      entriesIn: async (range) => {
        const days = daysOf(range)
        const near = await heldWhere(
          held.where('until').between(days.start, days.end + LONG_MS, true, true),
          held.where('longUntil').above(days.start),
        )
        return near.filter((row) => liesIn(row, days))
      },
    },
    outbox: {
      ...table('outbox', pendingForm),
      hasFree: () => asked(pending.where('free').equals(1).limit(1).primaryKeys()).then((keys) => keys.length > 0),
    },
    refused: table<Refused, Refused>('refused', asTheyAre),
    overridden: table<Overridden, Overridden>('overridden', asTheyAre),
    meta: () =>
      asked(meta.get(META_KEY)).then((row) => {
        if (!row) throw new StoreError('damaged')
        return row.value
      }),
    setMeta: (value) => change('meta', [value], () => meta.put({ key: META_KEY, value })),
    wipe: async () => {
      for (const kind of recordKinds) seen.changed.add(kind)
      for (const name of rowTableNames) await change(name, [name], () => transaction.table(nameOf[name]).clear())
    },
  }
}

/** The rows whose keys begin with `prefix` and go on, in the order of the keys. */
async function rowsUnder<Row, Stored>(
  prefix: string,
  kept: DexieTable<Stored, string>,
  rowOf: (stored: Stored) => Row,
  keyOfRow: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = prefix; ; ) {
    const found = await kept.where(':id').between(after, `${prefix}\uffff`, false, true).limit(SLICE).toArray()
    for (const one of found) rows.push(rowOf(one))
    const last = rows.at(-1)
    if (found.length < SLICE || last === undefined) return rows
    after = keyOfRow(last)
  }
}
