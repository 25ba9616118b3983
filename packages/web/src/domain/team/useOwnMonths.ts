import type { OwnMonths } from '@saldo/core'
import { useCallback } from 'react'
import { type TeamAnswer, useTeamAnswer, useTeamCalls } from './useTeamAnswer.ts'

/** Returns the months of the user from joining on, with their states, the latest first. */
export function useOwnMonths(): TeamAnswer<OwnMonths> {
  const calls = useTeamCalls()
  return useTeamAnswer(
    'months',
    useCallback(() => calls.ownMonths(), [calls]),
  )
}
