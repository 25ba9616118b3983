import type { OwnMembership } from '@saldo/core'
import { useCallback } from 'react'
import { type TeamAnswer, useTeamAnswer, useTeamCalls } from './useTeamAnswer.ts'

/** Returns the memberships of the user, those that wait for acceptance too. */
export function useMemberships(): TeamAnswer<OwnMembership[]> {
  const calls = useTeamCalls()
  return useTeamAnswer(
    'memberships',
    useCallback(() => calls.memberships(), [calls]),
  )
}
