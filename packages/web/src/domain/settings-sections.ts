import { useHasPassword, useIsAdmin, useIsDemo } from './session/session-hooks.ts'
import { useHasKeyboard } from './shortcuts/useHasKeyboard.ts'
import { useTeam } from './team/TeamProvider.tsx'

/** The sections of the settings by their ids, which addresses name, with the keys of their titles. */
const sections = {
  look: 'settings.look.title',
  shortcuts: 'shortcuts.title',
  reminders: 'settings.reminders.title',
  install: 'settings.install.title',
  profile: 'settings.profile.title',
  account: 'settings.account.title',
  password: 'settings.password.title',
  secondFactor: 'settings.secondFactor.title',
  passkeys: 'settings.passkeys.title',
  sessions: 'settings.sessions.title',
  tokens: 'settings.tokens.title',
  feeds: 'settings.feeds.title',
  webhooks: 'settings.webhooks.title',
  visibility: 'team.visibility.title',
  accounts: 'settings.accounts.title',
  importExport: 'importExport.title',
  data: 'settings.data.title',
  about: 'settings.about.title',
} as const

/** The id of a section of the settings. */
export type SettingsSection = keyof typeof sections

const ofDevice: readonly SettingsSection[] = [
  'look',
  'shortcuts',
  'reminders',
  'install',
  'importExport',
  'data',
  'about',
]

/** Returns the sections that the user has, in their order, with the keys of their titles. */
export function useSettingsSections(): { id: SettingsSection; title: string }[] {
  const hasPassword = useHasPassword()
  const isAdmin = useIsAdmin()
  const isDemo = useIsDemo()
  const hasTeam = useTeam().team !== undefined
  const hasKeys = useHasKeyboard()
  const has = (id: SettingsSection) => {
    if (id === 'shortcuts' && !hasKeys) return false
    if (isDemo) return ofDevice.includes(id)
    if (id === 'visibility') return hasTeam
    if (id === 'accounts') return isAdmin
    return hasPassword || (id !== 'password' && id !== 'secondFactor')
  }
  return (Object.keys(sections) as SettingsSection[]).filter(has).map((id) => ({ id, title: sections[id] }))
}

/** Returns the address of a section. */
export function settingsAddress(id: SettingsSection): string {
  return `/settings#${id}`
}
