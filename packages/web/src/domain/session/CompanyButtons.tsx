import { Button } from '@mantine/core'
import { connect, type ServiceFacts } from '@saldo/client'
import type { UserNumber } from '@saldo/core'
import { useSignedIn } from '../../context/session.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../ui/Notice.tsx'
import { useServiceFacts } from './session-hooks.ts'
import type { SignInFailure } from './sign-in-model.ts'

interface Props {
  providers: ServiceFacts['sign_in']['providers']
  /** The user of this device: nobody else is signed in then. */
  user?: UserNumber
  size?: string
}

/** Leads to the company's sign-in, from which the browser comes back to this view. */
export function CompanyButtons({ providers, user, size = 'sm' }: Props) {
  const { t } = useTranslation()
  const { isBusy, failure, attempt } = useAttempt({ unavailable: 'signIn.company.unavailable' })
  const leave = async (provider: string) => {
    const returnTo = location.pathname + location.search
    location.assign(await connect().companySignIn(provider, { returnTo, user }))
  }
  return (
    <>
      {failure && <ProblemText>{failure}</ProblemText>}
      {providers.map(({ id, label }) => (
        <Button key={id} variant="default" size={size} loading={isBusy} onClick={() => void attempt(leave(id))}>
          {t('signIn.company.button', { label })}
        </Button>
      ))}
    </>
  )
}

/** Says why the company's sign-in let nobody in; `email` is that of the device's user. */
export function SignInFailureText({ failure, email }: { failure: SignInFailure; email?: string }) {
  const { t } = useTranslation()
  const key = failure === 'deactivated' ? 'signIn.deactivated' : `signIn.company.failure.${failure}`
  return <ProblemText>{t(key, { email })}</ProblemText>
}

/** Asks a user without a password to sign in again, in place of the password, once the service has refused. */
export function SignInFirst({ failure }: { failure: string | undefined }) {
  const { user } = useSignedIn()
  const facts = useServiceFacts()
  if (failure === undefined) return null
  return (
    <>
      <ProblemText>{failure}</ProblemText>
      <CompanyButtons providers={facts?.sign_in.providers ?? []} user={user.user} />
    </>
  )
}
