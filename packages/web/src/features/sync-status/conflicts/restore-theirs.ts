import type { Conflict, Saldo } from '@saldo/client'
import type { RecordId } from '@saldo/core'

interface Collection {
  create(content: object, options: { id: RecordId }): Promise<unknown>
  delete(id: RecordId): Promise<unknown>
}

/** Makes a record again what the other device made of it. */
export async function restoreTheirs(
  { entries, settings, balanceAdjustments }: Pick<Saldo, 'entries' | 'settings' | 'balanceAdjustments'>,
  { mine, theirs }: Conflict,
): Promise<void> {
  const collection: Collection = { entries, settings_history: settings, balance_adjustments: balanceAdjustments }[
    mine.kind
  ]
  await (theirs.record ? collection.create(theirs.record, { id: mine.id }) : collection.delete(mine.id))
}
