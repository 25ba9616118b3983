import type { LocalDate, Settings, Timeline } from '@saldo/core'
import { useMemo } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import { type Ledger, ledgerOf, ledgerRange } from './ledger.ts'

export interface Account {
  today: LocalDate
  timeline: Timeline<Settings>
  /** Whether there are working hours: without them there are no weeks to count. */
  hasHours: boolean
  ledger: Ledger
}

/** The account from its beginning; `undefined` until it is read. */
export function useAccount(): Account | undefined {
  const saldo = useSaldo()
  const { timeline } = useTimeline()
  const today = useToday()
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const adjustments = useLive(useMemo(() => saldo.balanceAdjustments.all(), [saldo]))
  // The first row stands for the time before the account.
  const accountFrom = timeline[1]?.effective_from
  const { from, to } = ledgerRange(accountFrom, closedWeeks ?? [], today)
  const days = useLive(useMemo(() => saldo.account.days({ from, to }), [saldo, from, to]))
  return useMemo(() => {
    if (!closedWeeks || !adjustments || !days) return undefined
    const ledger = ledgerOf(days, closedWeeks, adjustments, today)
    return { today, timeline, hasHours: accountFrom !== undefined, ledger }
  }, [timeline, accountFrom, today, closedWeeks, adjustments, days])
}
