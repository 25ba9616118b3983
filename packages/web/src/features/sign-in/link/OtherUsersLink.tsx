import { Button, Text } from '@mantine/core'
import { useTranslation } from '../../../i18n/translation.ts'
import { Logo } from '../../../ui/Logo.tsx'
import { ViewTitle } from '../../../ui/ViewHeader.tsx'
import classes from '../SignIn.module.css'

/** Explains why a link does nothing in the browser of a user who is signed in, such as the admin who made it. */
export default function OtherUsersLink({ email, onLeave }: { email: string; onLeave: () => void }) {
  const { t } = useTranslation()
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo />
        <ViewTitle className={classes.title}>{t('signIn.link.title')}</ViewTitle>
        <Text>{t('signIn.link.otherUser', { email })}</Text>
        <Button variant="default" onClick={onLeave}>
          {t('ui.close')}
        </Button>
      </div>
    </main>
  )
}
