import type { Changed, LocalStore, ReadTables } from '../store/store.ts'

/** So many answers are remembered. */
const MOST = 100

/** Reads that were asked for at the same time. */
interface Batch {
  bodies: ((tables: ReadTables) => Promise<unknown>)[]
  /** In the order of the bodies. */
  answers: Promise<PromiseSettledResult<unknown>[]>
}

/**
 * The same store, for many who ask at the same time: what they read is one transaction, and what is read again is
 * remembered until it changes, in whatever tab; but not all entries, which are many. The same rows are given each time: they
 * are not to be changed.
 */
export function remembering(store: LocalStore): LocalStore {
  const known = new Map<string, { of: Changed; answer: unknown }>()
  let changes = 0
  let next: Batch | undefined
  store.subscribe((changed) => {
    changes += 1
    for (const [key, { of }] of known) if (changed.has(of)) known.delete(key)
  })

  function over({ held, outbox, refused, overridden, meta }: ReadTables): ReadTables {
    const asked = new Map<string, Promise<unknown>>()
    const once = async <T>(of: Changed, ask: () => Promise<T>, what = ''): Promise<T> => {
      const key = of + what
      const found = known.get(key)
      if (found) return found.answer as T
      const before = changes
      const asking = (asked.get(key) as Promise<T> | undefined) ?? ask()
      asked.set(key, asking)
      const answer = await asking
      // What was written meanwhile may be missing.
      if (changes === before) {
        if (known.size === MOST) known.clear()
        known.set(key, { of, answer })
      }
      return answer
    }
    return {
      held: {
        ...held,
        ofKind: (kind) => (kind === 'entries' ? held.ofKind(kind) : once(kind, () => held.ofKind(kind))),
        unreadable: () => once('held', held.unreadable),
        entriesIn: (range) => once('entries', () => held.entriesIn(range), range.from + range.to),
      },
      outbox: { ...outbox, all: () => once('outbox', outbox.all) },
      refused: { ...refused, all: () => once('refused', refused.all) },
      overridden: { ...overridden, all: () => once('overridden', overridden.all) },
      meta: () => once('meta', meta),
    }
  }

  function newBatch(): Batch {
    const bodies: Batch['bodies'] = []
    const answers = Promise.resolve().then(() => {
      next = undefined
      return store.read((tables) => {
        const shared = over(tables)
        return Promise.allSettled(bodies.map((body) => body(shared)))
      })
    })
    return { bodies, answers }
  }

  return {
    run: (body) => store.run(body),
    async read<T>(body: (tables: ReadTables) => Promise<T>) {
      next ??= newBatch()
      const { bodies, answers } = next
      const place = bodies.push(body) - 1
      const answer = (await answers)[place] as PromiseSettledResult<T>
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    },
    subscribe: (listener) => store.subscribe(listener),
    trouble: () => store.trouble(),
    close: () => store.close(),
    erase: () => store.erase(),
  }
}
