import { isDeepStrictEqual } from 'node:util'

/** A check of rules. `run` throws `Broken` if the subject breaks one. */
export interface Check<Bench> {
  /** The rules of the contract, such as `R3.5`; the first is the one that the check is about. */
  rules: readonly [string, ...string[]]
  title: string
  run(bench: Bench): Promise<void>
}

/** The result of a check. `detail` says what is broken, or what the check lacks. */
export interface Result {
  rules: readonly string[]
  title: string
  outcome: 'passed' | 'failed' | 'not_applicable'
  detail?: string
  durationMs: number
}

/** The subject breaks a rule. */
export class Broken extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Broken'
  }
}

/** The check says nothing about what is under test, as it stands. */
export class NotApplicable extends Error {
  constructor(needs: string) {
    super(needs)
    this.name = 'NotApplicable'
  }
}

/**
 * Runs checks one after the other.
 * `within` gives each what it needs and clears up behind it. Whatever else than `NotApplicable` comes of a check is a
 * failure of what is under test: nothing it answers may confuse us.
 */
export async function runChecks<Bench>(
  checks: readonly Check<Bench>[],
  within: (run: (bench: Bench) => Promise<void>) => Promise<void>,
  { only, bail = false }: Selection = {},
): Promise<Result[]> {
  const results: Result[] = []
  for (const { rules, title, run } of checks) {
    if (only !== undefined && !title.includes(only) && !rules.some((rule) => isOf(rule, only))) continue
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

/** True if `rule` is `meant` or one of its parts. */
function isOf(rule: string, meant: string): boolean {
  return rule === meant || rule.startsWith(`${meant}.`)
}

/** Which checks are run; all where nothing is said. */
export interface Selection {
  /** A rule, such as `R3.5`, what rules begin with, up to the point, or a part of a title. */
  only?: string | undefined
  /** Stops at the first failing check. */
  bail?: boolean | undefined
}

function detailOf(error: unknown): string {
  if (error instanceof Broken || error instanceof NotApplicable) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Throws `Broken` unless two values are the same, all the way down. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(plain(actual), plain(expected))) {
    throw new Broken(`${what}: expected ${shown(expected)}, got ${shown(actual)}`)
  }
}

/** Throws `Broken` unless `actual` has each field of `expected`, with the same value. */
export function has(actual: unknown, expected: Readonly<Record<string, unknown>>, what: string): void {
  if (typeof actual !== 'object' || actual === null)
    throw new Broken(`${what}: expected an object, got ${shown(actual)}`)
  for (const [name, value] of Object.entries(expected)) {
    same((actual as Record<string, unknown>)[name], value, `${what}, «${name}»`)
  }
}

/** Throws `Broken` unless something holds. */
export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Broken(what)
}

/** As JSON has it: without prototypes, which equality would tell apart. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

const MOST_SHOWN = 300

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
