import { FORGOTTEN_AFTER_MS } from '@saldo/client/entries'
import { type DurationMs, defaultPreferences, type Preferences as SyncedPreferences } from '@saldo/core'
import { useSyncExternalStore } from 'react'

/** Preferences as this browser keeps them: those of the account as it last got them (D19.17), and its own. */
export interface ShownPreferences extends SyncedPreferences {
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
const defaults: ShownPreferences = {
  ...defaultPreferences,
  shortcuts: true,
  reminders: [],
  forgottenAfterMs: FORGOTTEN_AFTER_MS,
}

const listeners = new Set<() => void>()
let current: ShownPreferences = {
  ...defaults,
  ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<ShownPreferences>),
}

export function readPreferences(): ShownPreferences {
  return current
}

export function changePreferences(changed: Partial<ShownPreferences>): void {
  current = { ...current, ...changed }
  localStorage.setItem(KEY, JSON.stringify(current))
  for (const listener of listeners) listener()
}

/** Returns to the preferences of a browser that has never seen a user. */
export function forgetPreferences(): void {
  current = defaults
  localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

export function usePreferences(): ShownPreferences {
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
