import { type EpochMs, type Interval, itemAt, type LocalDate, MINUTE_MS, union, zoneOn } from '@saldo/core'
import { endsOf } from '../../reading/dates.ts'
import type { ClockRange } from '../../reading/times.ts'
import type { PhraseDay } from '../../reading/written-days.ts'
import { breakPlace } from '../break-place.ts'
import { instantAt } from '../wall-time.ts'
import { LONGEST_BREAK_MS } from './break-rules.ts'
import { combinations, type PhrasePart } from './phrase-parts.ts'
import type { PlanProblem, QuickContext } from './plan.ts'
import type { EntryText } from './texts.ts'

const HALF_DAY_MINUTES = 720
const DAY_MINUTES = 1_440
const NOON_MINUTES = 720

/** Work or a break of a date, before it is an entry. */
export interface Piece extends Interval {
  kind: 'work' | 'break'
  text: EntryText
}

export const BLANK: EntryText = { project: null, isNew: false, tags: [], note: '', counts: true }

/** One way to read a date: its pieces in order; `isPlaced` if the line does not say when a break was. */
export interface Way {
  pieces: Piece[]
  isPlaced: boolean
}

/** Returns the instant of a time on a date; now is the last full minute. */
export function atClock(date: LocalDate, minutes: number | 'now', { nowMs, timeline }: QuickContext): EpochMs {
  return minutes === 'now'
    ? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
    : instantAt(date, minutes, zoneOn(timeline, date))
}

/** Returns the interval of a range on a date, some minutes later. */
export function intervalOfClock(
  date: LocalDate,
  { start, end, until }: Pick<ClockRange, 'start' | 'end'> & { until?: PhraseDay },
  shift: number,
  context: QuickContext,
): Interval {
  const at = (on: LocalDate, minutes: number | 'now') =>
    atClock(on, minutes === 'now' ? minutes : minutes + shift, context)
  const [last] = until ? endsOf(until, date, { today: context.today, isAhead: true }) : [date]
  return { start: at(date, start), end: last === undefined ? Number.NEGATIVE_INFINITY : at(last, end) }
}

/** Takes the breaks of a line out of its work. */
export function withBreaks(
  date: LocalDate,
  works: Piece[],
  parts: readonly PhrasePart[],
  context: QuickContext,
): Way[] | PlanProblem {
  const gaps = works.slice(1).flatMap(({ start }, index): Interval[] => {
    const before = itemAt(works, index)
    return start > before.end ? [{ start: before.end, end: start }] : []
  })
  const places = parts.flatMap((part): Interval[][][] => {
    if (part.is === 'break') return [[gaps]]
    return part.is === 'breakRange' ? [placesOf(date, part, works, context).map((span) => [span])] : []
  })
  const lists = combinations(places)
  if (lists.length === 0) return 'breakTooLong'
  if (gaps.length === 0 && parts.some(({ is }) => is === 'break')) return 'noBreakLength'
  const gapMs = gaps.reduce((sum, { start, end }) => sum + end - start, 0)
  const lengthMs = parts.reduce((sum, part) => sum + (part.is === 'breakLength' ? part.lengthMs : 0), 0)
  const isTaken = parts.some((part) => part.is === 'breakLength' && part.isTaken)
  const ways = lists.flatMap((breaks): Way[] => {
    // A line may name a break twice.
    const known: Way = { pieces: cutOut(works, union(breaks.flat())), isPlaced: false }
    if (lengthMs === 0) return [known]
    if (gapMs === lengthMs) return [{ pieces: cutOut(works, gaps), isPlaced: false }]
    const placed = placedBreak(date, known.pieces, lengthMs, context)
    if (!placed) return []
    const cut: Way = { pieces: cutOut(known.pieces, [placed]), isPlaced: true }
    return works.length === 1 || isTaken ? [cut] : [cut, known]
  })
  return ways.length > 0 ? ways : 'breakTooLong'
}

/** Returns where a break can lie in work or beside it: as written, in the other half of the day, after midnight. */
function placesOf(
  date: LocalDate,
  pause: Extract<PhrasePart, { is: 'breakRange' }>,
  works: readonly Piece[],
  context: QuickContext,
): Interval[] {
  const shifts = pause.clocks[0].isVague ? [0, HALF_DAY_MINUTES, DAY_MINUTES] : [0, DAY_MINUTES]
  const spans = shifts.map((shift) => intervalOfClock(date, pause, shift, context))
  return spans.filter((span) => span.end - span.start <= LONGEST_BREAK_MS && works.some((work) => isBeside(span, work)))
}

function isBeside(span: Interval, work: Interval): boolean {
  return (span.start >= work.start && span.end <= work.end) || span.start === work.end || span.end === work.start
}

/** Returns the pieces with breaks in their places. */
export function cutOut(pieces: readonly Piece[], breaks: readonly Interval[]): Piece[] {
  const kept = breaks.reduce<readonly Piece[]>(
    (left, pause) =>
      left.flatMap((piece) =>
        piece.kind === 'break' || pause.start >= piece.end || pause.end <= piece.start
          ? [piece]
          : [
              { ...piece, end: pause.start },
              { ...piece, start: pause.end },
            ].filter(({ start, end }) => end > start),
      ),
    pieces,
  )
  const added = breaks.map((pause): Piece => ({ ...pause, kind: 'break', text: BLANK }))
  return [...kept, ...added].sort((a, b) => a.start - b.start)
}

/** Returns a place for a break in the longest work: at noon, or in its middle. */
export function placedBreak(
  date: LocalDate,
  pieces: readonly Piece[],
  lengthMs: number,
  context: QuickContext,
): Interval | undefined {
  const works = pieces.filter(({ kind }) => kind === 'work')
  const longest = works.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a))
  return breakPlace(longest, lengthMs, atClock(date, NOON_MINUTES, context))
}
