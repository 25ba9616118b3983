import * as v from 'valibot'
import { daysOfAbsence } from '../absence-plan.ts'
import { WHOLE_DAY } from '../absence-size.ts'
import { type IdentifiedEntry, isAccountAbsence } from '../account-function.ts'
import { chosenAbsenceKinds } from '../choices.ts'
import { daysBetween } from '../date.ts'
import { type DateRange, datesIn, haveDate } from '../date-range.ts'
import { derivedId } from '../ids.ts'
import type { Timeline } from '../timeline.ts'
import { DateText, InstantText, UserNumberValue, Uuid } from '../validation.ts'
import type { LocalDate, RecordId, UserNumber } from '../values.ts'
import { TEAM_PAGE, TeamPerson } from './team-wire.ts'

/** The `source` of the absences of company leave (D28.7). */
export const LEAVE_SOURCE = 'company_leave'
/** The most days of one company leave. */
const MAX_LEAVE_DAYS = 62

/** Leave of many at once, such as between the years. The id makes a repeat harmless. */
export const CompanyLeave = v.pipe(
  v.object({
    id: Uuid,
    kind: v.picklist(chosenAbsenceKinds),
    from: DateText,
    to: DateText,
    users: v.pipe(v.array(UserNumberValue), v.minLength(1), v.maxLength(TEAM_PAGE, `must have at most ${TEAM_PAGE}`)),
  }),
  v.forward(
    v.check(
      ({ from, to }) => from <= to && daysBetween(from, to) < MAX_LEAVE_DAYS,
      `must not be before from, and at most ${MAX_LEAVE_DAYS - 1} days after it`,
    ),
    ['to'],
  ),
)
export type CompanyLeave = v.InferOutput<typeof CompanyLeave>

/** The reasons why company leave is not written for somebody. */
const leaveRefusals = ['not_allowed', 'own_leave', 'not_possible'] as const

/** The outcome for one person: the dates written or removed, or the reason why none are. */
export const LeaveResult = v.object({
  user_id: UserNumberValue,
  dates: v.array(DateText),
  left_out: v.pipe(
    v.array(DateText),
    v.metadata({ description: 'Planned dates on which another absence stands, or which somebody has changed since.' }),
  ),
  detail: v.optional(v.string()),
  refusal: v.optional(v.picklist(leaveRefusals)),
})
export type LeaveResult = v.InferOutput<typeof LeaveResult>

/** Company leave that was written and not removed, with the people for whom it was. */
export const LeaveRow = v.object({
  id: Uuid,
  kind: v.picklist(chosenAbsenceKinds),
  from: DateText,
  to: DateText,
  users: v.array(UserNumberValue),
  by: v.nullable(TeamPerson),
  at: InstantText,
})
export type LeaveRow = v.InferOutput<typeof LeaveRow>

/** Returns the id of the absence that company leave writes on a date: the same however often it is repeated. */
export function leaveEntryId(user: UserNumber, leave: RecordId, date: LocalDate): RecordId {
  return derivedId(`${user}/leave/${leave}`, date)
}

/**
 * Returns the days that company leave takes of a person: planned days of the membership without other absences.
 * `leftOut` are those with one.
 */
export function leaveDays(
  user: UserNumber,
  { id, kind, from, to }: Pick<CompanyLeave, 'id' | 'kind'> & DateRange,
  timeline: Timeline,
  entries: readonly IdentifiedEntry[],
  memberDates: readonly DateRange[],
): { dates: LocalDate[]; leftOut: LocalDate[] } {
  const own = new Set([...datesIn({ from, to })].map((date) => leaveEntryId(user, id, date)))
  const others = entries.filter(isAccountAbsence).filter((absence) => !own.has(absence.id))
  const taken = new Set(others.map(({ date }) => date))
  const range = { kind, from, to, size: WHOLE_DAY, isSkippingFree: true }
  const { days, full } = daysOfAbsence(range, timeline, others)
  const isMember = (date: LocalDate) => haveDate(memberDates, date)
  const planned = [...days.map(({ date }) => date), ...full].filter(isMember).toSorted()
  return { dates: planned.filter((date) => !taken.has(date)), leftOut: planned.filter((date) => taken.has(date)) }
}
