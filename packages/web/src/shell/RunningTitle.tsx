import { timerState } from '@saldo/client/entries'
import { useEntries } from '@saldo/client/react'
import { epochMs, isTimed, MINUTE_MS } from '@saldo/core'
import { useNow } from '../context/clock.ts'
import { useFormat } from '../context/FormatProvider.tsx'
import { useToday } from '../domain/account/TimelineProvider.tsx'
import { daysAround } from '../domain/date-ranges.ts'
import { useRunningTitle } from '../ui/window-title.tsx'

/** Shows in the title of the window for how long the timer runs. */
export function RunningTitle() {
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const rows = useEntries(daysAround(useToday()))
  const state = timerState((rows ?? []).map(({ record }) => record).filter(isTimed))
  const isRunning = state.kind === 'working'
  useRunningTitle(isRunning ? `▶ ${format.duration(Math.max(0, nowMs - epochMs(state.entry.started_at)))}` : '')
  return null
}
