import { passkeySignIn } from '@saldo/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '../../../ui/feedback/failure.ts'

/** Signs in with a passkey, and tells in words why that did not work. `enter` gets the number of who was let in. */
export function usePasskeySignIn(enter: (user: number) => Promise<void>) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const signIn = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const door = passkeySignIn()
      const { answerTo } = await import('./authenticator.ts')
      await enter(await door.signIn(await answerTo(await door.requestOptions())))
    } catch (error) {
      const { key, detail } = failureOf(error, {
        invalid_credentials: 'ui.passkey.unknown',
        conflict: 'ui.passkey.address',
      })
      setFailure(t(key, { detail }))
      setBusy(false)
    }
  }
  return { isBusy, failure, signIn }
}
