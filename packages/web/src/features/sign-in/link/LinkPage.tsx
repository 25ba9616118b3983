import { Button, Stack, Text } from '@mantine/core'
import { connect, RejectedError } from '@saldo/client'
import { type PasswordLink, passwordLink } from '@saldo/client/user-accounts'
import type { LinkTarget } from '@saldo/core'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'
import { PasswordField } from '../../../ui/CredentialFields.tsx'
import { failureOf } from '../../../ui/feedback/failure.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { Logo } from '../../../ui/Logo.tsx'
import { ProblemText } from '../../../ui/Notice.tsx'
import { ViewTitle } from '../../../ui/ViewHeader.tsx'
import classes from '../SignIn.module.css'
import { MIN_PASSWORD_LENGTH } from '../sign-in-model.ts'

const MAX_PASSWORD_LENGTH = 128

interface Props {
  secret: string
  /** Called with the address once the password is set; the user is signed in unless a code is needed. */
  onDone: (email: string) => void
}

/** Sets a password by an invitation or a reset link, and signs in. */
export default function LinkPage({ secret, onDone }: Props) {
  const { t } = useTranslation()
  const link = useMemo(() => passwordLink(secret), [secret])
  const [target, setTarget] = useState<LinkTarget>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    link.read().then(setTarget, (error: unknown) => {
      const isInvalid = error instanceof RejectedError
      setProblem(isInvalid ? 'signIn.link.invalid' : failureOf(error).key)
    })
  }, [link])
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo />
        {problem && (
          <>
            <ViewTitle className={classes.title}>{t('signIn.link.title')}</ViewTitle>
            <Text role="alert">{t(problem)}</Text>
            <Button variant="default" component="a" href="/">
              {t('signIn.link.back')}
            </Button>
          </>
        )}
        {target && <PasswordForm target={target} link={link} onDone={onDone} />}
      </div>
    </main>
  )
}

interface FormProps {
  target: LinkTarget
  link: PasswordLink
  onDone: (email: string) => void
}

function PasswordForm({ target: { purpose, email, name }, link, onDone }: FormProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [isShort, setShort] = useState(false)
  const { isBusy, failure, failedField, attempt } = useAttempt({
    '/password': ['signIn.commonPassword', 'password'],
    not_found: 'signIn.link.invalid',
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setShort(password.length < MIN_PASSWORD_LENGTH)
    if (password.length < MIN_PASSWORD_LENGTH) return
    if (!(await attempt(link.setPassword(password)))) return
    // With a second factor, the sign-in form asks for the code.
    await connect()
      .signIn({ email, password })
      .catch(() => undefined)
    onDone(email)
  }
  const error = isShort ? t('signIn.shortPassword', { count: MIN_PASSWORD_LENGTH }) : failedField && failure
  return (
    <>
      <div>
        <ViewTitle className={classes.title}>
          {purpose === 'invitation' ? t('signIn.link.welcome', { name }) : t('signIn.link.title')}
        </ViewTitle>
        <Text c="dimmed">
          {t(purpose === 'invitation' ? 'signIn.link.leadInvitation' : 'signIn.link.leadReset', { email })}
        </Text>
      </div>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Stack>
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            label={t('signIn.link.password')}
            description={t('signIn.passwordRule', { count: MIN_PASSWORD_LENGTH })}
            autoComplete="new-password"
            autoFocus
            maxLength={MAX_PASSWORD_LENGTH}
            size="md"
            error={error}
            value={password}
            onChange={setPassword}
          />
          {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
          <Button type="submit" size="md" loading={isBusy}>
            {t('signIn.link.set')}
          </Button>
        </Stack>
      </form>
    </>
  )
}
