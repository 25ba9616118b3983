import type { BreakPolicy } from '@saldo/core'

/** Returns the known fields of a break policy. */
export function knownBreakPolicy({ rules, min_piece_ms }: BreakPolicy): BreakPolicy {
  const known = rules.map(({ worked_above_ms, required_ms }) => ({ worked_above_ms, required_ms }))
  return { rules: known, min_piece_ms }
}
