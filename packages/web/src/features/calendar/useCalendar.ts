import { type Entry, type IsoDate, type Settings, settingsOn, type Timeline, type ZoneName, zoneOn } from '@saldo/core'
import { useMemo } from 'react'
import { useSaldo } from '../../app/saldo.tsx'
import { useTimeline, useToday } from '../../ui/account/useTimeline.ts'
import { useLive } from '../../ui/useLive.ts'
import { type CalendarDay, calendarDays } from './calendar-days.ts'
import { type Place, placeOf, rangeOf } from './place.ts'

export interface Calendar {
  place: Place
  today: IsoDate
  timeline: Timeline<Settings>
  /** 1 for Monday to 7. */
  weekStartsOn: number
  /** All days of the place's year. */
  days: Map<IsoDate, CalendarDay>
  /** Those that touch the year. */
  entries: Entry[]
  zone: ZoneName
}

/** A year of the calendar, of which a path tells what is shown; `undefined` until it is read. */
export function useCalendar(params: { year?: string; month?: string }): Calendar | undefined {
  const saldo = useSaldo()
  const shown = useTimeline()
  const today = useToday()
  const { year = 2000, month } = today === undefined ? {} : placeOf(params, today)
  const range = useMemo(() => rangeOf({ year, month: undefined }), [year])
  const forecast = useLive(useMemo(() => saldo.account.days(range), [saldo, range]))
  const rows = useLive(useMemo(() => saldo.entries.between(range), [saldo, range]))
  const days = useMemo(
    () => shown && forecast && rows && calendarDays(range, shown, forecast, rows),
    [range, shown, forecast, rows],
  )
  return useMemo(() => {
    if (!shown || today === undefined || !days || !rows) return undefined
    const { timeline } = shown
    const weekStartsOn = settingsOn(timeline, today)?.week_starts_on ?? 1
    const entries = rows.map(({ record }) => record)
    return { place: { year, month }, today, timeline, weekStartsOn, days, entries, zone: zoneOn(timeline, today) }
  }, [shown, today, year, month, days, rows])
}
