/** The last days of the months, which most contracts name. */
const monthEnds = '01-31 02-29 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'.split(' ')

/** Returns the days of the year to choose from: the last ones of the months, and those that are chosen already. */
export function daysToChoose(chosen: readonly string[]): string[] {
  return [...new Set([...monthEnds, ...chosen])].sort()
}
