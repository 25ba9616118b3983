import type { Conflict, Saldo } from '@saldo/client'
import type { WritableKind } from '@saldo/core'

/** What a collection does for any kind. */
interface AnyCollection {
  create(content: object, options: { id: string }): Promise<unknown>
  delete(id: string): Promise<unknown>
}

type Collections = Pick<Saldo, 'entries' | 'settings' | 'balanceAdjustments'>

/** Makes the record anew what the other device made of it. */
export function restoreTheirs(saldo: Collections, { mine, theirs }: Conflict): Promise<unknown> {
  const collections: Record<WritableKind, AnyCollection> = {
    entries: saldo.entries,
    settings_history: saldo.settings,
    balance_adjustments: saldo.balanceAdjustments,
  }
  const { create, delete: remove } = collections[mine.kind]
  return theirs.record === null ? remove(mine.id) : create(theirs.record, { id: mine.id })
}
