import type { VacationYear } from '@saldo/core'

const signs = { carried: 1, entitled: 1, granted: 1, taken: -1, planned: -1, expired: -1 } as const

export type VacationPart = keyof typeof signs

/** Returns the parts of a vacation account that are not 0, with their signs: they add up to the days left. */
export function vacationParts(account: Pick<VacationYear, VacationPart>): { part: VacationPart; days: number }[] {
  const parts = Object.keys(signs) as VacationPart[]
  return parts.flatMap((part) => (account[part] === 0 ? [] : [{ part, days: signs[part] * account[part] }]))
}
