import { OfflineError, type Saldo } from '@saldo/client'
import { forgetUser, removeTraces } from '../../context/remembered-user.ts'

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
