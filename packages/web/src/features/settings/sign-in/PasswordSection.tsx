import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { type FormEvent, useState } from 'react'
import { useSignedIn } from '../../../context/session.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { PasswordField } from '../../../ui/CredentialFields.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { useInvalidFocus } from '../../../ui/focus.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { Section } from '../Section.tsx'

const SHORTEST_PASSWORD = 10

/** Changes the password. `onChanged` hears that sessions, and perhaps tokens and feeds, have ended. */
export function PasswordSection({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const { userAccount } = useSaldo()
  const { user } = useSignedIn()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [keepTokens, setKeepTokens] = useState(false)
  const [isDone, setDone] = useState(false)
  const { isBusy, failure, failedField, attempt } = useAttempt({
    forbidden: ['settings.password.wrong', 'current'],
    invalid_request: ['settings.password.length', 'next'],
  })
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    if (!(await attempt(userAccount.changePassword(current, next, { keepTokens })))) return
    setCurrent('')
    setNext('')
    setDone(true)
    onChanged()
  }
  return (
    <Section id="password" title={t('settings.password.title')} lead={t('settings.password.lead')}>
      <form ref={useInvalidFocus(failedField)} onSubmit={(event) => void send(event)}>
        <Stack maw="20rem">
          {/* Password managers look for whose password it is. */}
          <input type="hidden" autoComplete="username" value={user.email} />
          <PasswordField
            label={t('settings.password.current')}
            autoComplete="current-password"
            value={current}
            error={failedField === 'current' && failure}
            onChange={setCurrent}
          />
          <PasswordField
            label={t('settings.password.next')}
            description={t('signIn.passwordRule', { count: SHORTEST_PASSWORD })}
            autoComplete="new-password"
            minLength={SHORTEST_PASSWORD}
            value={next}
            error={failedField === 'next' && failure}
            onChange={setNext}
          />
          {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
          <Checkbox
            label={t('settings.password.revokeTokens')}
            description={t('settings.password.revokeTokensHelp')}
            checked={!keepTokens}
            onChange={(event) => setKeepTokens(!event.currentTarget.checked)}
          />
          <div>
            <Button type="submit" variant="default" loading={isBusy}>
              {t('settings.password.change')}
            </Button>
          </div>
          <div role="status">{isDone && <Text c="var(--saldo-accent-text)">{t('settings.password.done')}</Text>}</div>
        </Stack>
      </form>
    </Section>
  )
}
