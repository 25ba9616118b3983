import { useSaldo } from '@saldo/client/react'
import type { TeamSummary } from '@saldo/core'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { clock } from '../../context/clock.ts'
import { forgetAnswers, isEnded, keepAnswer, keptAnswer } from './kept-answers.ts'

interface KnownTeam {
  /** The company that concerns the user; `undefined` without one. */
  team: TeamSummary | undefined
  /** False until the service has answered or could not be reached, unless an earlier answer is kept. */
  isKnown: boolean
  /** Asks again. */
  again(): Promise<void>
}

const TeamContext = createContext<KnownTeam | undefined>(undefined)
const SUMMARY = 'summary'

/** Asks once for the company of the user. Without one, nothing of it is shown. */
export function TeamProvider({ children }: { children: ReactNode }) {
  const { user, userAccount } = useSaldo()
  const [known, setKnown] = useState(() => {
    const kept = keptAnswer<TeamSummary>(localStorage, user, SUMMARY, clock.now())
    return { team: kept?.answer, isKnown: kept !== undefined }
  })
  const again = useCallback(async () => {
    try {
      const team = await userAccount.team()
      if (team && team.left_on === null) keepAnswer(localStorage, user, SUMMARY, { atMs: clock.now(), answer: team })
      // Whoever belongs to no company any more keeps nothing of it (D30.3).
      else forgetAnswers(localStorage, user)
      setKnown({ team, isKnown: true })
    } catch (error) {
      if (isEnded(error)) forgetAnswers(localStorage, user)
      // Without an answer, what this device keeps stays.
      setKnown(({ team }) => ({ team: isEnded(error) ? undefined : team, isKnown: true }))
    }
  }, [user, userAccount])
  useEffect(() => {
    forgetAnswers(localStorage, user, clock.now())
    void again()
  }, [user, again])
  const value = useMemo(() => ({ ...known, again }), [known, again])
  return <TeamContext value={value}>{children}</TeamContext>
}

/** True if the user has months in a company: as a member, or of before they left (D24.19). */
export function hasMonths(team: TeamSummary | undefined): boolean {
  return team !== undefined && (team.is_member || team.left_on !== null)
}

/** Returns the company of the user, as the service or this device knows it. */
export function useTeam(): KnownTeam {
  const known = use(TeamContext)
  if (!known) throw new Error('useTeam belongs below TeamProvider')
  return known
}
