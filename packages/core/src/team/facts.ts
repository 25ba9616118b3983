import { shareOfDay } from '../absence.ts'
import type { AccountAbsence } from '../account-function.ts'
import type { absenceKinds, chosenAbsenceKinds, requestAims } from '../choices.ts'
import { addDays, addDaysWithinCalendar } from '../date.ts'
import { type DateRange, datesIn, haveDate, intersections } from '../date-range.ts'
import { jsonEqual } from '../json.ts'
import { plannedOn, type Timeline } from '../timeline.ts'
import type { Instant, LocalDate, RecordId, UserNumber } from '../values.ts'

type AbsenceKind = (typeof absenceKinds)[number]

/** Consecutive dates with planned time on which somebody is absent in the same way. */
export interface AbsenceDates extends DateRange {
  /** True if the absences of the date together take all of it. */
  isWholeDay: boolean
  /** The kinds of the absences, each once, in alphabetical order. */
  kinds: AbsenceKind[]
}

/** A live request whose present content is not decided. */
export interface RequestFact extends DateRange {
  id: RecordId
  digest: string
  asks: (typeof requestAims)[number]
  absence: (typeof chosenAbsenceKinds)[number] | null
  /** The kinds of absence that it would make, also by its changes. */
  kinds: (typeof chosenAbsenceKinds)[number][]
  /** The dates of the request with planned time, within the membership. */
  days: DateRange[]
  /** True if colleagues see it as planned (D25.5). */
  isPlanned: boolean
  askedAt: Instant
  substitute: UserNumber | null
}

/** The facts of a person from which team pages are made (D30.1). */
export interface TeamFacts {
  absences: AbsenceDates[]
  requests: RequestFact[]
}

/** The dates that facts cover, around the present date of their user. */
export const FACT_DAYS = { back: 400, ahead: 430 } as const

/** Facts are made once a day, each in a zone of its own: so many dates less are covered at every moment. */
const MARGIN_DAYS = 4

/** Returns the dates that facts cover at every moment of a date (D30.9): those that a page of who is away can have. */
export function datesOfFacts(today: LocalDate): DateRange {
  return {
    from: addDaysWithinCalendar(today, MARGIN_DAYS - FACT_DAYS.back),
    to: addDaysWithinCalendar(today, FACT_DAYS.ahead - MARGIN_DAYS),
  }
}

/** Shares that add up to a day within this are a whole day. */
const ROUNDING = 1e-9

/** Returns the dates of ranges on which somebody is absent, without those that have no planned time (D25.3). */
export function absenceDates(
  absences: readonly AccountAbsence[],
  timeline: Timeline,
  ranges: readonly DateRange[],
): AbsenceDates[] {
  const ofRange = absences.filter(({ date }) => haveDate(ranges, date))
  const byDate = [...Map.groupBy(ofRange, ({ date }) => date)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const dates = byDate.flatMap(([date, ofDate]): AbsenceDates[] => {
    const plannedMs = plannedOn(timeline, date)
    if (plannedMs === 0) return []
    const share = ofDate.reduce((sum, absence) => sum + shareOfDay(absence, plannedMs), 0)
    const kinds = [...new Set(ofDate.map(({ kind }) => kind))].sort()
    return [{ from: date, to: date, isWholeDay: share >= 1 - ROUNDING, kinds }]
  })
  return joinedDates(dates)
}

/** Returns the dates of a range that have planned time, as ranges. */
export function plannedDates(timeline: Timeline, range: DateRange): DateRange[] {
  const dates = [...datesIn(range)].filter((date) => plannedOn(timeline, date) > 0)
  return joinedDates(dates.map((date) => ({ from: date, to: date })))
}

/**
 * Returns the part of facts that colleagues can see, in one form: equal parts are equal texts (D25.6). `dates` are
 * those on which they see anything.
 */
export function shownText({ absences, requests }: TeamFacts, dates: readonly DateRange[]): string {
  const away = absences.map(({ from, to, isWholeDay }) => ({ from, to, isWholeDay }))
  const asked = requests.filter(({ isPlanned }) => isPlanned).flatMap(({ days }) => days)
  const inOrder = asked.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return JSON.stringify([joinedDates(rangesWithin(away, dates)), rangesWithin(inOrder, dates)])
}

/** Returns the parts of ranges that are within some dates. */
function rangesWithin<R extends DateRange>(ranges: readonly R[], dates: readonly DateRange[]): R[] {
  return ranges.flatMap((range) => intersections([range], dates).map((part) => ({ ...range, ...part })))
}

/** Joins ranges in the order of their dates where one follows another and they differ in nothing else. */
export function joinedDates<R extends DateRange>(ranges: readonly R[]): R[] {
  const joined: R[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    if (last && isNext(last.to, range.from) && jsonEqual({ ...last, ...noDates }, { ...range, ...noDates })) {
      joined[joined.length - 1] = { ...last, to: range.to }
    } else joined.push(range)
  }
  return joined
}

const noDates = { from: null, to: null }

function isNext(date: LocalDate, other: LocalDate): boolean {
  return other === addDays(date, 1)
}
