import * as v from 'valibot'
import { type AccountAbsence, type IdentifiedEntry, isAccountAbsence } from '../account-function.ts'
import { datesIn } from '../date-range.ts'
import { inBillionths } from '../day-units.ts'
import type { AbsenceSize, RequestEntry } from '../entry.ts'
import type { Steps } from '../steps.ts'
import type { Timeline } from '../timeline.ts'
import { type VacationSettings, type VacationYear, vacationSteps } from '../vacation.ts'
import type { LocalDate, RecordId, UserNumber } from '../values.ts'
import { approvedEntryId, daysAsked } from './requests.ts'

const days = (description: string) => v.pipe(v.number(), v.metadata({ description }))

/** The vacation of a year that requests ask for. It counts nowhere (D26.10). */
export const AskedVacation = v.object({
  asked: days('The days that all waiting requests would take in the year; negative if they give some back.'),
  left_if_approved: days('The days left in the year if all of them are approved.'),
})
export type AskedVacation = v.InferOutput<typeof AskedVacation>

/** The fields of a request that say what would become of the vacation. */
export type AskingRequest = Pick<RequestEntry, 'id' | 'asks' | 'absence' | 'date' | 'last_date'> & AbsenceSize

/** A request that waits. */
export type WaitingRequest = AskingRequest & {
  /** True if an earlier content of it was approved, whose days give way to those of the present one (D26.5). */
  wasApproved: boolean
}

/** Returns in steps what waiting requests of a user ask of a year, beside its vacation account (D26.10). */
export function* askedVacation(
  account: VacationYear,
  entries: readonly IdentifiedEntry[],
  timeline: Timeline<VacationSettings>,
  today: LocalDate,
  { user, waiting }: { user: UserNumber; waiting: readonly WaitingRequest[] },
): Steps<AskedVacation> {
  const absencesByDate: AbsencesByDate = new Map()
  for (const entry of entries) {
    yield
    if (!isAccountAbsence(entry)) continue
    const ofDate = absencesByDate.get(entry.date)
    if (ofDate) ofDate.push(entry)
    else absencesByDate.set(entry.date, [entry])
  }
  for (const request of waiting) {
    yield
    if (request.asks === 'cancel') cancel(absencesByDate, request)
    else yield* approve(absencesByDate, timeline, user, request)
  }
  const approved = withAbsences(entries, absencesByDate)
  const then = (yield* vacationSteps(approved, timeline, today, account.year)) ?? account
  const asked = then.taken + then.planned - account.taken - account.planned
  return { asked: inBillionths(asked), left_if_approved: then.left }
}

type AbsencesByDate = Map<LocalDate, (AccountAbsence & { id: RecordId })[]>

/** Yields entries with other absences. */
function* withAbsences(
  entries: readonly IdentifiedEntry[],
  absencesByDate: AbsencesByDate,
): Generator<IdentifiedEntry> {
  for (const entry of entries) if (!isAccountAbsence(entry)) yield entry
  for (const absences of absencesByDate.values()) yield* absences
}

/** Takes the absences away that a request would end. */
function cancel(absencesByDate: AbsencesByDate, { absence, date: from, last_date: to }: WaitingRequest): void {
  for (const date of datesIn({ from, to })) {
    const left = absencesByDate.get(date)?.filter(({ kind }) => kind !== absence)
    if (left) absencesByDate.set(date, left)
  }
}

/** Adds the absences of a request that asks for some. One that asks for changes adds none. */
function* approve(
  absencesByDate: AbsencesByDate,
  timeline: Timeline,
  user: UserNumber,
  request: WaitingRequest,
): Steps<void> {
  const { id, absence, date: from, last_date: to } = request
  if (absence === null) return
  if (request.wasApproved) {
    for (const [date, absences] of absencesByDate) {
      yield
      const approvedId = approvedEntryId(user, id, date)
      absencesByDate.set(
        date,
        absences.filter((one) => one.id !== approvedId),
      )
    }
  }
  const others = [...datesIn({ from, to })].flatMap((date) => absencesByDate.get(date) ?? [])
  for (const { date, size } of daysAsked(request, timeline, others)) {
    absencesByDate.set(date, [...(absencesByDate.get(date) ?? []), { id, kind: absence, date, ...size }])
  }
}
