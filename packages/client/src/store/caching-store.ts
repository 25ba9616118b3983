import type { Changed, LocalStore, ReadTables } from './store.ts'

/** Returns the same store for many readers: see `batchReads` and `cacheReads`. Readers must not change rows. */
export function cachingStore(store: LocalStore): LocalStore {
  const cache: Cache = new Map()
  const batched = batchReads((body) => store.read(async (tables) => body(await cacheReads(tables, cache))))
  return {
    write: (body) => store.write(body),
    read: batched,
    subscribe: (listener) => store.subscribe(listener),
    subscribeToErrors: (listener) => store.subscribeToErrors(listener),
    error: () => store.error(),
    close: () => store.close(),
    erase: () => store.erase(),
  }
}

/** Reads that share a transaction. */
interface Batch {
  bodies: ((tables: ReadTables) => Promise<unknown>)[]
  /** In the order of the bodies. */
  results: Promise<PromiseSettledResult<unknown>[]>
}

/** Returns a `read` whose calls in the same moment share a transaction. */
function batchReads(read: LocalStore['read']): LocalStore['read'] {
  let next: Batch | undefined

  function newBatch(): Batch {
    const bodies: Batch['bodies'] = []
    const results = Promise.resolve().then(() => {
      next = undefined
      return read((tables) => Promise.allSettled(bodies.map((body) => body(tables))))
    })
    return { bodies, results }
  }

  return async <T>(body: (tables: ReadTables) => Promise<T>) => {
    next ??= newBatch()
    const { bodies, results } = next
    const index = bodies.push(body) - 1
    const result = (await results)[index] as PromiseSettledResult<T>
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
}

const MAX_CACHED = 100

/** Results by the table or kind that they depend on, and a detail; each with the change count that it was read at. */
type Cache = Map<string, { changeCount: number; result: unknown }>

/**
 * Returns the tables of a transaction with results that are cached until what they depend on changes, in whatever tab.
 * A cached result counts only with the change count that the transaction reads: a transaction may begin before this tab
 * hears of an earlier one. All entries together are not cached, because they are many.
 */
async function cacheReads(tables: ReadTables, cache: Cache): Promise<ReadTables> {
  const { baseRecords, outbox, rejectedChanges, conflicts, meta } = tables
  const changeCounts = await tables.changeCounts()
  const running = new Map<string, Promise<unknown>>()
  const readOnce = async <T>(dependsOn: Changed, read: () => Promise<T>, detail = ''): Promise<T> => {
    const key = dependsOn + detail
    const changeCount = changeCounts[dependsOn] ?? 0
    const found = cache.get(key)
    if (found?.changeCount === changeCount) return found.result as T
    const reading = (running.get(key) as Promise<T> | undefined) ?? read()
    running.set(key, reading)
    const result = await reading
    if (cache.size === MAX_CACHED) cache.clear()
    cache.set(key, { changeCount, result })
    return result
  }
  return {
    baseRecords: {
      ...baseRecords,
      ofKind: (kind) =>
        kind === 'entries' ? baseRecords.ofKind(kind) : readOnce(kind, () => baseRecords.ofKind(kind)),
      unreadable: () => readOnce('baseRecords', baseRecords.unreadable),
      entriesIn: (range) => readOnce('entries', () => baseRecords.entriesIn(range), range.from + range.to),
    },
    outbox: { ...outbox, all: () => readOnce('outbox', outbox.all) },
    rejectedChanges: { ...rejectedChanges, all: () => readOnce('rejectedChanges', rejectedChanges.all) },
    conflicts: { ...conflicts, all: () => readOnce('conflicts', conflicts.all) },
    meta: () => readOnce('meta', meta),
    changeCounts: async () => changeCounts,
  }
}
