import type { Held } from '../engine/base-record.ts'
import type { Pending } from '../engine/outbox.ts'
import { daysOf, liesIn } from './entry-span.ts'
import { StoreError } from './errors.ts'
import {
  type Changed,
  keyOf,
  kindOf,
  type Meta,
  type ReadTable,
  type ReadTables,
  type RowTableName,
  rowTableNames,
  type Table,
  type Tables,
} from './store.ts'

/** A row that was put, or removed, or the meta row; all that a transaction can do. */
export type Write = { table: RowTableName; put: unknown[] } | { table: RowTableName; remove: string[] } | { meta: Meta }

type Rows = Record<RowTableName, Map<string, unknown>>

function changedBy(one: Write): Changed[] {
  if ('meta' in one) return ['meta']
  if (one.table !== 'held') return [one.table]
  const kinds = 'put' in one ? one.put.map((row) => (row as Held).kind) : one.remove.map(kindOf)
  return ['held', ...kinds]
}

/** The tables of a device in memory; the store around them says when a transaction counts. */
export class MemoryTables {
  readonly #rows: Rows = { held: new Map(), outbox: new Map(), refused: new Map(), overridden: new Map() }
  #meta: Meta

  constructor(meta: Meta) {
    this.#meta = meta
  }

  /** Everything there is, as the writes that would make it. */
  everything(): Write[] {
    const puts = rowTableNames.map((table) => ({ table, put: [...this.#rows[table].values()] }))
    return [{ meta: this.#meta }, ...puts]
  }

  apply(writes: readonly Write[]): void {
    for (const write of writes) {
      if ('meta' in write) this.#meta = write.meta
      else if ('put' in write) {
        for (const row of write.put) this.#rows[write.table].set(keyOf[write.table](row as never), row)
      } else for (const key of write.remove) this.#rows[write.table].delete(key)
    }
  }

  read<T>(body: (tables: ReadTables) => Promise<T>): Promise<T> {
    return body(this.#readTables())
  }

  /** Runs a body over the tables; what it writes counts once `commit` has kept it. */
  async transact<T>(
    body: (tables: Tables) => Promise<T>,
    commit: (writes: readonly Write[]) => void,
  ): Promise<{ value: T; changed: ReadonlySet<Changed> }> {
    const before: Write[] = []
    const writes: Write[] = []
    let ended = false
    const write = (one: Write, inverse: Write[]): void => {
      if (ended) throw new StoreError('closed', { detail: 'The transaction has ended.' })
      before.unshift(...inverse)
      writes.push(one)
      this.apply([one])
    }
    try {
      const value = await body(this.#tables(write))
      if (writes.length > 0) commit(writes)
      return { value, changed: new Set(writes.flatMap(changedBy)) }
    } catch (error) {
      this.apply(before)
      throw error
    } finally {
      ended = true
    }
  }

  /** Rows go in and out as copies: nobody changes what is kept by changing an object. */
  #readTables(): ReadTables {
    const table = <Row>(name: RowTableName): ReadTable<Row> => ({
      get: async (key) => structuredClone(this.#rows[name].get(key)) as Row | undefined,
      all: async () => structuredClone([...this.#rows[name].values()]) as Row[],
    })
    const held = async (isWanted: (row: Held) => boolean): Promise<Held[]> =>
      structuredClone(([...this.#rows.held.values()] as Held[]).filter(isWanted))
    return {
      held: {
        ...table('held'),
        ofKind: (kind) => held((row) => row.kind === kind),
        each: async (visit) => (await held(() => true)).forEach(visit),
        unconfirmed: () => held((row) => row.unconfirmed),
        unreadable: () => held((row) => row.isUnreadable === true),
        entriesIn: (range) => held((row) => liesIn(row, daysOf(range))),
      },
      outbox: {
        ...table<Pending>('outbox'),
        hasFree: async () => ([...this.#rows.outbox.values()] as Pending[]).some(({ sender }) => sender === null),
      },
      refused: table('refused'),
      overridden: table('overridden'),
      meta: async () => structuredClone(this.#meta),
    }
  }

  #tables(write: (one: Write, inverse: Write[]) => void): Tables {
    const inverseOf = (table: RowTableName, keys: readonly string[]): Write[] => {
      const rows = this.#rows[table]
      const put = keys.flatMap((key) => (rows.has(key) ? [rows.get(key)] : []))
      return [
        { table, remove: keys.filter((key) => !rows.has(key)) },
        { table, put },
      ]
    }
    const writable = <Row, Reads extends ReadTable<Row>>(name: RowTableName, reads: Reads): Reads & Table<Row> => ({
      ...reads,
      put: async (rows) => {
        if (rows.length === 0) return
        const keys = rows.map((row) => keyOf[name](row as never))
        write({ table: name, put: structuredClone([...rows]) }, inverseOf(name, keys))
      },
      delete: async (keys) => {
        if (keys.length > 0) write({ table: name, remove: [...keys] }, inverseOf(name, keys))
      },
    })
    const { held, outbox, refused, overridden, meta } = this.#readTables()
    return {
      held: writable('held', held),
      outbox: writable('outbox', outbox),
      refused: writable('refused', refused),
      overridden: writable('overridden', overridden),
      meta,
      setMeta: async (value) => write({ meta: structuredClone(value) }, [{ meta: this.#meta }]),
      wipe: async () => {
        for (const name of rowTableNames) {
          const keys = [...this.#rows[name].keys()]
          write({ table: name, remove: keys }, inverseOf(name, keys))
        }
      },
    }
  }
}
