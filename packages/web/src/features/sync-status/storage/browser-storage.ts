import type { Status } from '@saldo/client'
import { useEffect } from 'react'
import { isBlocked } from '../sync-status-model.ts'

/** The browser's storage for this site. */
export interface BrowserStorage {
  usedBytes: number
  /** `null` where the browser does not tell. */
  quotaBytes: number | null
  /** True if the browser promised not to delete it by itself. */
  isPersistent: boolean
}

/** Resolves to `undefined` where the browser does not tell, as on a page without HTTPS. */
export async function readStorage(): Promise<BrowserStorage | undefined> {
  if (!('storage' in navigator)) return undefined
  const { usage = 0, quota = null } = await navigator.storage.estimate()
  return { usedBytes: usage, quotaBytes: quota, isPersistent: await navigator.storage.persisted() }
}

/** Asks the browser not to delete the data by itself; resolves to true if it promised. */
export async function requestPersistence(): Promise<boolean> {
  if (!('storage' in navigator)) return false
  return (await navigator.storage.persisted()) || (await navigator.storage.persist())
}

/** True as soon as something is on this device only. Some browsers ask the user, who has to see the reason then. */
export function shouldRequestPersistence(status: Pick<Status, 'unsent' | 'state'>): boolean {
  return (status.unsent ?? 0) > 0 && isBlocked(status)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** Formats an amount of data: `820 kB`, `1.4 GB`. */
export function formatBytes(bytes: number, locale: string): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const options = { style: 'unit', unit: units[power] ?? 'byte', unitDisplay: 'short' } as const
  const digits = power < 2 ? 0 : 1
  return new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: digits }).format(bytes / 1_000 ** power)
}

let isRequested = false

/** Asks the browser once, when data is on this device only, not to delete it by itself. */
export function usePersistentStorage(status: Status): void {
  const isNeeded = shouldRequestPersistence(status)
  useEffect(() => {
    if (!isNeeded || isRequested) return
    isRequested = true
    void requestPersistence()
  }, [isNeeded])
}
