import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { intervalOfDates, storedSpanOf } from '../entry-span.ts'
import { StoreError } from '../errors.ts'
import { type BaseRecord, kindOf, type Meta, type OutboxRow, recordKey } from '../rows.ts'
import { type Changed, type RowTableName, rowKeyOf, rowTableNames, type Table, type Tables } from '../store.ts'

export const schema = `
  CREATE TABLE meta (id INTEGER PRIMARY KEY CHECK (id = 1), user INTEGER NOT NULL, value TEXT NOT NULL);
  CREATE TABLE base_records (
    key TEXT PRIMARY KEY, row TEXT NOT NULL, kind TEXT NOT NULL, unconfirmed INTEGER NOT NULL,
    unreadable INTEGER NOT NULL, start_ms REAL, end_ms REAL
  );
  CREATE INDEX base_records_by_kind ON base_records (kind);
  CREATE INDEX base_records_unconfirmed ON base_records (key) WHERE unconfirmed;
  CREATE INDEX base_records_unreadable ON base_records (key) WHERE unreadable;
  CREATE INDEX base_records_by_end ON base_records (end_ms) WHERE end_ms IS NOT NULL;
  CREATE TABLE outbox (key INTEGER PRIMARY KEY, row TEXT NOT NULL, record TEXT NOT NULL UNIQUE);
  CREATE TABLE rejected_changes (key TEXT PRIMARY KEY, row TEXT NOT NULL);
  CREATE TABLE conflicts (key TEXT PRIMARY KEY, row TEXT NOT NULL);
  CREATE TABLE change_counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL);
`

/** The SQL name of each table, and the columns of a row that indexes need. */
const definitions: Record<RowTableName, { name: string; columnsOf: (row: never) => Record<string, SQLInputValue> }> = {
  baseRecords: { name: 'base_records', columnsOf: baseRecordColumns },
  outbox: { name: 'outbox', columnsOf: (row: OutboxRow) => ({ record: recordKey(row) }) },
  rejectedChanges: { name: 'rejected_changes', columnsOf: () => ({}) },
  conflicts: { name: 'conflicts', columnsOf: () => ({}) },
}

function baseRecordColumns(row: BaseRecord): Record<string, SQLInputValue> {
  const span = storedSpanOf(row)
  return {
    kind: row.kind,
    unconfirmed: Number(row.unconfirmed),
    unreadable: Number(row.isUnreadable === true),
    start_ms: span?.start ?? null,
    end_ms: span?.end ?? null,
  }
}

/** A transaction, as its tables see it. */
export interface Transaction {
  readonly changed: Set<Changed>
  /** Runs a statement. Throws a `StoreError` if it fails or if the transaction has ended. */
  attempt<T>(work: (database: DatabaseSync) => T): T
}

/** Counts a transaction for all that it wrote to. */
export function countChanges({ changed, attempt }: Transaction): void {
  attempt((database) => {
    const count = database.prepare(
      'INSERT INTO change_counts (name, count) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1',
    )
    for (const name of changed) count.run(name)
  })
}

/** Returns a row, which this store has written itself. */
function rowIn<Row>(text: SQLOutputValue | undefined): Row {
  return JSON.parse(String(text)) as Row
}

export function tablesOf({ changed, attempt }: Transaction): Tables {
  const select = <Row>(sql: string, ...values: SQLInputValue[]): Row[] =>
    attempt((database) => database.prepare(sql).all(...values)).map(({ row }) => rowIn<Row>(row))
  const write = (sql: string, rows: readonly SQLInputValue[][]) =>
    attempt((database) => {
      const statement = database.prepare(sql)
      for (const values of rows) statement.run(...values)
    })
  const note = (table: RowTableName, keys: readonly SQLInputValue[]) => {
    if (keys.length > 0) changed.add(table)
    if (table === 'baseRecords') for (const key of keys) changed.add(kindOf(String(key)))
  }
  /** Returns the row of each key, by a statement that selects one. */
  const rowsBy = <Row>(sql: string, keys: readonly SQLInputValue[]): (Row | undefined)[] =>
    attempt((database) => {
      const statement = database.prepare(sql)
      return keys.map((key) => {
        const found = statement.get(key)
        return found && rowIn<Row>(found.row)
      })
    })
  const table = <Row, Key extends string | number = string>(tableName: RowTableName): Table<Row, Key> => {
    const { name } = definitions[tableName]
    const columnsOf = definitions[tableName].columnsOf as (row: Row) => Record<string, SQLInputValue>
    const key = rowKeyOf[tableName] as (row: Row) => string | number
    return {
      get: async (one) => select<Row>(`SELECT row FROM ${name} WHERE key = ?`, one)[0],
      getAll: async (keys) => rowsBy<Row>(`SELECT row FROM ${name} WHERE key = ?`, keys),
      all: async () => select<Row>(`SELECT row FROM ${name} ORDER BY key`),
      count: async () => Number(select(`SELECT count(*) AS row FROM ${name}`)[0]),
      put: async (rows) => {
        const [first] = rows
        if (!first) return
        note(tableName, rows.map(key))
        const columns = ['key', 'row', ...Object.keys(columnsOf(first))]
        const sql = `INSERT OR REPLACE INTO ${name} (${columns}) VALUES (${columns.map(() => '?')})`
        write(
          sql,
          rows.map((row) => [key(row), JSON.stringify(row), ...Object.values(columnsOf(row))]),
        )
      },
      delete: async (keys) => {
        note(tableName, keys)
        write(
          `DELETE FROM ${name} WHERE key = ?`,
          keys.map((one) => [one]),
        )
      },
    }
  }
  const baseRecords = (condition: string, ...values: SQLInputValue[]) =>
    select<BaseRecord>(`SELECT row FROM base_records WHERE ${condition}`, ...values)
  return {
    baseRecords: {
      ...table<BaseRecord>('baseRecords'),
      ofKind: async (kind) => baseRecords('kind = ?', kind),
      each: async (visit) => baseRecords('true').forEach(visit),
      unconfirmed: async () => baseRecords('unconfirmed'),
      unreadable: async () => baseRecords('unreadable'),
      entriesIn: async (range) => {
        const { start, end } = intervalOfDates(range)
        return start < end ? baseRecords('end_ms > ? AND start_ms < ?', start, end) : []
      },
    },
    outbox: {
      ...table<OutboxRow, number>('outbox'),
      first: async (count) => select<OutboxRow>('SELECT row FROM outbox ORDER BY key LIMIT ?', count),
      ofRecords: async (keys) => rowsBy<OutboxRow>('SELECT row FROM outbox WHERE record = ?', keys),
    },
    rejectedChanges: table('rejectedChanges'),
    conflicts: table('conflicts'),
    meta: async () => {
      const [meta] = select<Meta>('SELECT value AS row FROM meta')
      if (!meta) throw new StoreError('damaged')
      return meta
    },
    changeCounts: async () =>
      Object.fromEntries(
        attempt((database) => database.prepare('SELECT name, count FROM change_counts').all()).map(
          ({ name, count }) => [String(name), Number(count)] as const,
        ),
      ),
    setMeta: async (meta) => {
      changed.add('meta')
      write('UPDATE meta SET value = ?', [[JSON.stringify(meta)]])
    },
    wipe: async () => {
      const kinds = attempt((database) => database.prepare('SELECT DISTINCT kind FROM base_records').all())
      for (const { kind } of kinds) changed.add(kind as Changed)
      for (const name of rowTableNames) {
        changed.add(name)
        write(`DELETE FROM ${definitions[name].name}`, [[]])
      }
    },
  }
}
