import { AND, fold, IN, SPANS } from '../../reading/words.ts'
import { absencePlans, notedWords } from './absence-plans.ts'
import { withAbsences } from './absence-tokens.ts'
import { combinations, type PhrasePart, type Token } from './phrase-parts.ts'
import { type Plan, type PlanOutcome, type PlanProblem, type QuickContext, TIMED_PARTS } from './plan.ts'
import { inOneWeek, inWrittenWeeks, withWeekdayOfDate, withWholeDays } from './planned-days.ts'
import { scan } from './scan.ts'
import { timedPlans } from './timed-plans.ts'
import {
  ABSENCES,
  ALTERNATIVES,
  BREAK_PREFIXES,
  CORRECTIONS,
  DANGLING,
  ENDS,
  LIMITS,
  SMALL_WORDS,
  TIMES,
} from './words.ts'

/**
 * The meaning of a line. A doubtful one asks for one of its choices, and nothing is stored before; `unclear` has the
 * pieces that were not understood, and are a note in the first choice.
 */
export type PhraseReading =
  | Plan
  | { kind: 'doubtful'; choices: Plan[]; unclear: string[] }
  | { kind: 'nothing'; problem: PlanProblem }

/** Matches what looks like a time, `13-?`, `3x` and `P30`. */
const UNCLEAR =
  /^(?:\d+[^\p{L}\d\s]+|-\(?)\d|^\p{L}+=\d|^\d+-(?!\p{L})|^\d+x$|^[!\p{Pd}\u2212]$|^p:?(?:\d\d|\d:\d\d)$/iu
/** Working days reach as far as the days off between them. */
const WORKING_DAYS = /werktage|arbeitstage|work(?:ing )?days/i

/** The most characters of a line: its meanings are tried in combinations, each of them as long as the line. */
export const MAX_LINE_CHARACTERS = 1_000
/** The combinations double with each unclear piece: beyond this number, a line is read no further. */
const MAX_REINTERPRETED = 24
const MOST_CHOICES = 4
const MOST_FALLBACKS = 3

/**
 * Reads a line such as `8-12 13-17 project #tag note`, `2h yesterday`, `9-17 -30` or `24.12.-31.12. Urlaub`, in both
 * languages at once. Each piece of the line has alternatives; those of their combinations that make sense are its
 * readings. With more than one, the line is doubtful.
 */
export function readQuickEntry(text: string, context: QuickContext): PhraseReading {
  if (text.length > MAX_LINE_CHARACTERS) return { kind: 'nothing', problem: 'lineTooLong' }
  const tokens = withAbsences(scan(text, context.projects))
  if (tokens.length === 0) return { kind: 'nothing', problem: 'empty' }
  let problem: PlanProblem | undefined
  for (let count = 0; count <= MOST_FALLBACKS; count += 1) {
    const outcomes = firstOf(fallenBack(tokens, count), MAX_REINTERPRETED).flatMap(({ tokens: read, unclear }) =>
      combinations(read.map(({ alternatives }) => alternatives)).map((meant) => {
        const parts = meant.flat()
        return {
          outcome: outcomeOf(parts, context),
          unclear: [...unclear, ...unclearWords(parts)],
          isMaybe: isMaybe(parts),
        }
      }),
    )
    problem ??= worstOf(outcomes.flatMap(({ outcome }) => (typeof outcome === 'string' ? [outcome] : [])))
    const found = outcomes.filter(({ outcome }) => typeof outcome !== 'string')
    const plans = distinct(found.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : outcome)))
    const [only] = plans
    const isClear = found.every(({ unclear, isMaybe }) => unclear.length === 0 && !isMaybe)
    if (only && plans.length === 1 && isClear && !isDayOff(only)) return only
    const unclear = [...new Set(found[0]?.unclear)]
    if (only) return { kind: 'doubtful', choices: plans.slice(0, MOST_CHOICES), unclear }
  }
  return { kind: 'nothing', problem: problem ?? 'noTime' }
}

/**
 * True for a visit to a doctor, for a number that may be a day, days or hours of an absence (`Urlaub 2,5`), and for
 * times beside a share of a day, which one of the readings leaves out.
 */
function isMaybe(parts: readonly PhrasePart[]): boolean {
  if (!parts.some(({ is }) => is === 'absence')) return false
  const has = (kinds: readonly PhrasePart['is'][]) => parts.some(({ is }) => kinds.includes(is))
  if (has(['share']) && has(['range', 'length'])) return true
  return parts.some((part) => ('isMaybe' in part && part.isMaybe) || (part.is === 'length' && part.isPlain))
}

const isDayOff = (plan: Plan) => plan.kind === 'absence' && plan.isDayOff

/** Of several problems, the one that tells most. */
function worstOf(problems: readonly PlanProblem[]): PlanProblem | undefined {
  return problems.find((problem) => problem !== 'noFit' && problem !== 'noTime') ?? problems[0]
}

/** Returns what can be stored without asking. */
export function certainPlan(reading: PhraseReading): Plan | undefined {
  return reading.kind === 'nothing' || reading.kind === 'doubtful' ? undefined : reading
}

function outcomeOf(parts: readonly PhrasePart[], context: QuickContext): PlanOutcome {
  if (parts.some(({ is }) => is === 'noDate')) return 'noDate'
  const absence = parts.find((part) => part.is === 'absence')
  const plansOf = absence ? absencePlans : timedPlans
  const isAhead = absence !== undefined && !absence.isSick
  const outcomes = inWrittenWeeks(withWeekdayOfDate(withWholeDays(parts)))
    .flatMap((narrowed) => inOneWeek(narrowed, context.today, isAhead))
    .map((narrowed) => plansOf(narrowed, context))
  const plans = outcomes.flatMap((outcome) => (typeof outcome === 'string' ? [] : outcome))
  return plans.length > 0 ? plans : (outcomes[0] ?? [])
}

/**
 * Returns the words of a note that may be something else: beside an absence all, else what looks like a time, a number
 * behind no other word, words that limit times, repeat, change or end them, and the name of an absence alone.
 */
function unclearWords(parts: readonly PhrasePart[]): string[] {
  if (parts.some(({ is }) => is === 'absence')) {
    const noted = notedWords(parts).join(' ')
    return noted === '' ? [] : [noted]
  }
  return parts.flatMap((part, index) => {
    if (part.is !== 'word') return []
    const before = parts[index - 1]
    const word = fold(part.text)
    const isBehindWord =
      before?.is === 'word' &&
      ![AND, ALTERNATIVES].some((table) => table.has(fold(before.text))) &&
      !BREAK_PREFIXES.has(fold(before.text).replace(/\.$/, ''))
    const absence = ABSENCES.get(word)
    const isAbsence = absence !== undefined && !absence.isMaybe && parts[index + 1]?.is !== 'word'
    const after = parts[index + 1]
    const isBeforeTime = after !== undefined && TIMED_PARTS.has(after.is)
    const isDangling = DANGLING.has(word) && (after === undefined || isBeforeTime)
    const isOfTime =
      (isBeforeTime && (ALTERNATIVES.has(word) || IN.has(word))) ||
      (after?.is === 'since' && ENDS.has(word)) ||
      (index === 0 && CORRECTIONS.has(word))
    const isFactor =
      TIMES.has(word) && [before, after].some((other) => other?.is === 'word' && /^\d+$/.test(other.text))
    // "5 Tage 8h" are five entries, and "der 3. 8-12" is a day.
    const isDays = /^\d.* /.test(part.text) && SPANS.get(word.split(' ').at(-1) ?? '') === 'day'
    const isCount = isDays && [before, after].some((other) => other?.is === 'length')
    const isBehindSmall = before?.is === 'word' && SMALL_WORDS.has(fold(before.text))
    const isDayNumber = isBeforeTime && (isBehindSmall ? /^\d+\.?$/ : /^\d+\.$/).test(part.text)
    const isUnclear =
      isFactor ||
      isCount ||
      isDayNumber ||
      [UNCLEAR, WORKING_DAYS].some((pattern) => pattern.test(part.text)) ||
      LIMITS.has(word) ||
      isAbsence ||
      isDangling ||
      isOfTime
    const isNumber = NUMBER.test(part.text)
    // In "Nov 16, 17, 18 Harbour" all numbers may be days.
    const isListed = isNumber && parts.slice(0, index).findLast((other) => !isNumberWord(other))?.is === 'dates'
    return isUnclear || isListed || (isNumber && before !== undefined && !isBehindWord) ? [part.text] : []
  })
}

const NUMBER = /^\d+(?:[.,]\d+)?,?$/
const isNumberWord = (part: PhrasePart) => part.is === 'word' && NUMBER.test(part.text)

/**
 * Yields the tokens with a number of them read as words, one way after the other: there are as many as the number of
 * pieces to the power of `count`. A time that is read as a word is always doubtful.
 */
function* fallenBack(
  tokens: readonly Token[],
  count: number,
  from = 0,
): Generator<{ tokens: readonly Token[]; unclear: string[] }> {
  if (count === 0) {
    yield { tokens, unclear: [] }
    return
  }
  for (const [index, token] of tokens.entries()) {
    if (index < from || token.fallback === undefined) continue
    const isReinterpreted = token.alternatives.some((parts) => parts.some(({ is }) => TIMED_PARTS.has(is)))
    const changed = tokens.with(index, { ...token, alternatives: [token.fallback], fallback: undefined })
    for (const each of fallenBack(changed, count - 1, index + 1)) {
      yield { ...each, unclear: isReinterpreted ? [token.word.text, ...each.unclear] : each.unclear }
    }
  }
}

/** Returns the first of some values; the others are never made. */
function firstOf<T>(values: Iterable<T>, most: number): T[] {
  const found: T[] = []
  for (const value of values) if (found.push(value) >= most) break
  return found
}

function distinct(plans: readonly Plan[]): Plan[] {
  return [...new Map(plans.map((plan) => [JSON.stringify(plan), plan])).values()]
}
