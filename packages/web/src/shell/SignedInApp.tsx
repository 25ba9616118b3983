import type { Saldo } from '@saldo/client'
import { SaldoProvider } from '@saldo/client/react'
import { lazy, Suspense, useMemo } from 'react'
import { type SignedIn, SignedInProvider } from '../context/session.tsx'
import type { SignInFailure } from '../domain/session/sign-in-model.ts'
import { forgetAnswers } from '../domain/team/kept-answers.ts'
import { TeamProvider } from '../domain/team/TeamProvider.tsx'
import { whenOnline } from '../ui/when-online.ts'
import { Shell } from './Shell.tsx'

const SignInAgain = lazy(whenOnline(() => import('../domain/session/SignInAgain.tsx')))

interface Props {
  saldo: Saldo
  signedIn: SignedIn
  /** The reason why the company's sign-in has just failed for somebody who is signed in still. */
  failure: SignInFailure | undefined
  onFailureRead: () => void
}

/** The app of a signed-in user. */
export function SignedInApp({ saldo, signedIn, failure, onFailureRead }: Props) {
  const forgetful = useMemo<SignedIn>(
    () => ({
      ...signedIn,
      async leave(options) {
        await signedIn.leave(options)
        forgetAnswers(localStorage, signedIn.user.user)
      },
    }),
    [signedIn],
  )
  return (
    <SaldoProvider saldo={saldo}>
      <SignedInProvider signedIn={forgetful}>
        <TeamProvider>
          <Shell />
        </TeamProvider>
        {failure && (
          <Suspense>
            <SignInAgain failure={failure} onClose={onFailureRead} />
          </Suspense>
        )}
      </SignedInProvider>
    </SaldoProvider>
  )
}
