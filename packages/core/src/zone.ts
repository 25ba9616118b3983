import type { EpochMs, LocalDate } from './values.ts'

/** The name of a time zone in the IANA database, such as `Europe/Berlin`. */
export type ZoneName = string

const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/
const CACHED_ZONES = 1_000
const CACHED_DAYS = 50_000

const knownZones = new Set<ZoneName>()
/** The first instants of dates, by zone and date. */
const firstInstants = new Map<string, EpochMs>()

/** True if `name` is an IANA zone (not an offset) that this runtime knows. */
export function isZone(name: string): name is ZoneName {
  if (knownZones.has(name)) return true
  if (name.length > 64 || !NAME.test(name)) return false
  try {
    // `Intl` also accepts names, such as PST, that Temporal does not.
    new Temporal.ZonedDateTime(0n, name)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
  if (knownZones.size >= CACHED_ZONES) knownZones.clear()
  knownZones.add(name)
  return true
}

/**
 * Returns the first instant of a date in a zone: midnight, the end of the gap if midnight is skipped, or the first of
 * two midnights. Cached by zone and date.
 */
export function firstInstant(date: LocalDate, zone: ZoneName): EpochMs {
  const key = `${zone} ${date}`
  let ms = firstInstants.get(key)
  if (ms === undefined) {
    ms = Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds
    if (firstInstants.size >= CACHED_DAYS) firstInstants.clear()
    firstInstants.set(key, ms)
  }
  return ms
}

/** Returns the date that a zone has at a time. */
export function dateInZone(ms: EpochMs, zone: ZoneName): LocalDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString() as LocalDate
}
