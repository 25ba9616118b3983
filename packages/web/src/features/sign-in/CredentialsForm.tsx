import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { ProblemText } from '../../ui/ProblemText.tsx'
import { useCredentials } from './useCredentials.ts'

const MIN_PASSWORD_LENGTH = 10

interface Props {
  isNew: boolean
  /** True before the first user signed up, who needs the set-up code. */
  isFirst: boolean
  setupCode: string | undefined
  onSignedIn: (user: RememberedUser) => Promise<void>
}

export function CredentialsForm({ isNew, isFirst, setupCode, onSignedIn }: Props) {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [typedSetupCode, setTypedSetupCode] = useState(setupCode ?? '')
  const [code, setCode] = useState('')
  const { isBusy, failure, isCodeNeeded, submit } = useCredentials(isFirst, onSignedIn)
  const send = (event: FormEvent) => {
    event.preventDefault()
    void submit(
      isNew
        ? { email, password, setupCode: typedSetupCode }
        : { email, password, code: isCodeNeeded ? code : undefined },
    )
  }
  return (
    <form onSubmit={send}>
      <Stack>
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          size="md"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('signIn.password')}
          description={isNew ? t('signIn.passwordRule', { count: MIN_PASSWORD_LENGTH }) : undefined}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          minLength={isNew ? MIN_PASSWORD_LENGTH : undefined}
          size="md"
          value={password}
          onChange={setPassword}
        />
        {isNew && isFirst && (
          <TextInput
            label={t('signIn.setupCode')}
            description={t('signIn.setupCodeHelp')}
            autoComplete="off"
            required
            withAsterisk={false}
            size="md"
            value={typedSetupCode}
            onChange={(event) => setTypedSetupCode(event.currentTarget.value)}
          />
        )}
        {isCodeNeeded && !isNew && <CodeField isSignIn value={code} onChange={setCode} />}
        {failure && <ProblemText>{failure}</ProblemText>}
        <Button type="submit" size="md" loading={isBusy}>
          {isNew ? t('signIn.signUp') : t('signIn.signIn')}
        </Button>
      </Stack>
    </form>
  )
}
