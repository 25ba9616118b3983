/** One line of the result: what was measured, against what, and what was asked for. */
export interface Result {
  what: string
  /** The value of the reference or of the smaller case, with its unit; empty where the target is an absolute one. */
  reference: string
  saldo: string
  /** The value as a share of the reference, or of the target. */
  ratio: number
  /** `≤ 2` for a ratio, `≤ 50 ms` for a value; empty where nothing is asked for. */
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

/** A value that has a target of its own; `text` is the value as it is shown, where more belongs to it. */
export function within(
  what: string,
  value: number,
  most: number,
  unit: 'ms' | 'MB' | 'kB' | 's' | '%' | 'connections',
  text = `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`,
): Result {
  const target = `≤ ${most.toLocaleString('en')} ${unit}`
  return { what, reference: '', saldo: text, ratio: value / most, target, met: value <= most }
}
