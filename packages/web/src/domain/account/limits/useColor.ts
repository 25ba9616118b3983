import { type BalanceColor, balanceColor, type DurationMs, settingsOn } from '@saldo/core'
import { useTimeline } from '../TimelineProvider.tsx'
import { useToday } from '../useToday.ts'

/** Returns the range of a balance by the limits in force today; `undefined` without limits. */
export function useColor(balanceMs: DurationMs): BalanceColor | undefined {
  const { timeline } = useTimeline()
  const limits = settingsOn(timeline, useToday())?.limits
  return limits ? balanceColor(balanceMs, limits) : undefined
}
