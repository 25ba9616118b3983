import { MINUTE_MS, type SettingsContent } from '@saldo/core'

export type Policy = SettingsContent['break_policy']
export type Rule = NonNullable<Policy>['rules'][number]

/** The least length of a break in a policy of one's own, until another is chosen. */
const USUAL_PIECE_MS = 15 * MINUTE_MS

/** Returns a break policy with other rules; null without any. */
export function withRules(policy: Policy, rules: Rule[]): Policy {
  if (rules.length === 0) return null
  return { ...policy, rules, min_piece_ms: policy?.min_piece_ms ?? USUAL_PIECE_MS }
}

/** Returns a break policy with one of its rules changed. */
export function withRule(policy: Policy, index: number, changed: Partial<Rule>): Policy {
  const rules = policy?.rules ?? []
  return withRules(
    policy,
    rules.map((rule, other) => (other === index ? { ...rule, ...changed } : rule)),
  )
}

/** Returns a break policy without one of its rules; null without any. */
export function withoutRule(policy: Policy, index: number): Policy {
  return withRules(policy, (policy?.rules ?? []).toSpliced(index, 1))
}
