import { useSignedIn } from '../../../context/session.tsx'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import { useServiceFacts } from '../useServiceFacts.ts'
import { CompanyButtons } from './CompanyButtons.tsx'

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
