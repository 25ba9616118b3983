import type { Status } from '@saldo/client'

/** The effects of signing out on the changes that only this device has. */
export interface SignOut {
  /** True if the local store cannot tell. */
  isUnknown: boolean
  /** The number of unsent changes, which cannot be sent any more. */
  pendingCount: number
  /** The number of unsent and rejected changes, which are lost if this device forgets the user. */
  ownCount: number
  /** True if signing out needs `force`: `forget` is true if this device forgets the user. */
  needsForce(forget: boolean): boolean
}

export function signOutOf(status: Pick<Status, 'unsent' | 'rejected'> | undefined): SignOut {
  const isUnknown = status?.unsent === null
  const pendingCount = status?.unsent ?? 0
  const ownCount = pendingCount + (status?.rejected ?? 0)
  return {
    isUnknown,
    pendingCount,
    ownCount,
    needsForce: (forget) => isUnknown || (forget ? ownCount : pendingCount) > 0,
  }
}
