import { connect } from '@saldo/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { needsCode } from '../../domain/session/needs-code.ts'
import { failureOf, type OwnWords } from '../../ui/feedback/failure.ts'

interface Credentials {
  email: string
  password: string
  /** The code of the second factor, once the service asks for it. */
  code?: string | undefined
  /** Present when signing up. */
  setupCode?: string
}

const ownWords = (isFirst: boolean): OwnWords => ({
  invalid_credentials: 'signIn.wrong',
  invalid_request: 'signIn.notValid',
  conflict: 'signIn.taken',
  forbidden: isFirst ? 'signIn.wrongSetupCode' : 'signIn.closed',
})

/** Signs a user in or up, and holds the message if that fails. */
export function useCredentials(isFirst: boolean, onSignedIn: (user: RememberedUser) => Promise<void>) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isCodeNeeded, setCodeNeeded] = useState(false)

  const submit = async ({ email, password, code, setupCode }: Credentials) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const service = connect()
      const user =
        setupCode === undefined
          ? await service.signIn({ email, password, code })
          : await service.signUp({ email, password, ...(setupCode !== '' && { setupCode: setupCode.trim() }) })
      await onSignedIn({ user, email })
    } catch (error) {
      const { key, detail } = failureOf(error, ownWords(isFirst))
      const asksForCode = needsCode(error)
      setCodeNeeded(asksForCode)
      // The first time, the code is the next step and not a failure.
      if (!asksForCode || code !== undefined) setFailure(t(key, { detail }))
      setBusy(false)
    }
  }
  return { isBusy, failure, isCodeNeeded, submit }
}
