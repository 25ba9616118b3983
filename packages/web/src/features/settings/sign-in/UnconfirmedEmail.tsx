import { Button, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { isEmailConfirmed, mailConfirmation } from '@saldo/client/user-accounts'
import { useCallback, useState } from 'react'
import { useServiceFacts } from '../../../domain/session/session-hooks.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useResource } from '../../../ui/useResource.ts'

/** Says that the address is not confirmed, if so, and mails the link again where the service sends mails. */
export default function UnconfirmedEmail({ email }: { email: string }) {
  const { t } = useTranslation()
  const { user } = useSaldo()
  const facts = useServiceFacts()
  const { answer: isConfirmed } = useResource(useCallback(() => isEmailConfirmed(user), [user]))
  const [isSent, setSent] = useState(false)
  const { isBusy, failure, attempt } = useAttempt({ rate_limited: 'settings.account.tooManyMails' })
  if (isConfirmed !== false || !facts) return null
  const send = async () => setSent(await attempt(mailConfirmation(user)))
  return (
    <>
      <Text>{t(facts.mail ? 'settings.account.unconfirmed' : 'settings.account.unconfirmedWithoutMail')}</Text>
      {failure && <ProblemText>{failure}</ProblemText>}
      <Text role="status">{isSent && t('settings.account.confirmationSent', { email })}</Text>
      {facts.mail && (
        <div>
          <Button variant="default" loading={isBusy} onClick={() => void send()}>
            {t('settings.account.sendConfirmation')}
          </Button>
        </div>
      )}
    </>
  )
}
