import { RejectedError } from '@saldo/client'
import { useState } from 'react'
import type { OwnWords } from '../../ui/feedback/failure.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'

/** Signs in, by a password and, once `isCodeNeeded`, by a code of the second factor too. */
export function useSignIn(own: OwnWords) {
  const { attempt, ...state } = useAttempt(own)
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  const attemptSignIn = (work: Promise<unknown>) =>
    attempt(
      work.catch((error) => {
        const isAsking = error instanceof RejectedError && error.problem.code === 'second_factor_required'
        setCodeNeeded(isAsking)
        // The first request for a code is the next step, not a failure.
        if (!isAsking || isCodeNeeded) throw error
      }),
    )
  return { ...state, isCodeNeeded, attemptSignIn }
}
