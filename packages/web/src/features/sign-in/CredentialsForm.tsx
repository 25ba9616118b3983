import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { CodeField, PasswordField } from '../../ui/CredentialFields.tsx'
import { useInvalidFocus } from '../../ui/focus.ts'
import { ProblemText } from '../../ui/Notice.tsx'
import { type FieldName, fieldProblems, MIN_PASSWORD_LENGTH } from './sign-in-model.ts'
import { useCredentials } from './useCredentials.ts'

const MAX_PASSWORD_LENGTH = 128
const MAX_NAME_LENGTH = 200

interface Props {
  isNew: boolean
  /** True before the first user signed up, who needs the set-up code. */
  isFirst: boolean
  setupCode: string | undefined
  onSignedIn: (user: RememberedUser) => Promise<void>
}

export function CredentialsForm({ isNew, isFirst, setupCode, onSignedIn }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [typedSetupCode, setTypedSetupCode] = useState(setupCode ?? '')
  const [code, setCode] = useState('')
  const { isBusy, failure, failedField, isCodeNeeded, submit } = useCredentials(isNew, isFirst, onSignedIn)
  const [problems, setProblems] = useState<Partial<Record<FieldName, string>>>({})
  const errorOf = (field: FieldName) => {
    const problem = problems[field]
    return problem ? t(problem, { count: MIN_PASSWORD_LENGTH }) : failedField === field && failure
  }
  const form = useInvalidFocus(failedField ?? problems)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const found = fieldProblems({ name, email, password }, isNew)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    void submit(
      isNew
        ? { email, name, password, setupCode: typedSetupCode }
        : { email, name, password, code: isCodeNeeded ? code : undefined },
    )
  }
  return (
    <form ref={form} noValidate onSubmit={send}>
      <Stack>
        {isNew && (
          <TextInput
            label={t('signIn.name')}
            autoComplete="name"
            required
            size="md"
            maxLength={MAX_NAME_LENGTH}
            error={errorOf('name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          size="md"
          error={errorOf('email')}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('signIn.password')}
          description={isNew ? t('signIn.passwordRule', { count: MIN_PASSWORD_LENGTH }) : undefined}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          maxLength={MAX_PASSWORD_LENGTH}
          size="md"
          error={errorOf('password')}
          value={password}
          onChange={setPassword}
        />
        {isNew && isFirst && (
          <TextInput
            label={t('signIn.setupCode')}
            description={t('signIn.setupCodeHelp')}
            autoComplete="off"
            required
            size="md"
            error={errorOf('setupCode')}
            value={typedSetupCode}
            onChange={(event) => setTypedSetupCode(event.currentTarget.value)}
          />
        )}
        {isCodeNeeded && !isNew && <CodeField isSignIn value={code} onChange={setCode} />}
        {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
        <Button type="submit" size="md" loading={isBusy}>
          {isNew ? t('signIn.signUp') : t('signIn.signIn')}
        </Button>
      </Stack>
    </form>
  )
}
