import { isUserNumber, type UserNumber } from '@saldo/core'
import { SYNC_TAG_PREFIX } from '../host/platform.ts'
import { openSaldo, type SaldoOptions } from './saldo.ts'

/** Returns the user of a service worker's `sync` event; `undefined` if the event is for something else. */
export function userOfSync({ tag }: { tag: string }): UserNumber | undefined {
  const user = tag.startsWith(SYNC_TAG_PREFIX) ? Number(tag.slice(SYNC_TAG_PREFIX.length)) : Number.NaN
  return isUserNumber(user) ? user : undefined
}

/** Sends unsent changes from a service worker. Throws if some are left, so that the browser tries again. */
export async function syncInBackground(options: SaldoOptions): Promise<void> {
  const saldo = await openSaldo(options)
  try {
    await saldo.sync()
    const { unsent } = await saldo.status.read()
    if (unsent !== 0) throw new Error(`${unsent ?? 'unknown'} changes are unsent`)
  } finally {
    await saldo.close()
  }
}
