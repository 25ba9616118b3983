import { inPartOfDay, type PartOfDay, rangesInPartOfDay } from '../../reading/times.ts'
import { AND, fold } from '../../reading/words.ts'
import { combinations, isTextPart, type PhrasePart } from './phrase-parts.ts'
import type { Plan, PlanOutcome, PlanProblem } from './plan.ts'

/**
 * Returns the parts of each day of a line that has times for each: `Mo 9-12, Di 13-17`. Words at one end of the line
 * are of all days. `undefined` if it is open which times are of which days.
 */
export function segmentsOf(parts: readonly PhrasePart[]): (readonly PhrasePart[])[] | undefined {
  const isDates = ({ is }: PhrasePart) => is === 'dates'
  const isTime = ({ is }: PhrasePart) => ['range', 'length', 'since', 'until', 'ago'].includes(is)
  const isNamed = (part: PhrasePart) => isTextPart(part) && !AND.has(fold(part.text))
  const marks = parts.filter((part) => isDates(part) || isTime(part))
  const [first] = marks
  const isOpening = first && isDates(first) ? isDates : isTime
  const begin = parts.flatMap((part, index) => {
    const before = parts.slice(0, index).findLast((other) => isDates(other) || isTime(other))
    return isOpening(part) && (before === undefined || !isOpening(before)) ? [index] : []
  })
  if (begin.length < 2 || parts.filter(isDates).length < 2) return [parts]
  const withWords = (index: number) => (parts[0] && isNamed(parts[0]) ? wordsBefore(parts, index) : index)
  const starts = begin.map((index, segment) => (segment === 0 ? 0 : withWords(index)))
  const segments = starts.map((start, segment) => parts.slice(start, starts[segment + 1]))
  const isWhole = (segment: readonly PhrasePart[]) => segment.some(isDates) && segment.some(isTime)
  if (!segments.every(isWhole))
    return segments.slice(0, -1).every(isWhole) && isOpening === isDates ? [parts] : undefined
  const named = segments.filter((segment) => segment.some(isNamed))
  const [only] = named
  const isShared = only !== undefined && named.length === 1 && [segments[0], segments.at(-1)].includes(only)
  const shared = isShared ? only.filter(isNamed) : []
  return segments.map((segment) => (isShared && segment !== only ? [...segment, ...shared] : segment))
}

/** Returns the index of the first of the words before a part. */
function wordsBefore(parts: readonly PhrasePart[], index: number): number {
  const before = parts[index - 1]
  return before && isTextPart(before) ? wordsBefore(parts, index - 1) : index
}

/**
 * Returns what parts can mean with their times in the parts of the day, nothing if they do not fit: one is of the
 * times behind it up to the next part, or of those before it if it is behind all times. A noun that changes no time is
 * a word.
 */
export function inPartsOfDay(parts: readonly PhrasePart[]): (readonly PhrasePart[])[] {
  const isTime = ({ is }: PhrasePart) => ['range', 'breakRange', 'since', 'until'].includes(is)
  const first = parts.findIndex(({ is }) => is === 'partOfDay')
  if (first === -1) return [parts]
  if (!parts.some(isTime)) return []
  const isBefore = !parts.slice(0, first).some(isTime)
  const places = parts.map((part, index) => {
    const others = isBefore ? parts.slice(0, index).toReversed() : parts.slice(index)
    const inDay = others.find(({ is }) => is === 'partOfDay')
    const meant = part.is !== 'partOfDay' && inDay?.is === 'partOfDay' ? inPart(part, inDay.part, parts) : [part]
    // "abends 10-6" begins in the evening, "10-6 abends" may as well end in it.
    return isBefore ? meant.slice(0, 1) : meant.toReversed()
  })
  return combinations(places).map((placed) => {
    const isUsed = JSON.stringify(placed.map(timesOf)) !== JSON.stringify(parts.map(timesOf))
    return placed.flatMap((part): PhrasePart[] => {
      if (part.is !== 'partOfDay') return [part]
      return part.isName && !isUsed ? [{ is: 'word', text: part.text }] : []
    })
  })
}

function timesOf(part: PhrasePart): unknown {
  if (part.is === 'since' || part.is === 'until') return part.clock.minutes
  return part.is === 'range' || part.is === 'breakRange' ? [part.start, part.end] : undefined
}

function inPart(part: PhrasePart, inDay: PartOfDay, parts: readonly PhrasePart[]): PhrasePart[] {
  switch (part.is) {
    case 'range':
    case 'breakRange':
      return rangesInPartOfDay(part.clocks, inDay).map((range) => ({ ...part, ...range }))
    case 'since':
      return [{ ...part, clock: inPartOfDay(part.clock, inDay) }]
    case 'until': {
      const since = parts.find((other) => other.is === 'since')
      if (!since) return [{ ...part, clock: inPartOfDay(part.clock, inDay) }]
      const ranges = rangesInPartOfDay([since.clock, part.clock], inDay)
      return ranges.map(({ clocks: [, clock] }) => ({ ...part, clock }))
    }
    default:
      return [part]
  }
}

/** Returns the plans of all days of a line, for each way to read one of them. */
export function joinedPlans(outcomes: readonly PlanOutcome[]): PlanOutcome {
  const [only] = outcomes
  if (only && outcomes.length === 1) return only
  const plans: Plan[][] = []
  for (const outcome of outcomes) {
    if (typeof outcome === 'string') return outcome
    plans.push(outcome)
  }
  return anyOf(combinations(plans).map(joinedPlan)) ?? 'noFit'
}

function joinedPlan(plans: readonly Plan[]): Plan[] | PlanProblem {
  const parts = plans.filter((plan) => plan.kind === 'entries')
  if (parts.length < plans.length) return 'noFit'
  const entries = parts.flatMap((plan) => plan.entries).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
  const isOverlapping = entries.some((entry, index) => entry.started_at < (entries[index - 1]?.ended_at ?? ''))
  if (isOverlapping) return 'overlap'
  return [
    {
      kind: 'entries',
      entries,
      isPlaced: parts.some(({ isPlaced }) => isPlaced),
      newProjects: [...new Set(parts.flatMap(({ newProjects }) => newProjects))],
      freeCount: parts.reduce((sum, { freeCount }) => sum + freeCount, 0),
    },
  ]
}

/** Returns the results that there are, if any. */
export function anyOf<T>(outcomes: readonly (T[] | PlanProblem)[]): T[] | undefined {
  const found = outcomes.flatMap((outcome) => (typeof outcome === 'string' ? [] : outcome))
  return found.length > 0 ? found : undefined
}
