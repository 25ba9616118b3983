import { type AwayPage, addDays, type DateRange, type TeamPerson } from '@saldo/core'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { AwayGrid } from '../away/AwayGrid.tsx'

interface Props {
  owner: TeamPerson
  range: DateRange
  away: readonly Pick<AwayPage['items'][number], 'user_id' | 'name' | 'dates'>[]
}

/** Days before and after a request that its calendar shows too. */
const AROUND_DAYS = 3
const MAX_DAYS = 62

/** The request among those who are away in these days. */
export function GroupMonth({ owner, range, away }: Props) {
  const today = useToday()
  const last = addDays(range.from, MAX_DAYS)
  const shown = { from: addDays(range.from, -AROUND_DAYS), to: addDays(range.to < last ? range.to : last, AROUND_DAYS) }
  const items = [
    { ...owner, group_id: 0, dates: [{ ...range, sight: 'asked' as const }] },
    ...away.filter(({ user_id }) => user_id !== owner.user_id).map((person) => ({ ...person, group_id: 1 })),
  ]
  return <AwayGrid page={{ groups: [], items, cursor: null }} range={shown} today={today} isSmall />
}
