import type { EntryMutation } from '@saldo/client/entries'
import type { Month } from '@saldo/core'
import { useSyncExternalStore } from 'react'

/** The way from changes of locked months to requests for them, of a user who has months in a company. */
export interface Corrections {
  /** Returns the locked months that this device knows of and that changes touch (D27.4, D27.19), in order. */
  monthsOf(changes: readonly EntryMutation[]): Month[]
  /** Returns those of some changes that touch one. */
  lockedOf(changes: readonly EntryMutation[]): EntryMutation[]
  /**
   * Records a request that holds changes whole (D27.10), with a message, or else after a dialog that asks for one.
   * Resolves to false if the user does not want that, or if it could not be recorded.
   */
  ask(changes: readonly EntryMutation[], message?: string): Promise<boolean>
}

let current: Corrections | undefined
const listeners = new Set<() => void>()

/** Sets what `corrections` returns, from now on. */
export function setCorrections(corrections: Corrections | undefined): void {
  current = corrections
  for (const listener of listeners) listener()
}

/** Returns how to ask for corrections; `undefined` for whoever has no months in a company, and until they are known. */
export function corrections(): Corrections | undefined {
  return current
}

/** Returns the same, and draws anew when it changes. */
export function useCorrections(): Corrections | undefined {
  return useSyncExternalStore(listen, corrections)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
