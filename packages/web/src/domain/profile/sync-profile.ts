import { NotSignedInError, OfflineError, type Saldo } from '@saldo/client'
import { defaultPreferences, type Preferences, type Profile, type UserNumber } from '@saldo/core'
import { changePreferences, readPreferences } from '../../context/preferences.ts'
import { rememberedUser, rememberUser } from '../../context/remembered-user.ts'
import { keepFirstRun } from '../work-hours/skipped-first-run.ts'

const EMPTY: Profile = { name: '', personnel_number: '', employer: '' }
const profileKeyOf = (user: UserNumber) => `saldo.own-profile.${user}`
const profileListeners = new Set<() => void>()
const keptByUser = new Map<UserNumber, Profile>()

/** Returns the profile as this device last got it, so that a sheet can be printed without a network. */
export function keptProfile(user: UserNumber): Profile {
  const kept = keptByUser.get(user) ?? {
    ...EMPTY,
    ...(JSON.parse(localStorage.getItem(profileKeyOf(user)) ?? '{}') as Partial<Profile>),
  }
  keptByUser.set(user, kept)
  return kept
}

export function keepProfile(user: UserNumber, { name, personnel_number, employer }: Profile): void {
  const profile = { name, personnel_number, employer }
  localStorage.setItem(profileKeyOf(user), JSON.stringify(profile))
  keptByUser.set(user, profile)
  for (const listener of profileListeners) listener()
}

export function onKeptProfile(listener: () => void): () => void {
  profileListeners.add(listener)
  return () => profileListeners.delete(listener)
}

const unsentKeyOf = (user: UserNumber) => `saldo.unsent-preferences.${user}`

/** Returns the preferences that were changed on this device and that the service does not have yet. */
function unsentPreferences(user: UserNumber): Partial<Preferences> | undefined {
  const text = localStorage.getItem(unsentKeyOf(user))
  return text === null ? undefined : (JSON.parse(text) as Partial<Preferences>)
}

function addUnsentPreferences(user: UserNumber, changed: Partial<Preferences>): void {
  localStorage.setItem(unsentKeyOf(user), JSON.stringify({ ...unsentPreferences(user), ...changed }))
}

/** Forgets what was sent, unless it was changed again meanwhile. */
function forgetSentPreferences(user: UserNumber, sent: Partial<Preferences>): void {
  const left = Object.entries(unsentPreferences(user) ?? {}).filter(
    ([name, value]) => sent[name as keyof Preferences] !== value,
  )
  if (left.length === 0) localStorage.removeItem(unsentKeyOf(user))
  else localStorage.setItem(unsentKeyOf(user), JSON.stringify(Object.fromEntries(left)))
}

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
