import { Button } from '@mantine/core'
import { passkeySignIn } from '@saldo/client'
import type { UserNumber } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import { hasPasskeys } from './has-passkeys.ts'

interface Props {
  size?: string
  onSignedIn: (user: UserNumber) => Promise<void>
}

/** Signs in without a password, if the browser has passkeys. */
export function PasskeyButton({ size = 'sm', onSignedIn }: Props) {
  const { t } = useTranslation()
  const { isBusy, failure, attempt } = useAttempt({
    invalid_credentials: 'ui.passkey.unknown',
    conflict: 'ui.passkey.address',
  })
  if (!hasPasskeys) return null
  const signIn = async () => {
    const ceremony = passkeySignIn()
    const { signWithKey } = await import('./authenticator.ts')
    await onSignedIn(await ceremony.signIn(await signWithKey(await ceremony.requestOptions())))
  }
  return (
    <>
      {failure && <ProblemText>{failure}</ProblemText>}
      <Button variant="default" size={size} loading={isBusy} onClick={() => void attempt(signIn())}>
        {t('ui.passkey.signIn')}
      </Button>
    </>
  )
}
