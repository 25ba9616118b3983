import { SYNC_PREFIX } from '../host/background-sync.ts'
import { openSaldo, type SaldoOptions } from './saldo.ts'

/** The user whose changes a `sync` event of a service worker is for; `undefined` where it is for something else. */
export function userOfSync({ tag }: { tag: string }): number | undefined {
  const user = tag.startsWith(SYNC_PREFIX) ? Number(tag.slice(SYNC_PREFIX.length)) : Number.NaN
  return Number.isSafeInteger(user) ? user : undefined
}

/** Sends what waits, by itself or by the tab that syncs. Throws where something still waits: the browser tries again. */
export async function syncInBackground(options: SaldoOptions): Promise<void> {
  const saldo = await openSaldo(options)
  try {
    await saldo.sync()
    const { pending } = await saldo.status.read()
    if (pending !== 0) throw new Error(`${pending ?? 'unknown'} changes wait`)
  } finally {
    await saldo.close()
  }
}
