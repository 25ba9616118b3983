import type { ForecastBalance } from '@saldo/client'
import { dateAt, type IsoDate, type Settings, type Timeline } from '@saldo/core'
import { useMemo } from 'react'
import { MINUTE_MS, useNow } from '../../app/now.tsx'
import { useSaldo } from '../../app/saldo.tsx'
import { useTimeline } from '../../ui/account/useTimeline.ts'
import { useLive } from '../../ui/useLive.ts'
import { type Ledger, ledgerOf, ledgerRange } from './ledger.ts'

export interface Account {
  today: IsoDate
  timeline: Timeline<Settings>
  /** Whether there are working hours: without them there are no weeks to count. */
  hasHours: boolean
  ledger: Ledger
  balance: ForecastBalance
}

/** The account from its beginning; `undefined` until it is read. */
export function useAccount(): Account | undefined {
  const saldo = useSaldo()
  const shown = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  const today = shown && dateAt(shown.timeline, nowMs)
  const closedWeeks = useLive(useMemo(() => saldo.account.closedWeeks(), [saldo]))
  const adjustments = useLive(useMemo(() => saldo.balanceAdjustments.all(), [saldo]))
  const balance = useLive(useMemo(() => saldo.account.balance(), [saldo]))
  // The first row stands for the time before the account.
  const accountFrom = shown?.timeline[1]?.effective_from
  const { from, to } = ledgerRange(accountFrom, closedWeeks ?? [], today ?? '2000-01-01')
  const days = useLive(useMemo(() => saldo.account.days({ from, to }), [saldo, from, to]))
  const timeline = shown?.timeline
  return useMemo(() => {
    if (!timeline || today === undefined || !closedWeeks || !adjustments || !balance || !days) return undefined
    const ledger = ledgerOf(days, closedWeeks, adjustments, today)
    return { today, timeline, hasHours: accountFrom !== undefined, ledger, balance }
  }, [timeline, accountFrom, today, closedWeeks, adjustments, balance, days])
}
