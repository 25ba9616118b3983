/** One line of the result: what was measured, against what, and what was asked for. */
export interface Result {
  what: string
  /** The value of the reference or of the smaller case, with its unit. */
  reference: string
  saldo: string
  ratio: number
  target: string
  met: boolean
}

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that a share of all values is not above; the share is below 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] as number
}

export function atLeast(what: string, reference: string, saldo: string, ratio: number, least: number): Result {
  return { what, reference, saldo, ratio, target: `≥ ${least}`, met: ratio >= least }
}

export function atMost(what: string, reference: string, saldo: string, ratio: number, most: number): Result {
  return { what, reference, saldo, ratio, target: `≤ ${most}`, met: ratio <= most }
}
