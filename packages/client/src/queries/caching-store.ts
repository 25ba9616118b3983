import type { Changed, LocalStore, ReadTables } from '../store/store.ts'

const MAX_CACHED = 100

/** Reads that share a transaction. */
interface Batch {
  bodies: ((tables: ReadTables) => Promise<unknown>)[]
  /** In the order of the bodies. */
  results: Promise<PromiseSettledResult<unknown>[]>
}

/**
 * Returns the same store for many readers: reads of the same moment share a transaction, and what they read is cached
 * until it changes, in whatever tab. A cached result counts only with the change count that the transaction reads: a
 * transaction may begin before this tab hears of an earlier one. All entries together are not cached, because they are
 * many. Readers get the same rows each time and must not change them.
 */
export function cachingStore(store: LocalStore): LocalStore {
  const cache = new Map<string, { changeCount: number; result: unknown }>()
  let next: Batch | undefined

  async function cached(tables: ReadTables): Promise<ReadTables> {
    const { baseRecords, outbox, rejectedChanges, conflicts, meta } = tables
    const changeCounts = await tables.changeCounts()
    const running = new Map<string, Promise<unknown>>()
    const once = async <T>(of: Changed, read: () => Promise<T>, detail = ''): Promise<T> => {
      const key = of + detail
      const changeCount = changeCounts[of] ?? 0
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
        ofKind: (kind) => (kind === 'entries' ? baseRecords.ofKind(kind) : once(kind, () => baseRecords.ofKind(kind))),
        unreadable: () => once('baseRecords', baseRecords.unreadable),
        entriesIn: (range) => once('entries', () => baseRecords.entriesIn(range), range.from + range.to),
      },
      outbox: { ...outbox, all: () => once('outbox', outbox.all) },
      rejectedChanges: { ...rejectedChanges, all: () => once('rejectedChanges', rejectedChanges.all) },
      conflicts: { ...conflicts, all: () => once('conflicts', conflicts.all) },
      meta: () => once('meta', meta),
      changeCounts: async () => changeCounts,
    }
  }

  function newBatch(): Batch {
    const bodies: Batch['bodies'] = []
    const results = Promise.resolve().then(() => {
      next = undefined
      return store.read(async (tables) => {
        const shared = await cached(tables)
        return Promise.allSettled(bodies.map((body) => body(shared)))
      })
    })
    return { bodies, results }
  }

  return {
    write: (body) => store.write(body),
    async read<T>(body: (tables: ReadTables) => Promise<T>) {
      next ??= newBatch()
      const { bodies, results } = next
      const index = bodies.push(body) - 1
      const result = (await results)[index] as PromiseSettledResult<T>
      if (result.status === 'rejected') throw result.reason
      return result.value
    },
    subscribe: (listener) => store.subscribe(listener),
    subscribeToErrors: (listener) => store.subscribeToErrors(listener),
    error: () => store.error(),
    close: () => store.close(),
    erase: () => store.erase(),
  }
}
