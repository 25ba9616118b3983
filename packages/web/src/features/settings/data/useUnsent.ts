import { useSyncStatus } from '@saldo/client/react'
import { countOnlyHere } from '../../../domain/session/sign-out.ts'

/** Returns the number of changes that only this device has: unsent and rejected ones. */
export function useUnsent(): number {
  return countOnlyHere(useSyncStatus())
}
