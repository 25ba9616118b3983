import { Button, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../context/saldo.tsx'
import { useSignedIn } from '../../context/session.tsx'
import { CodeField } from '../../ui/CodeField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { failureOf } from '../../ui/feedback/failure.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { needsCode } from './needs-code.ts'
import { PasskeyButton } from './passkeys/PasskeyButton.tsx'

/** Asks for the password after the end of the session, so that sync resumes. */
export default function SignInAgain({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { user } = useSignedIn()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await saldo.session.signIn(user.email, password, code)
      setPassword('')
      onClose()
    } catch (error) {
      const asksForCode = needsCode(error)
      setCode(asksForCode ? '' : undefined)
      // The first request for a code is the next step, not a failure.
      const isNext = asksForCode && code === undefined
      const { key, detail } = failureOf(error, { invalid_credentials: 'signIn.wrong' })
      setFailure(isNext ? undefined : t(key, { detail }))
    }
  }
  const onSignedIn = async (signedIn: number) => {
    saldo.session.onSignedIn(signedIn)
    onClose()
  }
  return (
    <Dialog title={t('signIn.again')} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <Stack>
          <Text>{t('signIn.againWhy', { email: user.email })}</Text>
          <PasswordField
            label={t('signIn.password')}
            autoComplete="current-password"
            data-autofocus
            error={code === undefined && failure}
            value={password}
            onChange={setPassword}
          />
          {code !== undefined && <CodeField isSignIn value={code} onChange={setCode} error={failure} />}
          <Button type="submit">{t('signIn.signIn')}</Button>
          <PasskeyButton onSignedIn={onSignedIn} />
        </Stack>
      </form>
    </Dialog>
  )
}
