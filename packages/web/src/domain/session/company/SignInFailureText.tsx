import { useTranslation } from 'react-i18next'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import type { SignInFailure } from './sign-in-failure.ts'

/** Says why the company's sign-in let nobody in; `email` is that of the device's user. */
export function SignInFailureText({ failure, email }: { failure: SignInFailure; email?: string }) {
  const { t } = useTranslation()
  const key = failure === 'deactivated' ? 'signIn.deactivated' : `signIn.company.failure.${failure}`
  return <ProblemText>{t(key, { email })}</ProblemText>
}
