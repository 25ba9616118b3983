import { NotSignedInError, OfflineError, type Saldo } from '@saldo/client'
import { defaultPreferences, type Preferences, type UserNumber } from '@saldo/core'
import { changePreferences, readPreferences } from '../../context/preferences.ts'
import { rememberedUser, rememberUser } from '../../context/remembered-user.ts'
import { keepFirstRun } from '../work-hours/skipped-first-run.ts'
import { keepProfile } from './kept-profile.ts'
import { addUnsentPreferences, forgetSentPreferences, unsentPreferences } from './unsent-preferences.ts'

type Account = Pick<Saldo['userAccount'], 'profile' | 'changeProfile'>

/**
 * Sends preferences that were changed on this device, and applies what the service has: profile, address and
 * preferences. Without a network or a session, it leaves that for the next time. An account without preferences gets
 * those of this device.
 */
export async function syncProfile(user: UserNumber, account: Account): Promise<void> {
  try {
    const unsent = unsentPreferences(user)
    const own = unsent ? await account.changeProfile({ preferences: unsent }) : await account.profile()
    // Signing out removed what this device kept of the user.
    if (rememberedUser()?.user !== user) return
    if (unsent) forgetSentPreferences(user, unsent)
    rememberUser({ user, email: own.email })
    keepProfile(user, own)
    if (own.preferences) apply(user, { ...own.preferences, ...unsentPreferences(user) })
    else await sendOwn(account)
  } catch (error) {
    if (!(error instanceof OfflineError || error instanceof NotSignedInError)) throw error
  }
}

/** Changes preferences on all devices of a user: here at once, elsewhere when they are reached. */
export function changeOnAllDevices(user: UserNumber, account: Account, changed: Partial<Preferences>): Promise<void> {
  apply(user, { ...ownPreferences(), ...changed })
  addUnsentPreferences(user, changed)
  return syncProfile(user, account)
}

async function sendOwn(account: Account): Promise<void> {
  const preferences = ownPreferences()
  const { first_run: _first, ...usual } = defaultPreferences
  const isChosen = JSON.stringify(preferences) !== JSON.stringify(usual)
  if (isChosen) await account.changeProfile({ preferences })
}

/** The preferences that a device has whoever uses it. */
type OwnPreferences = Omit<Preferences, 'first_run'>

function ownPreferences(): OwnPreferences {
  const { language, durations, hours } = readPreferences()
  return { language, durations, hours }
}

function apply(
  user: UserNumber,
  { language, durations, hours, first_run }: OwnPreferences & Partial<Preferences>,
): void {
  if (first_run) keepFirstRun(user, first_run)
  if (JSON.stringify(ownPreferences()) !== JSON.stringify({ language, durations, hours })) {
    changePreferences({ language, durations, hours })
  }
}
