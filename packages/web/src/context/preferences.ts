import { type DurationMs, HOUR_MS } from '@saldo/core'
import { useSyncExternalStore } from 'react'

/** Preferences of this browser. They do not belong to the account. */
export interface Preferences {
  /** `null` follows the browser. */
  language: string | null
  /** The format of durations: 7:30 or 7.5. */
  durations: 'clock' | 'decimal'
  /** The format of times: 24 hours, 12 hours, or `auto` for the format of the region. */
  hours: 'auto' | 'h23' | 'h12'
  /** True if single keys are shortcuts. */
  shortcuts: boolean
  /** The reminders that this device shows. */
  reminders: readonly ReminderKind[]
  /** A timer that runs longer may be forgotten. */
  forgottenAfterMs: DurationMs
}

export const reminderKinds = ['break', 'target', 'missing', 'forgotten'] as const
export type ReminderKind = (typeof reminderKinds)[number]

const KEY = 'saldo.preferences'
const defaults: Preferences = {
  language: null,
  durations: 'clock',
  hours: 'auto',
  shortcuts: true,
  reminders: [],
  forgottenAfterMs: 12 * HOUR_MS,
}

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
