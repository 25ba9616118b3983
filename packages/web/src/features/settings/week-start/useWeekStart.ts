import { dateAt, timelineOf } from '@saldo/core'
import { useMemo } from 'react'
import { clock } from '../../../context/clock.ts'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { rowsFrom } from './week-start.ts'

/** `undefined` where there are no working hours yet, which tell it. */
export function useWeekStart(): { weekday: number | undefined; choose(weekday: number): void } {
  const { settings } = useSaldo()
  const { act } = useAct()
  const rows = useLive(useMemo(() => settings.all(), [settings]))
  const records = (rows ?? []).map(({ record }) => record)
  const timeline = timelineOf(records)
  const governing = rowsFrom(timeline, dateAt(timeline, clock.now()))
  return {
    weekday: governing[0]?.week_starts_on,
    choose: (week_starts_on) =>
      void act(Promise.all(governing.map(({ id }) => settings.update(id, { week_starts_on })))),
  }
}
