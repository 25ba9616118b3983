import {
  addDays,
  buildTimeline,
  DAY_MS,
  type DurationMs,
  dayWindow,
  type LocalDate,
  type Settings,
  settingsOn,
  type ZoneName,
} from '@saldo/core'

/** The effects of a settings row with another time zone. */
export interface ZoneChange {
  /** The first date in the new zone. */
  from: LocalDate
  zone: ZoneName
  /** The zone of that date so far. */
  zoneBefore: ZoneName
  /** True if the days before stay in another zone. */
  hasBorder: boolean
  /** True if it moves the bounds of past days. */
  isPast: boolean
  /** The days at the border that do not have 24 hours. */
  unusualDays: { date: LocalDate; lengthMs: DurationMs }[]
}

/** Returns the effects of a row's time zone; `undefined` if it stays the same. */
export function zoneChangeOf(row: Settings, rows: readonly Settings[], today: LocalDate): ZoneChange | undefined {
  const { effective_from: from, time_zone: zone } = row
  const zoneBefore = settingsOn(buildTimeline(rows), from)?.time_zone
  if (zoneBefore === undefined || zoneBefore === zone) return undefined
  const timeline = buildTimeline([...rows.filter(({ id }) => id !== row.id), row])
  const dayBefore = addDays(from, -1)
  const hasBorder = (settingsOn(timeline, dayBefore)?.time_zone ?? zone) !== zone
  const unusualDays = (hasBorder ? [dayBefore, from] : []).flatMap((date) => {
    const { start, end } = dayWindow(timeline, date)
    return end - start === DAY_MS ? [] : [{ date, lengthMs: end - start }]
  })
  return { from, zone, zoneBefore, hasBorder, isPast: from < today, unusualDays }
}
