import { Button, Stack, Text } from '@mantine/core'
import { passkeySignIn } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import { type FormEvent, useState } from 'react'
import { useSignedIn } from '../../context/session.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { CodeField, PasswordField } from '../../ui/CredentialFields.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CompanyButtons, SignInFailureText } from './CompanyButtons.tsx'
import ErasedUserAccount from './ErasedUserAccount.tsx'
import { PasskeyButton } from './passkeys/PasskeyButton.tsx'
import { useIsErased, useServiceFacts } from './session-hooks.ts'
import type { SignInFailure } from './sign-in-model.ts'
import { useSignIn } from './useSignIn.ts'

interface Props {
  /** The reason why the company's sign-in has just let nobody in. */
  failure?: SignInFailure | undefined
  onClose: () => void
}

/**
 * Asks for the password, a passkey or the company's sign-in after the end of the session, so that sync resumes; or
 * tells that the account is gone.
 */
export default function SignInAgain(props: Props) {
  return useIsErased() ? <ErasedUserAccount onClose={props.onClose} /> : <SignInDialog {...props} />
}

function SignInDialog({ failure: companyFailure, onClose }: Props) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { user } = useSignedIn()
  const { password: hasPasswords = true, providers = [] } = useServiceFacts()?.sign_in ?? {}
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { isBusy, failure, isCodeNeeded, attemptSignIn } = useSignIn({ invalid_credentials: 'signIn.wrong' })
  const signIn = async () => {
    await saldo.userAccount.signIn(user.email, password, isCodeNeeded ? code : undefined)
    onClose()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    void attemptSignIn(signIn())
  }
  const signInWithPasskey = async (credential: object) => {
    saldo.userAccount.onSignedIn(await passkeySignIn().signIn(credential))
    onClose()
  }
  return (
    <Dialog title={t('signIn.again')} onClose={onClose}>
      <form onSubmit={send}>
        <Stack>
          {companyFailure ? (
            <SignInFailureText failure={companyFailure} email={user.email} />
          ) : (
            <Text>{t('signIn.againWhy', { email: user.email })}</Text>
          )}
          {hasPasswords && (
            <>
              <PasswordField
                label={t('signIn.password')}
                autoComplete="current-password"
                data-autofocus
                error={!isCodeNeeded && failure}
                value={password}
                onChange={setPassword}
              />
              {isCodeNeeded && <CodeField isSignIn value={code} onChange={setCode} error={failure} />}
              <Button type="submit" loading={isBusy}>
                {t('signIn.signIn')}
              </Button>
              <PasskeyButton action={t('ui.passkey.signIn')} act={signInWithPasskey} />
            </>
          )}
          <CompanyButtons providers={providers} user={user.user} />
        </Stack>
      </form>
    </Dialog>
  )
}
