import { useState } from 'react'
import type { OwnWords } from '../../ui/feedback/failure.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { isSignInFailure, needsCodeAfter } from './sign-in-model.ts'

/** Signs in, by a password and, once `isCodeNeeded`, by a code of the second factor too. */
export function useSignIn(own: OwnWords) {
  const { attempt, ...state } = useAttempt(own)
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  const attemptSignIn = (work: Promise<unknown>) =>
    attempt(
      work.catch((error) => {
        setCodeNeeded(needsCodeAfter(error, isCodeNeeded))
        if (isSignInFailure(error, isCodeNeeded)) throw error
      }),
    )
  return { ...state, isCodeNeeded, attemptSignIn }
}
