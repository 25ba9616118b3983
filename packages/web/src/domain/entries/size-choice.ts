import { sizeOfAmount, sizeOfShare, WHOLE_DAY } from '@saldo/client/entries'
import { type AbsenceSize, HOUR_MS } from '@saldo/core'

/** The ways to enter the size of an absence. */
export const sizeChoices = ['whole', 'half', 'hours', 'share'] as const
export type SizeChoice = (typeof sizeChoices)[number]

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
