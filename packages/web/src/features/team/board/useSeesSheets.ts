import { policyOn } from '@saldo/core'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'

/** True if the user sees days of the people on the board: HR does, and leads as far as the policy says (D25.7). */
export function useSeesSheets(): boolean {
  const { team } = useTeam()
  const today = useToday()
  if (!team) return false
  const versions = [team.policy, ...(team.next_policy ? [team.next_policy] : [])]
  return team.roles.some(({ role }) => role === 'hr') || policyOn(versions, today).lead_days !== 'none'
}
