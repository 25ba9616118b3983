import { Button } from '@mantine/core'
import { passkeySignIn } from '@saldo/client'
import type { OwnWords } from '../../../ui/feedback/failure.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'

/** True if the browser offers passkeys here: only over TLS and on `localhost`. */
export const hasPasskeys = 'PublicKeyCredential' in globalThis

interface Props {
  action: string
  size?: string
  isDisabled?: boolean
  /** Sends the credential, which is valid once, to the service. */
  act: (credential: object) => Promise<void>
  /** Texts for failures that are not about the passkey. */
  words?: OwnWords | undefined
}

/** Does something with a passkey in place of the password, if the browser has passkeys. */
export function PasskeyButton({ action, size = 'sm', isDisabled = false, act, words }: Props) {
  const { isBusy, failure, attempt } = useAttempt({
    ...words,
    invalid_credentials: 'ui.passkey.unknown',
    forbidden: 'ui.passkey.unknown',
    conflict: 'ui.passkey.address',
  })
  if (!hasPasskeys) return null
  const signAndAct = async () => {
    const { signWithKey } = await import('./authenticator.ts')
    await act(await signWithKey(await passkeySignIn().requestOptions()))
  }
  return (
    <>
      {failure && <ProblemText>{failure}</ProblemText>}
      <Button
        variant="default"
        size={size}
        loading={isBusy}
        disabled={isDisabled}
        onClick={() => void attempt(signAndAct())}
      >
        {action}
      </Button>
    </>
  )
}
