import { Anchor } from '@mantine/core'
import { Fragment, useEffect, useState } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { useHasPassword, useIsDemo } from '../../domain/session/session-hooks.ts'
import { useSettingsSections } from '../../domain/settings-sections.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { AboutSection } from './about/AboutSection.tsx'
import { DataSection } from './data/DataSection.tsx'
import { FeedsSection } from './FeedsSection.tsx'
import { InstallSection } from './InstallSection.tsx'
import { AccountsSection, ImportExportSection } from './LinkSections.tsx'
import { LookSection } from './LookSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { ProfileSection } from './ProfileSection.tsx'
import { RemindersSection } from './RemindersSection.tsx'
import classes from './SettingsView.module.css'
import { ShortcutsSection } from './ShortcutsSection.tsx'
import { SecondFactorSection } from './second-factor/SecondFactorSection.tsx'
import { PasswordSection } from './sign-in/PasswordSection.tsx'
import { SessionsSection } from './sign-in/SessionsSection.tsx'
import { SignInSection } from './sign-in/SignInSection.tsx'
import { TokensSection } from './sign-in/TokensSection.tsx'
import { VisibilitySection } from './VisibilitySection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'

/** Preferences of this device and the user's account at the service. */
export default function SettingsView() {
  const { t } = useTranslation()
  // A new password ends sessions, tokens, feeds and webhooks, so their lists are read again.
  const [passwords, setPasswords] = useState(0)
  const hasPassword = useHasPassword()
  const isDemo = useIsDemo()
  const sections = useSettingsSections()
  const wanted = useLocationProperty(() => location.hash.slice(1))
  // Newer browsers return a promise, which is no clean-up of an effect.
  useEffect(() => void document.getElementById(wanted)?.scrollIntoView(), [wanted])
  return (
    <div className={classes.view}>
      <div className={classes.header}>
        <ViewHeader title={t('settings.title')} />
        <nav className={classes.index} aria-label={t('settings.index')}>
          {sections.map(({ id, title }) => (
            <Anchor key={id} href={`#${id}`} size="sm">
              {t(title)}
            </Anchor>
          ))}
        </nav>
      </div>
      <LookSection />
      <ShortcutsSection />
      <RemindersSection />
      <InstallSection />
      {!isDemo && (
        <>
          <ProfileSection />
          <SignInSection />
          {hasPassword && <PasswordSection onChanged={() => setPasswords(passwords + 1)} />}
          {hasPassword && <SecondFactorSection />}
          <PasskeysSection />
          <Fragment key={passwords}>
            <SessionsSection />
            <TokensSection />
            <FeedsSection />
            <WebhooksSection />
          </Fragment>
          <VisibilitySection />
          <AccountsSection />
        </>
      )}
      <ImportExportSection />
      <DataSection />
      <AboutSection />
    </div>
  )
}
