import type { HolidayRule } from '@saldo/core'

const shares = { working: 0, half: 0.5, free: 1 } as const

/** The choices for a day of the year: as the country has it, or a share of a day off. */
export const dayChoices = ['usual', 'working', 'half', 'free'] as const
export type DayChoice = (typeof dayChoices)[number]

/** Returns the choice for a day such as `12-24`; `other` for any other share. */
export function choiceOf({ partial }: HolidayRule, day: string): DayChoice | 'other' {
  const share = partial[day]
  if (share === undefined) return 'usual'
  return dayChoices.find((name) => name !== 'usual' && shares[name] === share) ?? 'other'
}

/** Returns a rule with another choice for a day. */
export function chooseDay(rule: HolidayRule, day: string, choice: DayChoice): HolidayRule {
  const { [day]: _before, ...others } = rule.partial
  return { ...rule, partial: choice === 'usual' ? others : { ...others, [day]: shares[choice] } }
}
