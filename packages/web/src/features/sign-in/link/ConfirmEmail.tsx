import { Button, Text } from '@mantine/core'
import { confirmEmail, isEmailConfirmed } from '@saldo/client/user-accounts'
import type { UserNumber } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { Logo } from '../../../ui/Logo.tsx'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { ViewTitle } from '../../../ui/ViewHeader.tsx'
import classes from '../SignIn.module.css'

interface Props {
  user: UserNumber
  secret: string
  onDone: () => void
}

/** Confirms an address by the link in a mail, after a click: mail scanners open links too. */
export default function ConfirmEmail({ user, secret, onDone }: Props) {
  const { t } = useTranslation()
  const [confirmed, setConfirmed] = useState<string>()
  const isFirst = useResource(useCallback(() => isEmailConfirmed(user), [user])).answer === false
  const { isBusy, failure, attempt } = useAttempt({
    not_found: 'signIn.confirmEmail.invalid',
    conflict: 'settings.account.emailTaken',
  })
  const confirm = () => attempt(confirmEmail(user, secret).then(({ email }) => setConfirmed(email)))
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo />
        <ViewTitle className={classes.title}>{t('signIn.confirmEmail.title')}</ViewTitle>
        {confirmed !== undefined && (
          <Text role="status">{t('settings.account.emailChanged', { email: confirmed })}</Text>
        )}
        {failure && <ProblemText>{failure}</ProblemText>}
        {confirmed === undefined && !failure && <Text>{t('signIn.confirmEmail.lead')}</Text>}
        {confirmed === undefined && !failure && isFirst && <Text>{t('signIn.confirmEmail.endsKeys')}</Text>}
        {confirmed === undefined && !failure ? (
          <Button size="md" loading={isBusy} onClick={() => void confirm()}>
            {t('signIn.confirmEmail.action')}
          </Button>
        ) : (
          <Button variant="default" onClick={onDone}>
            {t('signIn.confirmEmail.goOn')}
          </Button>
        )}
      </div>
    </main>
  )
}
