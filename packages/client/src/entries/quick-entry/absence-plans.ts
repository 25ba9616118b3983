import {
  type AbsenceContent,
  type AbsenceSize,
  addDays,
  type DateRange,
  datesIn,
  itemAt,
  type LocalDate,
  MINUTE_MS,
  plannedOn,
  sizeOfAmount,
  sizeOfShare,
} from '@saldo/core'
import { lineOf } from '../../reading/line.ts'
import { AND, fold, UNDATED_DAYS } from '../../reading/words.ts'
import { type AbsenceForm, absenceContent, absenceProblemOf, planAbsence } from '../absence-plan.ts'
import { isTextPart, type PhrasePart } from './phrase-parts.ts'
import type { Plan, PlanOutcome, PlanProblem, QuickContext } from './plan.ts'
import { exceptedIn, hasWeekdayOfDate, lacksDays, rangesIn } from './planned-days.ts'
import { inPartsOfDay } from './segments.ts'
import { FILLERS } from './words.ts'

type PartOf<Is extends PhrasePart['is']> = Extract<PhrasePart, { is: Is }>

const PARTS_OF_ABSENCE: ReadonlySet<PhrasePart['is']> = new Set<PhrasePart['is']>([
  ...(['absence', 'dates', 'except', 'each', 'share', 'partOfDay', 'span', 'range', 'length'] as const),
  ...(['word', 'tag', 'project'] as const),
])

/** Reads `Urlaub 24.12.-31.12.`, `half day vacation fri`, `krank bis Mittwoch`, `4h sick`, `3 Tage Urlaub ab Mo`. */
export function absencePlans(parts: readonly PhrasePart[], context: QuickContext): PlanOutcome {
  const absences = parts.filter((part): part is PartOf<'absence'> => part.is === 'absence')
  const { kind } = itemAt(absences, 0)
  if (parts.some(({ is }) => is === 'notCounted')) return 'noFit'
  if (!parts.every(({ is }) => PARTS_OF_ABSENCE.has(is))) return 'absenceTime'
  if (absences.some((each) => each.kind !== kind)) return 'noFit'
  const spans = parts.filter((part) => part.is === 'span')
  if (spans.some(({ unit, count }) => unit === 'week' && !Number.isInteger(count))) return 'absenceTime'
  if (new Set(spans.map(({ unit }) => unit)).size < spans.length) return 'noFit'
  // In "vormittags Urlaub, 13-17" the times are not of the vacation.
  if (parts.some(({ is }) => is === 'range') && inPartsOfDay(parts).length === 0) return 'noFit'
  const isSick = absences.some((absence) => absence.isSick)
  const lists = shared(parts, spanned(parts, rangesIn(parts, context, !isSick), isSick, context))
  if (namesUndatedDay(parts)) return 'whichDay'
  if (lists.length === 0 && hasWeekdayOfDate(parts)) return 'weekdayDiffers'
  if (lists.length === 0) return parts.some(({ is }) => is === 'dates') ? 'noUntil' : 'noFrom'
  const note = noteOf(parts, absences)
  const tags = parts.flatMap((part) => (part.is === 'tag' ? [part.text] : []))
  const plans = lists.flatMap((ranges) =>
    ofOneSize(parts).map((sized) => planOf({ kind, note, tags }, ranges, sized, context)),
  )
  const good = plans.filter((plan) => typeof plan !== 'string')
  return good.length > 0 ? good : (plans.find((plan) => typeof plan === 'string') ?? good)
}

/** In "half day vacation and 9-13", the times can be of the vacation or of work. */
function ofOneSize(parts: readonly PhrasePart[]): (readonly PhrasePart[])[] {
  const isTime = ({ is }: PhrasePart) => is === 'range' || is === 'length'
  const isOfShare = parts.some(({ is }) => is === 'share') && parts.some(isTime)
  return isOfShare ? [parts.filter((part) => !isTime(part)), parts] : [parts]
}

/** Some days of an absence; `share` if they are less than the size that the line says. */
type SizedRange = DateRange & { share?: number }

/**
 * Returns lists of ranges with the shares of their days, none if they do not fit. If each day has a share beside it,
 * that is its own, and days that are joined by "and" have one together. A single share of several days ("Mo, Di
 * halbtags") can be of all, of those before it, or of the one beside it.
 */
function shared(parts: readonly PhrasePart[], lists: readonly SizedRange[][]): SizedRange[][] {
  const groups: number[] = []
  const shares: { share: number; behind: number }[] = []
  let count = 0
  for (const [index, part] of parts.entries()) {
    const share = shareOf(part)
    if (share !== undefined) shares.push({ share, behind: count })
    if (part.is !== 'dates') continue
    const [before, and] = [parts[index - 2], parts[index - 1]]
    const isJoined = before?.is === 'dates' && and?.is === 'word' && AND.has(fold(and.text))
    if (!isJoined) count += 1
    groups.push(count)
  }
  const [first, ...more] = shares
  if (!first || (count < 2 && more.every(({ share }) => share === first.share))) return [...lists]
  const withShares = (shareIn: (group: number) => number) => (ranges: readonly SizedRange[]) =>
    ranges.map((range, index) => ({ ...range, share: shareIn(groups[index] ?? 0) }))
  if (more.length > 0) {
    const isOwn = [0, 1].some((offset) => shares.every(({ behind }, index) => behind === index + offset))
    return isOwn && shares.length === count ? lists.map(withShares((group) => shares[group - 1]?.share ?? 1)) : []
  }
  const { share, behind } = first
  const isAtEnd = behind === 0 || behind === count
  const isItsOwn = (group: number) => (isAtEnd ? group === Math.max(behind, 1) : group <= behind)
  const ofSome = withShares((group) => (isItsOwn(group) ? share : 1))
  return lists.flatMap((ranges) => [ofSome(ranges), ranges])
}

const shareOf = (part: PhrasePart): number | undefined =>
  part.is === 'share' ? part.share : part.is === 'partOfDay' && part.isHalf ? 0.5 : undefined

type Described = Pick<AbsenceContent, 'kind' | 'note' | 'tags'>

function planOf(
  what: Described,
  ranges: readonly SizedRange[],
  parts: readonly PhrasePart[],
  context: QuickContext,
): Plan | PlanProblem {
  const { timeline, absences } = context
  if (parts.some(({ is }) => is === 'range') && parts.some(({ is }) => is === 'length')) return 'noFit'
  const size = sizeIn(ranges, parts, context)
  if (!size) return 'absenceTime'
  if (lacksDays(parts, ranges)) return 'noDays'
  const days = new Map<LocalDate, AbsenceContent>()
  const [free, replaced] = [new Set<LocalDate>(), new Set<LocalDate>()]
  for (const { from, to, share } of ranges) {
    const form: AbsenceForm = {
      ...what,
      from,
      to,
      size: share ? sizeOfShare(share) : size,
      isSkippingFree: from !== to,
    }
    if (absenceProblemOf(form)) return 'tooLong'
    const plan = planAbsence(form, timeline, absences)
    for (const day of plan.days) days.set(day.date, { ...absenceContent(form, day), tags: what.tags })
    for (const date of plan.free) free.add(date)
    for (const date of plan.replaced) replaced.add(date)
  }
  const excepted = exceptedIn(parts, ranges, context.today)
  if (!excepted) return 'noDays'
  for (const date of excepted) for (const dates of [days, free, replaced]) dates.delete(date)
  const dates = [...days.keys()].sort()
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return 'allOff'
  return {
    kind: 'absence',
    days: dates.flatMap((date) => days.get(date) ?? []),
    range: { from: first, to: last },
    freeCount: free.size,
    replacedCount: replaced.size,
    isDayOff: first === last && what.kind !== 'public_holiday' && isFreeOn(first, context),
  }
}

/** Hours are a part of one day's planned work; of several days or a free one they are none: `undefined`. */
function sizeIn(
  ranges: readonly DateRange[],
  parts: readonly PhrasePart[],
  { timeline }: QuickContext,
): AbsenceSize | undefined {
  const times = parts.map((part) => {
    if (part.is === 'range') return (Number(part.end) - Number(part.start)) * MINUTE_MS
    return part.is === 'length' ? part.lengthMs : 0
  })
  const timeMs = times.reduce((sum, ms) => sum + ms, 0)
  if (timeMs === 0) return sizeOfShare(parts.flatMap((part) => shareOf(part) ?? [])[0] ?? 1)
  const [only, other] = ranges
  const isOneDay = only && !other && only.from === only.to
  return isOneDay && timeMs <= plannedOn(timeline, only.from) ? sizeOfAmount(timeMs) : undefined
}

function isFreeOn(date: LocalDate, { timeline }: QuickContext): boolean {
  return timeline.length > 0 && plannedOn(timeline, date) === 0
}

/** True if the words name a day of which nobody else knows the date: `Urlaub am Brückentag`. */
function namesUndatedDay(parts: readonly PhrasePart[]): boolean {
  const line = lineOf(parts.flatMap((part) => (part.is === 'word' ? [part.text] : [])).join(' '))
  return Array.from({ length: line.count }).some((_, at) => line.phrase(at, UNDATED_DAYS))
}

/** Applies counts of days and weeks. Days of sickness without a date may be behind or ahead. */
function spanned(
  parts: readonly PhrasePart[],
  lists: DateRange[][],
  isSick: boolean,
  context: QuickContext,
): SizedRange[][] {
  const spans = parts.filter((part) => part.is === 'span')
  const only = spans.length === 1 ? spans[0] : undefined
  const isOneDay = only?.unit === 'day' && only.count === 1
  if (spans.length === 0 || (isOneDay && lists.length > 0)) return lists
  const isDated = parts.some(({ is }) => is === 'dates')
  const starts = startsOf(parts, context, isSick, lists)
  if (!isDated && !isSick) return []
  const counted = starts.flatMap((start) => {
    const ahead = aheadOf(start, spans, context)
    return isDated ? [ahead] : [aheadOf(beginOf(start, spans, context), spans, context), ahead]
  })
  // "4 Tage Urlaub 7.-9.12." says how many days it means, in two ways.
  const named = only
    ? lists.filter((ranges) => only.unit === 'day' && countOf(ranges, context) > 1 && !isOpen(parts))
    : []
  const differs = named.some((ranges) => countOf(ranges, context) !== only?.count)
  return named.length === 0 ? counted : differs ? [...named, ...counted] : named
}

/** True if the days of a line are a week, or have no end. */
const isOpen = (parts: readonly PhrasePart[]) => parts.some((part) => part.is === 'dates' && !('to' in part.days))

function countOf(ranges: readonly DateRange[], { timeline }: QuickContext): number {
  const dates = new Set(ranges.flatMap((range) => [...datesIn(range)]))
  return [...dates].filter((date) => timeline.length === 0 || plannedOn(timeline, date) > 0).length
}

/** Each count follows the one before it. Of two and a half days, the last one is half a day. */
function aheadOf(start: LocalDate, [span, ...more]: readonly PartOf<'span'>[], context: QuickContext): SizedRange[] {
  if (!span) return []
  const whole = Math.floor(span.count)
  const to = endOf(start, span, 1, context)
  const rest = aheadOf(addDays(to, 1), more, context)
  if (span.unit === 'week' || whole === span.count) return [{ from: start, to }, ...rest]
  const last = endOf(start, { ...span, count: whole }, 1, context)
  return [{ from: start, to: last }, { from: to, to, share: span.count - whole }, ...rest]
}

/** Returns the first day of counts of which the last ends on a date. */
function beginOf(end: LocalDate, spans: readonly PartOf<'span'>[], context: QuickContext): LocalDate {
  return spans.reduceRight((date, span) => endOf(addDays(date, -1), span, -1, context), addDays(end, 1))
}

/** An open `ab Montag` is a start, though it lies ahead. */
function startsOf(
  parts: readonly PhrasePart[],
  context: QuickContext,
  isSick: boolean,
  lists: DateRange[][],
): LocalDate[] {
  if (lists.length > 0) return lists.map((ranges) => itemAt(ranges, 0).from)
  const open = parts.flatMap((part) => (part.is === 'dates' && 'from' in part.days ? [part.days.from] : []))
  const dated = open.map((from): PhrasePart => ({ is: 'dates', days: { from, to: from } }))
  return rangesIn(dated, context, !isSick).map((ranges) => itemAt(ranges, 0).from)
}

function endOf(start: LocalDate, span: PartOf<'span'>, step: 1 | -1, { timeline }: QuickContext): LocalDate {
  if (span.unit === 'week') return addDays(start, step * (7 * Math.ceil(span.count) - 1))
  let date = start
  const counts = (each: LocalDate) => plannedOn(timeline, each) > 0 || timeline.length === 0
  let left = Math.ceil(span.count) - (counts(start) ? 1 : 0)
  for (let tries = 0; left > 0 && tries < 400; tries += 1) {
    date = addDays(date, step)
    if (counts(date)) left -= 1
  }
  return date
}

function noteOf(parts: readonly PhrasePart[], absences: readonly PartOf<'absence'>[]): string {
  return [...absences.map(({ note }) => note), ...notedWords(parts)].filter((text) => text !== '').join(' ')
}

/** Returns the words beside an absence that become its note. */
export function notedWords(parts: readonly PhrasePart[]): string[] {
  const words = parts.filter(isTextPart).flatMap(({ is, text }) => (is === 'tag' ? [] : [text]))
  const said = words.filter((word) => !AND.has(fold(word)))
  return said.every((word) => FILLERS.has(fold(word))) ? [] : said
}
