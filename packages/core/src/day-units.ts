/** A number of days in whole units, of which a day has `UNITS_PER_DAY`: sums are exact, and no order changes them. */
export type DayUnits = bigint

/** So fine that thousands of rounded shares add up to whole days; twelfths, hundredths and billionths are whole. */
export const UNITS_PER_DAY = 12n * 10n ** 18n

/** A day in the last digit that is shown. */
const SHOWN_PER_DAY = 10n ** 15n
const UNITS_PER_SHOWN = UNITS_PER_DAY / SHOWN_PER_DAY

/** Returns the units of a number of days, to the hundredth. */
export function unitsOfDays(days: number): DayUnits {
  return (BigInt(Math.round(days * 100)) * UNITS_PER_DAY) / 100n
}

/** Returns units as a number of days, rounded to 10^-15, so that nothing is left where shares were rounded. */
export function inDays(units: DayUnits): number {
  if (units < 0n) return -inDays(-units) || 0
  const shown = (units + UNITS_PER_SHOWN / 2n) / UNITS_PER_SHOWN
  return Number(shown / SHOWN_PER_DAY) + Number(shown % SHOWN_PER_DAY) / Number(SHOWN_PER_DAY)
}

/** Returns a number of days as shares of a day are counted, in billionths, so that sums of thirds are whole. */
export function inBillionths(days: number): number {
  return Math.round(days * 1e9) / 1e9
}
