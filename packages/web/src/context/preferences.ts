import { useSyncExternalStore } from 'react'

/** What a person chose for this browser. It is no part of the account. */
export interface Preferences {
  /** `null` follows the browser. */
  language: string | null
  /** How lengths of time are written: 7:30 or 7.5. */
  durations: 'clock' | 'decimal'
  /** Whether times have 24 hours; `auto` is the region's way. */
  hours: 'auto' | 'h23' | 'h12'
  /** Whether single keys do something. */
  shortcuts: boolean
}

const KEY = 'saldo.preferences'
const defaults: Preferences = { language: null, durations: 'clock', hours: 'auto', shortcuts: true }

const listeners = new Set<() => void>()
let current: Preferences = { ...defaults, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) }

export function readPreferences(): Preferences {
  return current
}

export function changePreferences(changed: Partial<Preferences>): void {
  current = { ...current, ...changed }
  localStorage.setItem(KEY, JSON.stringify(current))
  for (const listener of listeners) listener()
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, readPreferences)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
