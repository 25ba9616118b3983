import { FORGOTTEN_AFTER_MS } from '@saldo/client/entries'
import { type DurationMs, defaultPreferences, type Preferences as SyncedPreferences } from '@saldo/core'
import { useSyncExternalStore } from 'react'

/** Preferences as this browser keeps them: those of the account as it last got them (D19.17), and its own. */
export interface Preferences extends SyncedPreferences {
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
  ...defaultPreferences,
  shortcuts: true,
  reminders: [],
  forgottenAfterMs: FORGOTTEN_AFTER_MS,
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

/** True if this device shows notifications of the app. */
export function canNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}
