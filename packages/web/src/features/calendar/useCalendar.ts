import {
  type Entry,
  type LocalDate,
  type Settings,
  settingsOn,
  type Timeline,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import { useMemo } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import { type CalendarDay, calendarDays } from './calendar-days.ts'
import { type Place, rangeOf } from './place.ts'

export interface Calendar {
  place: Place
  today: LocalDate
  timeline: Timeline<Settings>
  /** 1 for Monday to 7. */
  weekStartsOn: number
  /** All days of the place's year. */
  days: Map<LocalDate, CalendarDay>
  /** Those that touch the year. */
  entries: Entry[]
  zone: ZoneName
}

/** The year of a place; `undefined` until it is read. Memoize the place. */
export function useCalendar(place: Place): Calendar | undefined {
  const saldo = useSaldo()
  const shown = useTimeline()
  const today = useToday()
  const { year } = place
  const range = useMemo(() => rangeOf({ year, month: undefined }), [year])
  const forecast = useLive(useMemo(() => saldo.account.days(range), [saldo, range]))
  const rows = useLive(useMemo(() => saldo.entries.between(range), [saldo, range]))
  const days = useMemo(
    () => forecast && rows && calendarDays(range, shown, forecast, rows),
    [range, shown, forecast, rows],
  )
  return useMemo(() => {
    if (!days || !rows) return undefined
    const { timeline } = shown
    const weekStartsOn = settingsOn(timeline, today)?.week_starts_on ?? 1
    const entries = rows.map(({ record }) => record)
    return { place, today, timeline, weekStartsOn, days, entries, zone: zoneOn(timeline, today) }
  }, [shown, today, place, days, rows])
}
