import {
  addDays,
  DAY_MS,
  dayWindow,
  type LocalDate,
  type Settings,
  settingsOn,
  timelineOf,
  type ZoneName,
} from '@saldo/core'

/** What another zone does to days. */
export interface ZoneMeaning {
  /** The first date that the new zone decides. */
  from: LocalDate
  zone: ZoneName
  /** What decided this date so far. */
  zoneBefore: ZoneName
  /** Whether dates before it stay in another zone than it gets. */
  isBorder: boolean
  /** Whether days that have been are cut anew. */
  isPast: boolean
  /** The days at the border that are longer or shorter than others. */
  oddDays: { date: LocalDate; lengthMs: number }[]
}

/** What a row's zone does to days where it is another than so far; `undefined` where it is the same. */
export function zoneMeaning(row: Settings, rows: readonly Settings[], today: LocalDate): ZoneMeaning | undefined {
  const from = row.effective_from
  const before = timelineOf(rows)
  const zoneBefore = settingsOn(before, from)?.time_zone
  if (zoneBefore === undefined || zoneBefore === row.time_zone) return undefined
  const after = timelineOf([...rows.filter(({ id }) => id !== row.id), row])
  const dayBefore = settingsOn(after, addDays(from, -1))
  const isBorder = dayBefore !== undefined && dayBefore.time_zone !== row.time_zone
  const oddDays = [addDays(from, -1), from].flatMap((date) => {
    const { start, end } = dayWindow(after, date)
    return end - start === DAY_MS ? [] : [{ date, lengthMs: end - start }]
  })
  return {
    from,
    zone: row.time_zone,
    zoneBefore,
    isBorder,
    isPast: from < today,
    oddDays: isBorder ? oddDays : [],
  }
}
