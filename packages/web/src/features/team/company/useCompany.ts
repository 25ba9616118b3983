import type { GroupRow, MemberRow } from '@saldo/core'
import { useCallback } from 'react'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { type Resource, useResource } from '../../../ui/useResource.ts'

/** Returns the groups of the company. */
export function useGroups(): Resource<GroupRow[]> {
  const calls = useTeamCalls()
  return useResource(useCallback(() => calls.groups(), [calls]))
}

const MAX_PAGES = 20

/** Returns the people of the company to choose from. */
export function useAllPeople(): Resource<MemberRow[]> {
  const calls = useTeamCalls()
  return useResource(
    useCallback(async () => {
      const people: MemberRow[] = []
      let cursor: string | null = null
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const answer = await calls.people({ search: '', group: null, state: null, cursor })
        people.push(...answer.items)
        if (answer.cursor === null) break
        cursor = answer.cursor
      }
      return people
    }, [calls]),
  )
}

/** True if the user is HR: admins manage people, groups and roles, and HR the policy too. */
export function useIsHr(): boolean {
  return useTeam().team?.roles.some(({ role }) => role === 'hr') === true
}
