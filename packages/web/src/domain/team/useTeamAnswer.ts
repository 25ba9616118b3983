import { useSaldo } from '@saldo/client/react'
import { type Team, teamOf } from '@saldo/client/team'
import type { EpochMs } from '@saldo/core'
import { useCallback, useEffect, useMemo } from 'react'
import { clock } from '../../context/clock.ts'
import { type Resource, useResource } from '../../ui/useResource.ts'
import { forgetAnswers, isEnded, type KeptAnswer, keepAnswer, keptAnswer } from './kept-answers.ts'
import { useTeam } from './TeamProvider.tsx'
import { onTeamChange } from './team-changes.ts'

/** Returns the calls of the company's routes. */
export function useTeamCalls(): Team {
  const { user } = useSaldo()
  return useMemo(() => teamOf(user), [user])
}

export interface TeamAnswer<Answer> extends Resource<Answer> {
  /** The time of an answer of before, while the service cannot be reached. */
  keptAtMs: EpochMs | undefined
}

/**
 * Asks the service at once, when the page is seen again, when the service says that an answer has changed (D30.4), and
 * when `again` is called. The answer is kept on this device
 * under a name, and shown while the service cannot be reached (D30.3, D30.5). Memoize `ask`.
 */
export function useTeamAnswer<Answer>(name: string, ask: () => Promise<Answer>): TeamAnswer<Answer> {
  const { user } = useSaldo()
  const { again: askForTeam } = useTeam()
  const kept = useMemo(() => keptAnswer<Answer>(localStorage, user, name, clock.now()), [user, name])
  const { answer, failure, again } = useResource(
    useCallback(async (): Promise<{ name: string } & KeptAnswer<Answer>> => {
      try {
        const answered = { atMs: clock.now(), answer: await ask() }
        keepAnswer(localStorage, user, name, answered)
        return { name, ...answered }
      } catch (error) {
        // The role or the membership has ended.
        if (isEnded(error)) {
          forgetAnswers(localStorage, user)
          void askForTeam()
        }
        throw error
      }
    }, [ask, name, user, askForTeam]),
  )
  useEffect(() => {
    const askIfSeen = () => {
      if (document.visibilityState === 'visible') void again()
    }
    document.addEventListener('visibilitychange', askIfSeen)
    addEventListener('online', askIfSeen)
    const stopListening = onTeamChange(user, askIfSeen)
    return () => {
      stopListening()
      document.removeEventListener('visibilitychange', askIfSeen)
      removeEventListener('online', askIfSeen)
    }
  }, [again, user])
  const shown = answer?.name === name ? answer : kept
  return { answer: shown?.answer, failure, again, keptAtMs: failure === undefined ? undefined : shown?.atMs }
}
