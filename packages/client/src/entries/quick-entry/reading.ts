import { absencePlans } from './absence-plans.ts'
import { type Outcome, type Plan, type Problem, type QuickContext, TIMED_PARTS } from './plan.ts'
import { type Part, scan, type Token } from './scan.ts'
import { timedPlans } from './timed-plans.ts'

/** The meaning of a line. A doubtful one asks for one of its choices, and nothing is stored before. */
export type Reading = Plan | { kind: 'doubtful'; choices: Plan[] } | { kind: 'nothing'; problem: Problem }

/** A line of nothing but riddles is not worth the time. */
const MOST_EXPANSIONS = 64
const MOST_BENT = 24
const MOST_CHOICES = 4
const MOST_FALLBACKS = 3

/**
 * Reads a line such as `8-12 13-17 project #tag note`, `2h yesterday`, `9-17 -30` or `24.12.-31.12. Urlaub`, in both
 * languages at once. Each piece of the line has alternatives; those of their combinations that make sense are its
 * readings. With more than one, the line is doubtful.
 */
export function readQuickEntry(text: string, context: QuickContext): Reading {
  const tokens = withAbsences(scan(text))
  if (tokens.length === 0) return { kind: 'nothing', problem: 'empty' }
  let problem: Problem | undefined
  for (let count = 0; count <= MOST_FALLBACKS; count += 1) {
    const outcomes = fallenBack(tokens, count)
      .slice(0, MOST_BENT)
      .flatMap(({ tokens: read, isBent }) =>
        expansions(read).map((parts) => ({ outcome: outcomeOf(parts, context), isBent: isBent || isOdd(parts) })),
      )
    problem ??= worstOf(outcomes.flatMap(({ outcome }) => (typeof outcome === 'string' ? [outcome] : [])))
    const plans = distinct(outcomes.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : outcome)))
    const isBent = outcomes.some((each) => each.isBent && typeof each.outcome !== 'string')
    const [only] = plans
    if (only && plans.length === 1 && !isBent) return only
    if (only) return { kind: 'doubtful', choices: plans.slice(0, MOST_CHOICES) }
  }
  return { kind: 'nothing', problem: problem ?? 'noTime' }
}

/** Of several problems, the one that tells most. */
function worstOf(problems: readonly Problem[]): Problem | undefined {
  return problems.find((problem) => problem !== 'noFit' && problem !== 'noTime') ?? problems[0]
}

/** Returns what can be stored without asking. */
export function certainPlan(reading: Reading): Plan | undefined {
  return reading.kind === 'nothing' || reading.kind === 'doubtful' ? undefined : reading
}

function outcomeOf(parts: readonly Part[], context: QuickContext): Outcome {
  if (parts.some(({ is }) => is === 'noDate')) return 'noDate'
  return parts.some(({ is }) => is === 'absence') ? absencePlans(parts, context) : timedPlans(parts, context)
}

/**
 * Returns the tokens of a line with an absence: `20.11-23.11` are dates then, and a number of days has to fit. In
 * "9-11 vacation planning" the work may be about a vacation.
 */
function withAbsences(tokens: Token[]): Token[] {
  const isOf = (token: Token, kind: Part['is']) => token.alternatives[0]?.[0]?.is === kind
  if (!tokens.some((token) => isOf(token, 'absence'))) return tokens
  const fitting = tokens.map(({ alternatives, fallback, word }): Token => {
    const dates = alternatives.filter(([part]) => part?.is === 'dates')
    const isSpan = alternatives[0]?.[0]?.is === 'span'
    return { alternatives: dates.length > 0 ? dates : alternatives, fallback: isSpan ? undefined : fallback, word }
  })
  const has = (kind: Part['is']) => fitting.some((token) => isOf(token, kind))
  if (!has('range') && !(has('length') && has('word'))) return fitting
  return fitting.map((token) =>
    isOf(token, 'absence') ? { ...token, alternatives: [...token.alternatives, [token.word]] } : token,
  )
}

/** True if a note has what may be a time or a date that was not understood. */
function isOdd(parts: readonly Part[]): boolean {
  const pattern = parts.some(({ is }) => is === 'absence') ? /\d/ : /^\d+[.:/-]\d/
  return parts.some((part) => part.is === 'word' && pattern.test(part.text))
}

/**
 * Returns the tokens with a number of them read as words. That bends the meaning of a time, which is always doubtful.
 */
function fallenBack(
  tokens: readonly Token[],
  count: number,
  from = 0,
): { tokens: readonly Token[]; isBent: boolean }[] {
  if (count === 0) return [{ tokens, isBent: false }]
  return tokens.flatMap((token, index) => {
    if (index < from || token.fallback === undefined) return []
    const isBent = token.alternatives.some((parts) => parts.some(({ is }) => TIMED_PARTS.has(is)))
    const changed = tokens.with(index, { ...token, alternatives: [token.fallback], fallback: undefined })
    return fallenBack(changed, count - 1, index + 1).map((each) => ({ ...each, isBent: each.isBent || isBent }))
  })
}

function expansions(tokens: readonly Token[]): Part[][] {
  return tokens.reduce<Part[][]>(
    (lines, { alternatives }) =>
      lines.flatMap((line) => alternatives.map((parts) => [...line, ...parts])).slice(0, MOST_EXPANSIONS),
    [[]],
  )
}

function distinct(plans: readonly Plan[]): Plan[] {
  return [...new Map(plans.map((plan) => [JSON.stringify(plan), plan])).values()]
}
