import { type ShownTimeline, shownTimeline } from '@saldo/client/entries'
import { useBalance } from '@saldo/client/react'
import {
  type BalanceColor,
  balanceColor,
  type DurationMs,
  dateAt,
  type LocalDate,
  MINUTE_MS,
  type Settings,
  settingsOn,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { clock, useNow } from '../../context/clock.ts'
import { browserZone } from '../work-hours/work-hours-model.ts'
import { currentBalanceMs } from './account-model.ts'

const TimelineContext = createContext<ShownTimeline | undefined>(undefined)

interface Props {
  settings: readonly Settings[]
  children: ReactNode
}

/** Provides the settings over time. */
export function TimelineProvider({ settings, children }: Props) {
  const shown = useMemo(() => shownTimeline(settings, browserZone()), [settings])
  return <TimelineContext value={shown}>{children}</TimelineContext>
}

/** Returns the settings over time. */
export function useTimeline(): ShownTimeline {
  const shown = use(TimelineContext)
  if (!shown) throw new Error('useTimeline belongs below TimelineProvider')
  return shown
}

/** Returns the current date in the account's time zone. */
export function useToday(): LocalDate {
  const { timeline } = useTimeline()
  return dateAt(timeline, useNow(MINUTE_MS))
}

/** Returns the account's current time zone. */
export function useZone(): ZoneName {
  const { timeline } = useTimeline()
  return zoneOn(timeline, dateAt(timeline, clock.now()))
}

/** Returns the balance up to yesterday, with open days and unsent changes; `undefined` while it is computed. */
export function useCurrentBalance(): DurationMs | undefined {
  const balance = useBalance(useToday())
  return balance && currentBalanceMs(balance)
}

/** Returns the range of a balance by the limits in force today; `undefined` without limits. */
export function useColor(balanceMs: DurationMs): BalanceColor | undefined {
  const { timeline } = useTimeline()
  const limits = settingsOn(timeline, useToday())?.limits
  return limits ? balanceColor(balanceMs, limits) : undefined
}
