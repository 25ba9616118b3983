import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { forgotPassword } from '@saldo/client/user-accounts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../ui/Notice.tsx'

/** Asks for a mail with a link to set a new password. */
export default function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const { isBusy, failure, failedField, attempt } = useAttempt({
    '/email': ['signIn.incompleteEmail', 'email'],
    rate_limited: 'signIn.forgotten.tooMany',
  })
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (await attempt(forgotPassword(email))) setSentTo(email.trim())
  }
  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        {sentTo === undefined ? (
          <>
            <TextInput
              label={t('signIn.email')}
              type="email"
              autoComplete="username"
              autoFocus
              size="md"
              error={failedField === 'email' && failure}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
            <Button type="submit" size="md" loading={isBusy} disabled={email.trim() === ''}>
              {t('signIn.forgotten.send')}
            </Button>
          </>
        ) : (
          <Text role="status">{t('signIn.forgotten.sent', { email: sentTo })}</Text>
        )}
        <Anchor component="button" type="button" size="sm" fw={600} ta="start" onClick={onBack}>
          {t('signIn.link.back')}
        </Anchor>
      </Stack>
    </form>
  )
}
