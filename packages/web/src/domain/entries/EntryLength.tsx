import { type Entry, isCounted } from '@saldo/core'

/** The length of an entry, struck out if it is no part of a sum. `EntryWords` says why. */
export function EntryLength({ record, children }: { record: Entry; children: string }) {
  return isCounted(record) ? children : <s>{children}</s>
}
