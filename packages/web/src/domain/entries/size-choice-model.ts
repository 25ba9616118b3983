import { type BareNumber, mapReading, type Reading, readDuration, readTimeRange } from '@saldo/client/reading'
import {
  type AbsenceSize,
  type DurationMs,
  HOUR_MS,
  MINUTE_MS,
  sizeOfAmount,
  sizeOfShare,
  WHOLE_DAY,
} from '@saldo/core'

/** The ways to enter the size of an absence. */
export const sizeChoices = ['whole', 'half', 'hours', 'share'] as const
type SizeChoice = (typeof sizeChoices)[number]

/** Returns the way in which a size is shown first. */
export function choiceOfSize({ day_share, amount_ms }: AbsenceSize): SizeChoice {
  if (amount_ms !== null) return 'hours'
  return day_share === 1 ? 'whole' : day_share === 0.5 ? 'half' : 'share'
}

/** The first size of each choice. */
export const firstSizes: Record<SizeChoice, AbsenceSize> = {
  whole: WHOLE_DAY,
  half: sizeOfShare(0.5),
  hours: sizeOfAmount(HOUR_MS),
  share: sizeOfShare(0.25),
}

/**
 * Reads an amount of time: a duration such as `1:30` or `1.5`, or a range of times such as `9:00–10:30`. `bare` says
 * how a number without a unit is read.
 */
export function readAmount(text: string, bare: BareNumber): Reading<DurationMs> {
  const range = readTimeRange(text)
  if (range.kind === 'nothing') return readDuration(text, bare)
  return mapReading(range, ({ start, end }) => (Number(end) - Number(start)) * MINUTE_MS)
}
