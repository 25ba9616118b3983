import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import { hasPasskeys } from './has-passkeys.ts'
import { usePasskeySignIn } from './usePasskeySignIn.ts'

interface Props {
  size?: string
  onSignedIn: (user: number) => Promise<void>
}

/** Signs in without password, where the browser has passkeys. */
export function PasskeyButton({ size = 'sm', onSignedIn }: Props) {
  const { t } = useTranslation()
  const { isBusy, failure, signIn } = usePasskeySignIn(onSignedIn)
  if (!hasPasskeys) return null
  return (
    <>
      {failure && <ProblemText>{failure}</ProblemText>}
      <Button variant="default" size={size} loading={isBusy} onClick={() => void signIn()}>
        {t('ui.passkey.signIn')}
      </Button>
    </>
  )
}
