import {
  addDays,
  DAY_MS,
  daysBetween,
  type EpochMs,
  HOUR_MS,
  type Interval,
  instantOf,
  itemAt,
  type LocalDate,
  MINUTE_MS,
  type TimedEntryContent,
  zoneOn,
} from '@saldo/core'
import { type ClockRange, type ClockTime, clockRangesOf } from '../../reading/times.ts'
import type { Days, PhraseDay } from '../../reading/written-days.ts'
import { newEntry } from '../new-entry.ts'
import { instantAt, wallAt } from '../wall-time.ts'
import { LONGEST_BREAK_MS } from './break-rules.ts'
import { isTextPart, type PhrasePart, type TextPart } from './phrase-parts.ts'
import { atClock, BLANK, cutOut, intervalOfClock, type Piece, placedBreak, type Way, withBreaks } from './pieces.ts'
import type { Plan, PlanOutcome, PlanProblem, QuickContext } from './plan.ts'
import { exceptedIn, hasWeekdayOfDate, lacksDays, rangesIn, type Workdays, workdaysIn } from './planned-days.ts'
import { anyOf, inPartsOfDay, joinedPlans, segmentsOf } from './segments.ts'
import { type EntryText, textsOfEach } from './texts.ts'

const MOST_DAYS = 31
const LONGEST_RANGE_DAYS = 366
/** A day with the hour that a clock change adds. */
const LONGEST_MS = DAY_MS + HOUR_MS
const HALF_DAY_MINUTES = 720
const DAY_MINUTES = 1_440
const MORNING_MINUTES = 540
/** So long after its end, a night can be the one that is meant. */
const JUST_OVER_MS = 8 * HOUR_MS
/** Work that would have begun earlier did not end just now. */
const EARLY_MINUTES = 360

type PartOf<Is extends PhrasePart['is']> = Extract<PhrasePart, { is: Is }>

/** Reads `9-17`, `8-12 13-17 -30`, `2h yesterday`, `since 9`, `mon-fri 9-17`. */
export function timedPlans(parts: readonly PhrasePart[], context: QuickContext): PlanOutcome {
  if (parts.some(({ is }) => is === 'share' || is === 'span')) return 'noTime'
  const segments = segmentsOf(parts)
  return segments ? joinedPlans(segments.map((segment) => plansOfSegment(segment, context))) : 'noFit'
}

/** Plans of the times that are of all days of a line, or of those of a segment. */
function plansOfSegment(parts: readonly PhrasePart[], context: QuickContext): PlanOutcome {
  const outcomes = inPartsOfDay(parts).flatMap((placed) =>
    withWholeTimes(placed).map((whole) => plansOfTimes(whole, context)),
  )
  return anyOf(outcomes) ?? outcomes[0] ?? 'noFit'
}

function plansOfTimes(parts: readonly PhrasePart[], context: QuickContext): PlanOutcome {
  const line = afterLastNight(parts)
  const named = rangesIn(line, context, false)
  if (named.flat().some(({ from, to }) => daysBetween(from, to) > LONGEST_RANGE_DAYS)) return 'tooLong'
  if (named.some((ranges) => lacksDays(line, ranges))) return 'noDays'
  const lists = named.flatMap((ranges) => {
    const excepted = exceptedIn(line, ranges, context.today)
    return excepted ? workdaysIn(ranges, excepted, context.timeline) : []
  })
  if (named.length > 0 && lists.length === 0) return 'noDays'
  const nights = [...lastNights(line, context), ...nightsBetween(line, lists)]
  const outcomes = [...nights, ...lists].map(({ dates, freeCount }): PlanOutcome => {
    const plans = dates.length > MOST_DAYS ? 'tooLong' : plansOn(dates, line, context)
    if (typeof plans === 'string') return plans
    return plans.map((plan) => (plan.kind === 'entries' ? { ...plan, freeCount } : plan))
  })
  return anyOf(outcomes) ?? outcomes[0] ?? (hasWeekdayOfDate(line) ? 'weekdayDiffers' : 'noStart')
}

/** The hours of "last night 1-3" are of today. */
function afterLastNight(parts: readonly PhrasePart[]): readonly PhrasePart[] {
  const starts = parts.flatMap((part) =>
    part.is === 'range' || part.is === 'breakRange' ? [part.start] : part.is === 'since' ? [part.clock.minutes] : [],
  )
  const areEarly = starts.length > 0 && starts.every((start) => Number(start) < EARLY_MINUTES)
  return areEarly
    ? parts.map((part) => (part.is === 'dates' && part.isNight ? { ...part, days: nextDays(part.days) } : part))
    : parts
}

function nextDays(days: Days): Days {
  const next = (day: PhraseDay | undefined) => (day?.is === 'days' ? { ...day, from: day.from + 1 } : day)
  const day = 'to' in days ? next(days.to) : undefined
  return day ? { from: day, to: day } : days
}

/** Some hours after a night, "22-6" without a date can be that night, or the one that is to come. */
function lastNights(parts: readonly PhrasePart[], context: QuickContext): Workdays[] {
  const { nowMs, today } = context
  const [range, ...others] = parts.filter((part) => part.is === 'range')
  const isNight = range !== undefined && others.length === 0 && Number(range.end) > DAY_MINUTES && !range.isVague
  if (!isNight || !isOfToday(parts, context)) return []
  const yesterday = addDays(today, -1)
  const isAhead = atClock(today, range.start, context) > nowMs
  const sinceMs = nowMs - atClock(yesterday, range.end, context)
  return isAhead && sinceMs >= 0 && sinceMs <= JUST_OVER_MS ? [{ dates: [yesterday], freeCount: 0 }] : []
}

/** In "24.-25.10. 22-6" one night can be meant: the one between the days. */
function nightsBetween(parts: readonly PhrasePart[], lists: readonly Workdays[]): Workdays[] {
  const ranges = parts.filter((part) => part.is === 'range')
  const isOvernight = ranges.length > 0 && ranges.every(({ end }) => Number(end) > DAY_MINUTES)
  const isOneRange = parts.filter(({ is }) => is === 'dates').length === 1
  return lists.flatMap(({ dates: [first, second, ...more], freeCount }) =>
    isOvernight && isOneRange && first && second && more.length === 0 && daysBetween(first, second) === 1
      ? [{ dates: [first], freeCount }]
      : [],
  )
}

/** Joins `ab 9 … bis 17`, `ab 9 … 2h` and `2h … bis 17` to what they can mean as ranges. */
function withWholeTimes(parts: readonly PhrasePart[]): (readonly PhrasePart[])[] {
  const since = parts.find((part) => part.is === 'since')
  const until = parts.find((part) => part.is === 'until')
  const lengths = parts.filter((part) => part.is === 'length')
  const [length] = lengths
  const minutes =
    length && lengths.length === 1 && !length.isPlain && !since?.isPlain ? length.lengthMs / MINUTE_MS : undefined
  let ranges: ClockRange[] = []
  if (since && until) ranges = clockRangesOf(since.clock, until.clock)
  else if (since && minutes !== undefined) ranges = after(since.clock, minutes)
  else if (until && minutes !== undefined) ranges = before(until.clock, minutes)
  if (until?.clock.minutes === 'now' && length) return [parts.filter((part) => part !== until)]
  if (ranges.length === 0) return [parts]
  const used: unknown[] = since && until ? [since, until] : [since ?? until, length]
  return ranges.map((range) =>
    parts.flatMap((part) =>
      part === used[0] ? [{ ...range, is: 'range' as const }] : used.includes(part) ? [] : [part],
    ),
  )
}

function exact(start: number, end: number): ClockRange {
  const clocks = [start, end].map((minutes): ClockTime => ({ minutes, isVague: false })) as [ClockTime, ClockTime]
  return { start, end, isVague: false, clocks }
}

function after({ minutes }: ClockTime, length: number): ClockRange[] {
  return minutes === 'now' ? [] : [exact(minutes, minutes + length)]
}

function before({ minutes }: ClockTime, length: number): ClockRange[] {
  return minutes === 'now' || minutes < length ? [] : [exact(minutes - length, minutes)]
}

function plansOn(dates: readonly LocalDate[], parts: readonly PhrasePart[], context: QuickContext): PlanOutcome {
  const has = (is: PhrasePart['is']) => parts.some((part) => part.is === is)
  const times = parts.filter(({ is }) => is === 'range' || is === 'length').length
  if (has('ago') || (has('since') && times === 0)) return timers(dates, parts, context)
  if (has('since') || has('until')) return times > 0 ? 'noFit' : 'noStart'
  const isRanges = has('range') || has('breakRange')
  if (isRanges && has('length')) return 'noFit'
  if (isRanges) return onEach(dates, context, (date) => inRanges(date, parts, context))
  if (has('length') || parts.some((part) => part.is === 'breakLength' && !part.isTaken))
    return onEach(dates, context, (date) => inLengths(date, parts, context), true)
  return has('break') ? 'noBreakLength' : 'noTime'
}

function timers(dates: readonly LocalDate[], parts: readonly PhrasePart[], context: QuickContext): PlanOutcome {
  const { nowMs, today } = context
  const starts = parts.filter((part) => part.is === 'since' || part.is === 'ago')
  const [start] = starts
  if (
    !start ||
    starts.length > 1 ||
    parts.some(({ is }) => ['range', 'until', 'length', 'breakLength', 'breakRange'].includes(is))
  ) {
    return 'noFit'
  }
  const isNow = start.is === 'ago' || start.clock.minutes === 'now'
  const date = isNow && !parts.some(({ is }) => is === 'dates') ? today : itemAt(dates, 0)
  const isOpen = parts.some((part) => part.is === 'dates' && 'from' in part.days && !('to' in part.days))
  if ((dates.length > 1 && !isOpen) || (isNow && date !== today)) return 'noEnd'
  const writtenMs =
    start.is === 'ago' ? atClock(date, 'now', context) - start.lengthMs : atClock(date, start.clock.minutes, context)
  const startMs = writtenMs > nowMs && isOfToday(parts, context) ? beforeMidnight(start, context) : writtenMs
  if (startMs > nowMs || nowMs - startMs >= DAY_MS) return 'noEnd'
  // At four in the afternoon, "since 1" is one o'clock in the afternoon or at night.
  const minutes = start.is === 'since' && start.clock.isVague ? start.clock.minutes : 'now'
  const laterMs = minutes === 'now' ? startMs : atClock(date, minutes + HALF_DAY_MINUTES, context)
  const startsMs = laterMs > startMs && laterMs <= nowMs ? [laterMs, startMs] : [startMs]
  const action = parts.some(({ is }) => is === 'break') ? 'break' : 'start'
  if (action === 'break' && parts.some(({ is }) => is === 'notCounted')) return 'noFit'
  const texts = textsOfEach([[], parts.filter(isTextPart)], context.projects)
  return startsMs.flatMap((ms) =>
    texts.map(([text]): Plan => ({ kind: 'timer', action, startMs: ms, text: text ?? BLANK })),
  )
}

const isOfToday = (parts: readonly PhrasePart[], { defaultDate, today }: QuickContext) =>
  defaultDate === today && !parts.some(({ is }) => is === 'dates')

/** After midnight, "since 22" is yesterday; in the afternoon it is a mistake. */
function beforeMidnight(start: PartOf<'since' | 'ago'>, context: QuickContext): EpochMs {
  if (start.is === 'ago' || start.clock.minutes === 'now') return Number.POSITIVE_INFINITY
  const startMs = atClock(addDays(context.today, -1), start.clock.minutes, context)
  return context.nowMs - startMs <= DAY_MS / 2 ? startMs : Number.POSITIVE_INFINITY
}

/** Returns one plan for all dates, for each way to read one of them. */
function onEach(
  dates: readonly LocalDate[],
  { timeline }: QuickContext,
  read: (date: LocalDate) => Way[] | PlanProblem,
  isPlaced = false,
): PlanOutcome {
  const all: { date: LocalDate; ways: Way[] }[] = []
  for (const date of dates) {
    const ways = read(date)
    if (typeof ways === 'string') return ways
    all.push({ date, ways })
  }
  const count = Math.max(...all.map(({ ways }) => ways.length))
  const plans = Array.from({ length: count }, (_, index): Plan[] => {
    const chosen = all.map(({ date, ways }) => ({ date, way: ways[index] ?? itemAt(ways, -1) }))
    const pieces = chosen.flatMap(({ way }) => way.pieces)
    // The second part of a night can reach into the next one.
    if (pieces.some(({ start }, at) => start < (pieces[at - 1]?.end ?? start))) return []
    const plan: Plan = {
      kind: 'entries',
      entries: chosen.flatMap(({ date, way }) => way.pieces.map((piece) => entryOf(piece, zoneOn(timeline, date)))),
      isPlaced: isPlaced || chosen.some(({ way }) => way.isPlaced),
      freeCount: 0,
      newProjects: [
        ...new Set(pieces.flatMap(({ text }) => (text.isNew && text.project !== null ? [text.project] : []))),
      ],
    }
    return [plan]
  })
  return anyOf(plans) ?? 'overlap'
}

function entryOf({ kind, start, end, text: { project, tags, note, counts } }: Piece, zone: string): TimedEntryContent {
  const [started_at, ended_at] = [instantOf(start), instantOf(end)]
  const own = { started_at, ended_at, time_zone: zone, note, tags, project }
  return kind === 'work' ? newEntry({ ...own, kind, counts }) : newEntry({ ...own, kind })
}

/** Returns the words before, between and after times. */
function groupsOf(parts: readonly PhrasePart[], isTime: (part: PhrasePart) => boolean): TextPart[][] {
  const groups: TextPart[][] = [[]]
  for (const part of parts) {
    if (isTime(part)) groups.push([])
    else if (isTextPart(part)) groups.at(-1)?.push(part)
  }
  return groups
}

function inRanges(date: LocalDate, parts: readonly PhrasePart[], context: QuickContext): Way[] | PlanProblem {
  const isOnlyBreaks = !parts.some(({ is }) => is === 'range')
  if (isOnlyBreaks && parts.some(({ is }) => is === 'break' || is === 'breakLength')) return 'noFit'
  const ranges = parts.filter(
    (part): part is PartOf<'range' | 'breakRange'> => part.is === (isOnlyBreaks ? 'breakRange' : 'range'),
  )
  const usesNow = ranges.some(({ start, end }) => start === 'now' || end === 'now')
  if (usesNow && date !== context.today) return 'noEnd'
  const texts = textsOfEach(
    groupsOf(parts, (part) => ranges.some((range) => range === part)),
    context.projects,
  )
  const isDated = parts.some(({ is }) => is === 'dates')
  const spans = [true, false].flatMap((isLate) => spansOf(date, ranges, { isLate, isDated }, context))
  if (spans.length === 0) return 'overlap'
  if (spans.flat().some(({ start, end }) => end - start > LONGEST_MS)) return 'tooLong'
  const outcomes = spans.flatMap((span) =>
    texts.map((text) => {
      if (isOnlyBreaks) return breaksOnly(span, text)
      const works = span.map((each, index): Piece => ({ ...each, kind: 'work', text: itemAt(text, index) }))
      return withBreaks(date, works, parts, context)
    }),
  )
  return anyOf(outcomes) ?? outcomes[0] ?? 'noTime'
}

/** A break has a note, but no project, and is never work that does not count. */
function breaksOnly(spans: readonly Interval[], texts: readonly EntryText[]): Way[] | PlanProblem {
  if (texts.some(({ counts }) => !counts)) return 'noFit'
  if (spans.some(({ start, end }) => end - start > LONGEST_BREAK_MS)) return 'noBreakLength'
  const noteOf = ({ project, note }: EntryText) => [project ?? '', note].filter((text) => text !== '').join(' ')
  const pieces = spans.map((span, index): Piece => {
    const text = itemAt(texts, index)
    return { ...span, kind: 'break', text: { ...text, project: null, isNew: false, note: noteOf(text) } }
  })
  return [{ pieces, isPlaced: false }]
}

/**
 * Returns where ranges can lie, with vague ones in the afternoon if `isLate` or if they follow others. One that begins
 * up to an hour after a night is of the next date, and one that begins up to three hours after it can be.
 */
function spansOf(
  date: LocalDate,
  ranges: readonly ClockRange[],
  { isLate, isDated }: { isLate: boolean; isDated: boolean },
  context: QuickContext,
): Interval[][] {
  const nextDayMs = atClock(date, DAY_MINUTES, context)
  const placesBehind = (range: ClockRange, last: EpochMs): Interval[] => {
    const isAfter = intervalOfClock(date, range, 0, context).start < last
    const later = range.isVague && (isLate || isAfter) ? HALF_DAY_MINUTES : 0
    const span = intervalOfClock(date, range, later, context)
    const onNextDay = intervalOfClock(date, range, DAY_MINUTES, context)
    const isAfterNight = last > nextDayMs && span.start < last && onNextDay.start >= last
    const gapMs = isAfterNight ? onNextDay.start - last : Number.POSITIVE_INFINITY
    // "24:00" of a day can be the end of it.
    const isEnd = isDated && range.start === 0 && range.clocks[0].minutes === DAY_MINUTES
    const isNext = isEnd || gapMs <= LONGEST_BREAK_MS
    return [...(isNext ? [onNextDay] : []), ...(gapMs <= HOUR_MS ? [] : [span])]
  }
  return ranges.reduce<Interval[][]>(
    (lists, range) =>
      lists.flatMap((list) =>
        placesBehind(range, list.at(-1)?.end ?? Number.NEGATIVE_INFINITY)
          .filter(({ start, end }) => end > start && list.every((other) => start >= other.end || end <= other.start))
          .map((place) => [...list, place]),
      ),
    [[]],
  )
}

function inLengths(date: LocalDate, parts: readonly PhrasePart[], context: QuickContext): Way[] | PlanProblem {
  const lengths = parts.filter((part) => part.is === 'length')
  if (lengths.length > 1 && lengths.some(({ isPlain }) => isPlain)) return 'noFit'
  const workMs = lengths.reduce((sum, { lengthMs }) => sum + lengthMs, 0)
  const breakMs = parts.reduce((sum, part) => sum + (part.is === 'breakLength' ? part.lengthMs : 0), 0)
  if (workMs + breakMs > DAY_MS) return 'tooLong'
  if (workMs + breakMs <= 0 || lengths.some(({ lengthMs }) => lengthMs === 0)) return 'noTime'
  if (parts.some(({ is }) => is === 'break')) return 'noBreakLength'
  if (lengths.length === 0) {
    const texts = textsOfEach([[], parts.filter(isTextPart)], context.projects).slice(0, 1)
    const spans = placesOf(date, breakMs, context)
    const ways = spans.map((span) => breaksOnly([span], texts[0] ?? []))
    return anyOf(ways) ?? ways[0] ?? 'noTime'
  }
  const texts = textsOfEach(
    groupsOf(parts, ({ is }) => is === 'length'),
    context.projects,
  )
  const isTaken = parts.some((part) => part.is === 'breakLength' && part.isTaken)
  // "8h Pause 30" does not say whether the break is part of the eight hours.
  const totals = breakMs === 0 || isTaken ? [workMs] : [workMs + breakMs, workMs]
  if (breakMs >= workMs) return 'breakTooLong'
  // Without a break, all of the hours count, with the one that the rules ask for in the longest work.
  const isCounted = texts.every((text) => text.every(({ counts }) => counts))
  const ruleBreakMs = breakMs === 0 && isCounted ? context.breakFor(date, workMs) : 0
  const longest = lengths.reduce((a, b) => (b.lengthMs > a.lengthMs ? b : a))
  const pauseMs = breakMs + ruleBreakMs
  return totals.flatMap((totalMs) =>
    placesOf(date, totalMs + ruleBreakMs, context).flatMap((span) =>
      texts.flatMap((text) => {
        let start = span.start
        const works = lengths.map((length, index): Piece => {
          const longerMs = length === longest ? ruleBreakMs : 0
          const end = lengths.length === 1 ? span.end : start + length.lengthMs + longerMs
          const piece: Piece = { kind: 'work', start, end, text: itemAt(text, index) }
          start = end
          return piece
        })
        const pause = pauseMs > 0 ? placedBreak(date, works, pauseMs, context) : undefined
        return [{ pieces: pause ? cutOut(works, [pause]) : works, isPlaced: true }]
      }),
    ),
  )
}

/** Returns where a length belongs. Today it ends now, unless it would have to begin at night. */
function placesOf(date: LocalDate, lengthMs: number, context: QuickContext): Interval[] {
  const placed = context.place(date, lengthMs)
  const zone = zoneOn(context.timeline, date)
  const wall = wallAt(placed.start, zone)
  if (wall.date === date && wall.minutes >= EARLY_MINUTES) return [placed]
  const morning = instantAt(date, MORNING_MINUTES, zone)
  return [{ start: morning, end: morning + lengthMs }, placed]
}
