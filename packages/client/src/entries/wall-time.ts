import { addDays, type EpochMs, type LocalDate, type ZoneName } from '@saldo/core'

/** Minutes since midnight, as a clock on the wall shows them; 24:00 is 1440. */
export type WallMinutes = number

const DAY_MINUTES = 1_440

/** Returns the instant of a local time in a zone. A time that is skipped by a clock change is taken an hour later. */
export function instantAt(date: LocalDate, minutes: WallMinutes, zone: ZoneName): EpochMs {
  const day = addDays(date, Math.floor(minutes / DAY_MINUTES))
  const within = minutes % DAY_MINUTES
  const time = Temporal.PlainTime.from({ hour: Math.floor(within / 60), minute: within % 60 })
  return Temporal.PlainDate.from(day).toPlainDateTime(time).toZonedDateTime(zone).epochMilliseconds
}

/** Returns the local date and minutes of an instant. */
export function wallAt(ms: EpochMs, zone: ZoneName): { date: LocalDate; minutes: WallMinutes } {
  const there = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
  return { date: there.toPlainDate().toString() as LocalDate, minutes: there.hour * 60 + there.minute }
}

/** Returns local time as `HH:MM`. */
export function clockText(minutes: WallMinutes): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
