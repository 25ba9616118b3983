import { connect, NotSignedInError } from '@saldo/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RememberedUser } from '../../app/session/remembered-user.ts'
import { failureOf } from '../../ui/feedback/failure.ts'

interface Credentials {
  email: string
  password: string
  /** Present when signing up. */
  setupCode?: string
}

/** Asks the service to let somebody in, and tells in words why it does not. */
export function useCredentials(onSignedIn: (user: RememberedUser) => Promise<void>) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  const submit = async ({ email, password, setupCode }: Credentials) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const service = connect()
      const user =
        setupCode === undefined
          ? await service.signIn({ email, password })
          : await service.signUp({ email, password, ...(setupCode !== '' && { setupCode: setupCode.trim() }) })
      await onSignedIn({ user, email })
    } catch (error) {
      const { key, detail } = failureOf(error)
      setFailure(error instanceof NotSignedInError ? t('signIn.wrong') : t(key, { detail }))
      setBusy(false)
    }
  }
  return { isBusy, failure, submit }
}
