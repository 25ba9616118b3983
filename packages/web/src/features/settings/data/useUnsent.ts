import { useSyncStatus } from '@saldo/client/react'
import { signOutOf } from '../../../domain/session/sign-out.ts'

/** Returns the number of changes that only this device has: unsent and rejected ones. */
export function useUnsent(): number {
  return signOutOf(useSyncStatus()).ownCount
}
