import type { RecordKind } from '@saldo/core'
import type { Held } from './held.ts'
import type { LocalStore, ReadHeldTable } from './store/store.ts'

/** What queries read whole, and what changes seldom. */
const kinds: ReadonlySet<RecordKind> = new Set([
  'settings_history',
  'balance_adjustments',
  'closed_days',
  'closed_weeks',
])

/**
 * The same store, which reads all records of a kind but entries only once while none of them changes, in whatever tab. The
 * same rows are given each time: they are not to be changed.
 */
export function remembering(store: LocalStore): LocalStore {
  const known = new Map<RecordKind, Held[]>()
  let changes = 0
  store.subscribe((changed) => {
    changes += 1
    for (const kind of kinds) if (changed.has(kind)) known.delete(kind)
  })
  const over = (held: ReadHeldTable): ReadHeldTable => ({
    ...held,
    async ofKind(kind) {
      const before = changes
      const rows = known.get(kind) ?? (await held.ofKind(kind))
      // What was written meanwhile may be missing.
      if (kinds.has(kind) && changes === before) known.set(kind, rows)
      return rows
    },
  })
  return {
    run: (body) => store.run(body),
    read: (body) => store.read((tables) => body({ ...tables, held: over(tables.held) })),
    subscribe: (listener) => store.subscribe(listener),
    trouble: () => store.trouble(),
    close: () => store.close(),
    erase: () => store.erase(),
  }
}
