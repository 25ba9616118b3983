import { type Ledger, ledgerOf, ledgerRange } from '@saldo/client/account'
import { useDays, useLive, useSaldo } from '@saldo/client/react'
import type { LocalDate, Settings, Timeline } from '@saldo/core'
import { useMemo } from 'react'
import { useTimeline, useToday } from '../../domain/account/TimelineProvider.tsx'

export interface Account {
  today: LocalDate
  timeline: Timeline<Settings>
  /** False before the first settings row: there are no weeks to count then. */
  hasHours: boolean
  ledger: Ledger
}

/** Returns the account from its beginning; `undefined` while it loads. */
export function useAccount(): Account | undefined {
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const today = useToday()
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const adjustments = useLive(useMemo(() => saldo.balanceAdjustments.all(), [saldo]))
  // The first row of the timeline is for the time before the account.
  const accountFrom = timeline[1]?.effective_from
  const { from, to } = ledgerRange(accountFrom, closedWeeks ?? [], today)
  const days = useDays({ from, to })
  if (!closedWeeks || !adjustments || !days) return undefined
  const ledger = ledgerOf(days, closedWeeks, adjustments, today)
  return { today, timeline, hasHours: accountFrom !== undefined, ledger }
}
