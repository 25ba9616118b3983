import { useSyncStatus } from '@saldo/client/react'

/** Returns the number of changes that only this device has: unsent and rejected ones. */
export function useUnsent(): number {
  const status = useSyncStatus()
  return (status?.unsent ?? 0) + (status?.rejected ?? 0)
}
