import { itemAt } from '@saldo/core'
import type { Table as DexieTable } from 'dexie'
import { type OutboxRow, recordKey } from '../rows.ts'
import type { OutboxTable } from '../store.ts'

/** The number of queue positions of a block. */
const BLOCK_POSITIONS = 100

/**
 * The outbox rows of up to 100 successive queue positions, as one value: IndexedDB writes a row of such a block in a
 * fifth of the time, and an import queues thousands. Its key is the first position divided by 100.
 */
export interface OutboxBlock {
  /** In the order of their queue positions. */
  rows: OutboxRow[]
  /** The keys of the records, for an index. */
  recordKeys: string[]
}

/** The number of rows of the outbox, which IndexedDB would count one by one. */
interface StoredCount {
  get(): PromiseLike<number>
  set(count: number): PromiseLike<unknown>
}

const blockOf = (position: number) => Math.floor(position / BLOCK_POSITIONS)

/** Returns the outbox in a transaction of Dexie. */
export function outboxOver(stored: DexieTable<OutboxBlock, number>, count: StoredCount): OutboxTable {
  const rowsOf = async (block: number) => (await stored.get(block))?.rows ?? []

  /** Returns the rows of some blocks, by the key that `keyOf` returns. */
  const read = async <Key>(blocks: Iterable<number>, keyOf: (row: OutboxRow) => Key) => {
    const rowsByKey = new Map<Key, OutboxRow>()
    for (const block of new Set(blocks)) for (const row of await rowsOf(block)) rowsByKey.set(keyOf(row), row)
    return rowsByKey
  }

  /** Replaces or deletes the rows of some queue positions. */
  const change = async (changes: readonly (readonly [position: number, row: OutboxRow | undefined])[]) => {
    let added = 0
    for (const [block, ofBlock] of Map.groupBy(changes, ([position]) => blockOf(position))) {
      const before = await rowsOf(block)
      const after = new Map([...before.map((row) => [row.place, row] as const), ...ofBlock])
      const rows = [...after.values()].filter((row) => row !== undefined).toSorted((a, b) => a.place - b.place)
      await (rows.length > 0 ? stored.put({ rows, recordKeys: rows.map(recordKey) }, block) : stored.delete(block))
      added += rows.length - before.length
    }
    if (added !== 0) await count.set((await count.get()) + added)
  }

  const first = async (most: number): Promise<OutboxRow[]> => {
    const rows: OutboxRow[] = []
    for (let after = Number.NEGATIVE_INFINITY; rows.length < most; ) {
      const block = await stored.where(':id').above(after).first()
      if (!block) break
      rows.push(...block.rows)
      after = blockOf(itemAt(block.rows, 0).place)
    }
    return rows.slice(0, most)
  }

  const getAll = async (positions: readonly number[]) => {
    const rowsByPosition = await read(positions.map(blockOf), ({ place }) => place)
    return positions.map((position) => rowsByPosition.get(position))
  }

  return {
    get: async (position) => (await getAll([position]))[0],
    getAll,
    ofRecords: async (recordKeys) => {
      const found = await Promise.all(recordKeys.map((key) => stored.where('recordKeys').equals(key).primaryKeys()))
      const rowsByRecord = await read(found.flat(), recordKey)
      return recordKeys.map((key) => rowsByRecord.get(key))
    },
    all: () => first(Number.POSITIVE_INFINITY),
    first,
    count: async () => count.get(),
    put: (rows) => change(rows.map((row) => [row.place, row])),
    delete: (positions) => change(positions.map((position) => [position, undefined])),
  }
}
