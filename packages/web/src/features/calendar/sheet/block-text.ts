import type { SheetDay } from '@saldo/client/export'
import type { Interval } from '@saldo/core'
import type { Format } from '../../../context/format.ts'

/** Returns the times of a block of work on a day; with their zone on the day of a clock change. */
export function blockText(
  { start, end }: Interval,
  { zone, hasClockChange }: Pick<SheetDay, 'zone' | 'hasClockChange'>,
  format: Format,
): string {
  const timeText = hasClockChange ? format.timeWithZone : format.time
  return `${timeText(start, zone)}–${timeText(end, zone)}`
}
