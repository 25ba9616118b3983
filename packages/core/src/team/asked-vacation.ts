import * as v from 'valibot'
import { type IdentifiedEntry, isAccountAbsence } from '../account-function.ts'
import { hasDate } from '../date-range.ts'
import type { AbsenceSize, RequestEntry } from '../entry.ts'
import { inBillionths } from '../fraction.ts'
import type { Timeline } from '../timeline.ts'
import { type VacationSettings, type VacationYear, vacationYear } from '../vacation.ts'
import type { LocalDate, UserNumber } from '../values.ts'
import { approvedEntryId, daysAsked } from './requests.ts'

const days = (description: string) => v.pipe(v.number(), v.metadata({ description }))

/** The vacation of a year that requests ask for. It counts nowhere (D26.10). */
export const AskedVacation = v.object({
  asked: days('The days that all waiting requests would take in the year; negative if they give some back.'),
  left_if_approved: days('The days left in the year if all of them are approved.'),
})
export type AskedVacation = v.InferOutput<typeof AskedVacation>

/** A request that waits, by its id. */
export type WaitingRequest = Pick<RequestEntry, 'id' | 'asks' | 'absence' | 'date' | 'last_date'> & AbsenceSize

/** Returns what waiting requests of a user ask of a year of the vacation account (D26.10), beside that account. */
export function askedVacation(
  account: VacationYear,
  entries: readonly IdentifiedEntry[],
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
  { user, waiting }: { user: UserNumber; waiting: readonly WaitingRequest[] },
): AskedVacation {
  const approved = waiting.reduce((before, request) => withApproved(before, timeline, user, request), [...entries])
  const then = vacationYear(approved, timeline, today, account.year) ?? account
  const asked = then.taken + then.planned - account.taken - account.planned
  return { asked: inBillionths(asked), left_if_approved: then.left }
}

/** Returns the entries as if a request was approved. One that asks for changes leaves them as they are. */
function withApproved(
  entries: IdentifiedEntry[],
  timeline: Timeline,
  user: UserNumber,
  request: WaitingRequest,
): IdentifiedEntry[] {
  const { id, asks, absence } = request
  if (absence === null) return entries
  const dates = { from: request.date, to: request.last_date }
  if (asks === 'cancel') {
    return entries.filter((entry) => !(isAccountAbsence(entry) && entry.kind === absence && hasDate(dates, entry.date)))
  }
  // An earlier content of the request may have been approved: its days give way to those of the present one (D26.5).
  const others = entries.filter(
    (entry) => !(isAccountAbsence(entry) && entry.id === approvedEntryId(user, id, entry.date)),
  )
  const days = daysAsked(request, timeline, others.filter(isAccountAbsence))
  return [...others, ...days.map(({ date, size }) => ({ id, kind: absence, date, ...size }))]
}
