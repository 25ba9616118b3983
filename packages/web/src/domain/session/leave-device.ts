import { OfflineError, type Saldo, type Status } from '@saldo/client'
import { forgetUser, removeTraces } from '../../context/remembered-user.ts'

/** The effects of signing out on the changes that only this device has. */
interface SignOut {
  /** True if the local store cannot tell. */
  isUnknown: boolean
  /** The number of unsent changes, which cannot be sent any more. */
  pendingCount: number
  /** The number of unsent and rejected changes, which are lost if this device forgets the user. */
  ownCount: number
  /** True if signing out needs `force`: `forget` is true if this device forgets the user. */
  needsForce(forget: boolean): boolean
}

type Counts = Pick<Status, 'unsent' | 'rejected'>

/** Returns the number of changes that only this device has: unsent and rejected ones. */
export function countOnlyHere(status: Counts | undefined): number {
  return (status?.unsent ?? 0) + (status?.rejected ?? 0)
}

export function signOutOf(status: Counts | undefined): SignOut {
  const isUnknown = status?.unsent === null
  const pendingCount = status?.unsent ?? 0
  const ownCount = countOnlyHere(status)
  return {
    isUnknown,
    pendingCount,
    ownCount,
    needsForce: (forget) => isUnknown || (forget ? ownCount : pendingCount) > 0,
  }
}

type Device = Pick<Saldo, 'forget' | 'user'>

/**
 * Signs out and removes what is kept here. Without a network only the latter: the browser stays signed in at the
 * service.
 */
export async function leaveDevice(saldo: Device, leave: () => Promise<void>): Promise<void> {
  try {
    await leave()
  } catch (error) {
    if (!(error instanceof OfflineError)) throw error
    await forgetHere(saldo)
  }
}

/** Removes what is kept here, and begins anew as on a device that has never seen the user. */
export async function forgetHere(saldo: Device): Promise<void> {
  await saldo.forget({ force: true })
  removeTraces(saldo.user)
  forgetUser()
  location.assign('/')
}
