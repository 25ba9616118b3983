import { openSaldo, type Saldo } from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import type { UserNumber } from '@saldo/core'
import { announceTeamChange } from '../domain/team/team-changes.ts'

export { SignedInApp } from './SignedInApp.tsx'

/** Opens the local database of a user. Together with the frame of the views: whoever is signed out needs neither. */
export function openBrowserDevice(user: UserNumber): Promise<Saldo> {
  return openSaldo({ user, store: dexieStore(), onTeamChange: () => announceTeamChange(user) })
}
