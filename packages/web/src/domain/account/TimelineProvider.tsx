import { type ShownTimeline, shownTimeline } from '@saldo/client/entries'
import type { Settings } from '@saldo/core'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { browserZone } from '../work-hours/browser-zone.ts'

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
