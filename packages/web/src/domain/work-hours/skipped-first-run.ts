import type { UserNumber } from '@saldo/core'
import { useSyncExternalStore } from 'react'

const keyOf = (user: UserNumber) => `saldo.skipped-first-run.${user}`
const listeners = new Set<() => void>()

/** True if the user skipped the first run, on this device or as the service last said on another. */
export function useSkippedFirstRun(user: UserNumber): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(keyOf(user)) !== null)
}

/** Keeps on this device that the user skipped the first run, or is to be asked again. */
export function keepFirstRun(user: UserNumber, firstRun: 'ask' | 'skipped'): void {
  if (firstRun === 'skipped') localStorage.setItem(keyOf(user), '1')
  else localStorage.removeItem(keyOf(user))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
