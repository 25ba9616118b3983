import { UnstyledButton } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useSignedIn } from '../context/session.tsx'
import { useProfile } from '../domain/profile/useProfile.ts'
import { useTranslation } from '../i18n/translation.ts'
import { IconChevronUp, IconUserCircle } from '../ui/icons.ts'
import classes from './UserMenu.module.css'

/** The button that opens the account menu. */
export function AccountButton(props: ComponentProps<'button'>) {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const { name } = useProfile()
  return (
    <UnstyledButton
      aria-haspopup="menu"
      aria-label={t('app.menu.label', { name: name || user.email })}
      {...props}
      className={classes.button}
    >
      <IconUserCircle size={20} stroke={1.75} aria-hidden />
      <span className={classes.email}>{name || user.email}</span>
      <IconChevronUp className={classes.chevron} size={16} stroke={1.75} aria-hidden />
    </UnstyledButton>
  )
}
