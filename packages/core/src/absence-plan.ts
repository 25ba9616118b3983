import { type Absence, givesWayTo, shareOfDay } from './absence.ts'
import { sizeLeft } from './absence-size.ts'
import { type DateRange, datesIn } from './date-range.ts'
import type { AbsenceSize } from './entry.ts'
import { plannedOn, type Timeline } from './timeline.ts'
import type { LocalDate } from './values.ts'

/** An absence over a range of days. */
export interface AbsenceRange extends DateRange {
  kind: Absence['kind']
  size: AbsenceSize
  /** True to leave out days without a target. */
  isSkippingFree: boolean
}

/** The days that an absence takes of its range, and those that it leaves out. */
export interface AbsencePlan {
  days: { date: LocalDate; size: AbsenceSize }[]
  /** Days without a target. */
  free: LocalDate[]
  /** Days that have a whole day of absences already. */
  full: LocalDate[]
  /** Days of `days` on which another absence gives way, such as vacation to sickness. */
  replaced: LocalDate[]
}

/**
 * Plans the days of an absence. A date with absences gets at most what they leave of it, except those that give way
 * (D2.39). An absence in hours is left out where no work is planned.
 */
export function daysOfAbsence(
  absence: AbsenceRange,
  timeline: Timeline,
  absences: readonly (Absence & { date: LocalDate })[],
): AbsencePlan {
  const plan: AbsencePlan = { days: [], free: [], full: [], replaced: [] }
  const absencesByDate = Map.groupBy(absences, ({ date }) => date)
  for (const date of datesIn(absence)) {
    const plannedMs = plannedOn(timeline, date)
    const isForPlannedTime = absence.isSkippingFree || absence.size.amount_ms !== null
    const others = absencesByDate.get(date) ?? []
    const staying = others.filter(({ kind }) => !givesWayTo(kind, absence.kind))
    const size = sizeLeft(absence.size, staying, plannedMs)
    if (plannedMs === 0 && isForPlannedTime) plan.free.push(date)
    else if (!size) plan.full.push(date)
    else {
      plan.days.push({ date, size })
      const besideAll = sizeLeft(size, others, plannedMs)
      const fits = besideAll !== undefined && shareOfDay(besideAll, plannedMs) === shareOfDay(size, plannedMs)
      if (!fits) plan.replaced.push(date)
    }
  }
  return plan
}
