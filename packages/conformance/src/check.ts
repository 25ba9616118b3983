import { isDeepStrictEqual } from 'node:util'

/** A check of one or more rules. `run` throws `RuleViolation` if the service or client under test breaks one. */
export interface Check<Context> {
  /** Rules of the protocol, such as `R3.5`; the first is the one that the check is about. */
  rules: readonly [string, ...string[]]
  title: string
  run(context: Context): Promise<void>
}

/** The result of a check; `detail` describes the violation, or what the check needs. */
export interface Result {
  rules: readonly string[]
  title: string
  outcome: 'passed' | 'failed' | 'not_applicable'
  detail?: string
  durationMs: number
}

/** The service or client under test breaks a rule. */
export class RuleViolation extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RuleViolation'
  }
}

/** The check needs something that the service or client under test does not have. */
export class NotApplicable extends Error {
  constructor(needs: string) {
    super(needs)
    this.name = 'NotApplicable'
  }
}

/**
 * Runs checks one after another. `within` prepares the context of a check and cleans up after it. Every error except
 * `NotApplicable` is a failure: a check must be able to cope with any response.
 */
export async function runChecks<Context>(
  checks: readonly Check<Context>[],
  within: (run: (context: Context) => Promise<void>) => Promise<void>,
  { only, bail = false, signal }: Selection = {},
): Promise<Result[]> {
  const results: Result[] = []
  for (const { rules, title, run } of checks) {
    if (signal?.aborted) break
    if (only !== undefined && !title.includes(only) && !rules.some((rule) => isIn(rule, only))) continue
    const startedMs = performance.now()
    const ended = await within(run).then(
      () => ({ outcome: 'passed' as const }),
      (error: unknown) => ({
        outcome: error instanceof NotApplicable ? ('not_applicable' as const) : ('failed' as const),
        detail: detailOf(error),
      }),
    )
    results.push({ rules, title, ...ended, durationMs: Math.round(performance.now() - startedMs) })
    if (bail && ended.outcome === 'failed') break
  }
  return results
}

/** True if a rule is `selected` or a part of it, as R3.5 is a part of R3. */
function isIn(rule: string, selected: string): boolean {
  return rule === selected || rule.startsWith(`${selected}.`)
}

/** The checks to run; all by default. */
export interface Selection {
  /** A rule (`R3.5`), the part of rules before the point (`R3`), or a part of a title. */
  only?: string | undefined
  /** Stop after the first check that fails. */
  bail?: boolean | undefined
  /** Stop during a check, which fails then, and clean up after it. */
  signal?: AbortSignal | undefined
}

function detailOf(error: unknown): string {
  if (error instanceof RuleViolation || error instanceof NotApplicable) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Throws `RuleViolation` unless two JSON values are deeply equal. */
export function assertEqual(actual: unknown, expected: unknown, subject: string): void {
  if (!isDeepStrictEqual(plain(actual), plain(expected))) {
    throw new RuleViolation(`${subject}: expected ${shown(expected)}, got ${shown(actual)}`)
  }
}

/** Throws `RuleViolation` unless `actual` has the fields of `expected` with equal values. */
export function assertFields(actual: unknown, expected: Readonly<Record<string, unknown>>, subject: string): void {
  if (typeof actual !== 'object' || actual === null)
    throw new RuleViolation(`${subject}: expected an object, got ${shown(actual)}`)
  for (const [name, value] of Object.entries(expected)) {
    assertEqual((actual as Record<string, unknown>)[name], value, `${subject}, «${name}»`)
  }
}

/** Throws `RuleViolation` unless a condition is true. */
export function assertTrue(condition: boolean, violation: string): asserts condition {
  if (!condition) throw new RuleViolation(violation)
}

/** Returns a value without prototypes, which deep equality would compare. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

const MAX_SHOWN_LENGTH = 300

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}
