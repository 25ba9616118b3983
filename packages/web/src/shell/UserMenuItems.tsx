import { Menu, useMantineColorScheme } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { changePreferences, usePreferences } from '../context/preferences.ts'
import { useChangePreferences } from '../domain/profile/useProfile.ts'
import { languages } from '../i18n/i18n.ts'
import { ownName } from '../i18n/own-name.ts'
import { useTranslation } from '../i18n/translation.ts'
import { IconHelp, IconLogout } from '../ui/icons.ts'
import { AccountButton } from './AccountButton.tsx'

const SignOutDialog = lazy(() => import('../domain/session/SignOutDialog.tsx'))

const schemes = ['light', 'dark', 'auto'] as const
type Scheme = (typeof schemes)[number]
const BROWSER = 'browser'

/** Appearance, language, shortcuts and sign-out: opens when it comes, with a button that takes the focus over. */
export function UserMenuItems() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { language, shortcuts } = usePreferences()
  const [isOpen, setOpen] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const changeEverywhere = useChangePreferences()
  const speak = (chosen: string) => changeEverywhere({ language: chosen === BROWSER ? null : chosen })
  // A menu that is open from its first render does not know where the focus was.
  useEffect(() => setOpen(true), [])
  return (
    <>
      <Menu opened={isOpen} onChange={setOpen} position="top-start" width={250} closeOnItemClick={false}>
        <Menu.Target>
          <AccountButton autoFocus />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('app.menu.appearance')}</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as Scheme)}>
            {schemes.map((scheme) => (
              <Menu.RadioItem key={scheme} value={scheme}>
                {t(`app.menu.scheme.${scheme}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{t('app.menu.language')}</Menu.Label>
          <Menu.RadioGroup value={language ?? BROWSER} onChange={speak}>
            <Menu.RadioItem value={BROWSER}>{t('app.menu.browserLanguage')}</Menu.RadioItem>
            {languages.map((tag) => (
              <Menu.RadioItem key={tag} value={tag} lang={tag}>
                {ownName(tag)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.CheckboxItem checked={shortcuts} onChange={(wanted) => changePreferences({ shortcuts: wanted })}>
            {t('shortcuts.single')}
          </Menu.CheckboxItem>
          <Menu.Divider />
          <Menu.Item component={Link} href="/help" closeMenuOnClick leftSection={<IconHelp size={16} aria-hidden />}>
            {t('app.menu.help')}
          </Menu.Item>
          <Menu.Item
            closeMenuOnClick
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => setLeaving(true)}
          >
            {t('app.signOut.action')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isLeaving && (
        <Suspense>
          <SignOutDialog onClose={() => setLeaving(false)} />
        </Suspense>
      )}
    </>
  )
}
