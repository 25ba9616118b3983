import type { RecordKind } from '@saldo/core'
import type { Held } from '../held.ts'
import { StoreError } from './errors.ts'
import {
  editKey,
  type HeldTable,
  type Meta,
  type Overridden,
  type Refused,
  recordKey,
  type Table,
  type Tables,
} from './store.ts'

/** A row that was put, or removed, or the meta row; all that a transaction can do. */
export type Write = { table: TableName; put: unknown[] } | { table: TableName; remove: string[] } | { meta: Meta }

const tableNames = ['held', 'outbox', 'refused', 'overridden'] as const
type TableName = (typeof tableNames)[number]

const keyOf: { [Name in TableName]: (row: never) => string } = {
  held: recordKey,
  outbox: recordKey,
  refused: ({ edit }: Pick<Refused, 'edit'>) => editKey(edit),
  overridden: ({ mine }: Pick<Overridden, 'mine'>) => editKey(mine),
}

type Rows = Record<TableName, Map<string, unknown>>

/** The tables of a device in memory; the store around them says when a transaction counts. */
export class MemoryTables {
  readonly #rows: Rows = { held: new Map(), outbox: new Map(), refused: new Map(), overridden: new Map() }
  #meta: Meta

  constructor(meta: Meta) {
    this.#meta = meta
  }

  /** Everything there is, as the writes that would make it. */
  everything(): Write[] {
    const puts = tableNames.map((table) => ({ table, put: [...this.#rows[table].values()] }))
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

  /** Runs a body over the tables; what it writes counts once `commit` has kept it. */
  async transact<T>(
    body: (tables: Tables) => Promise<T>,
    commit: (writes: readonly Write[]) => void,
  ): Promise<{ value: T; wrote: boolean }> {
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
      return { value, wrote: writes.length > 0 }
    } catch (error) {
      this.apply(before)
      throw error
    } finally {
      ended = true
    }
  }

  /** Rows go in and out as copies: nobody changes what is kept by changing an object. */
  #tables(write: (one: Write, inverse: Write[]) => void): Tables {
    const inverseOf = (table: TableName, keys: readonly string[]): Write[] => {
      const rows = this.#rows[table]
      const put = keys.flatMap((key) => (rows.has(key) ? [rows.get(key)] : []))
      return [
        { table, remove: keys.filter((key) => !rows.has(key)) },
        { table, put },
      ]
    }
    const table = <Row>(name: TableName): Table<Row> => ({
      get: async (key) => structuredClone(this.#rows[name].get(key)) as Row | undefined,
      all: async () => structuredClone([...this.#rows[name].values()]) as Row[],
      put: async (rows) => {
        if (rows.length === 0) return
        const keys = rows.map((row) => keyOf[name](row as never))
        write({ table: name, put: structuredClone([...rows]) }, inverseOf(name, keys))
      },
      delete: async (keys) => {
        if (keys.length > 0) write({ table: name, remove: [...keys] }, inverseOf(name, keys))
      },
    })
    const held: HeldTable = {
      ...table<Held>('held'),
      ofKind: async (kind: RecordKind) => structuredClone(this.#held().filter((row) => row.kind === kind)),
      unconfirmed: async () => structuredClone(this.#held().filter((row) => row.unconfirmed)),
    }
    return {
      held,
      outbox: table('outbox'),
      refused: table('refused'),
      overridden: table('overridden'),
      meta: async () => structuredClone(this.#meta),
      setMeta: async (meta) => write({ meta: structuredClone(meta) }, [{ meta: this.#meta }]),
      wipe: async () => {
        for (const name of tableNames) {
          const keys = [...this.#rows[name].keys()]
          write({ table: name, remove: keys }, inverseOf(name, keys))
        }
      },
    }
  }

  #held(): Held[] {
    return [...this.#rows.held.values()] as Held[]
  }
}
