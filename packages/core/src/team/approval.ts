import type { AccountAbsence } from '../account-function.ts'
import { type DateRange, haveDate } from '../date-range.ts'
import { isAbsence } from '../entry.ts'
import type { Problem, ProblemCode } from '../errors.ts'
import type { Change, RecordState } from '../merge.ts'
import type { Content } from '../record.ts'
import type { LocalDate } from '../values.ts'
import type { ChosenAbsenceKind, ManagedPart } from './policy.ts'
import { rangeToSettle } from './roles.ts'

/** The codes of problems of changes that can be asked for (D27.10). */
const askedForCodes: readonly ProblemCode[] = ['approval_needed', 'locked', 'managed']

/** True if a change was rejected because it has to be asked for: by the rules of a company (D27.10). */
export function isToAskFor({ code }: Pick<Problem, 'code'>): boolean {
  return askedForCodes.includes(code)
}

/** The rules of a company for what a member writes; stored beside the user's counter. */
export interface MemberRules {
  company: number
  /** The dates of the membership: at least one range, in order, none beside another. */
  dates: readonly DateRange[]
  /** Versions in the order of their dates: kinds to ask for, kinds to cancel while ahead, and what HR manages. */
  versions: {
    from: LocalDate
    ask: readonly ChosenAbsenceKind[]
    cancelAhead: readonly ChosenAbsenceKind[]
    managed: readonly ManagedPart[]
  }[]
}

/**
 * True if the rules hold on a present date: on one of the membership for all that they name, and for `DAYS_TO_SETTLE`
 * days after it for what is of its dates, so that nobody takes back on the day after what the company has counted on.
 */
function doRulesHold(dates: MemberRules['dates'], today: LocalDate, dateOfRecord: LocalDate | undefined): boolean {
  if (haveDate(dates, today)) return true
  const ended = rangeToSettle(dates, today)
  return ended !== undefined && dateOfRecord !== undefined && dateOfRecord <= ended.to
}

/**
 * True if a change that would be applied has to be asked for first (D26.9): it makes, changes or deletes an absence
 * of a kind under `ask` on a date of the membership, while that lasts or is to be settled. One that lies ahead may be
 * deleted where the policy says so (D26.8). Texts such as the note are the user's own.
 */
export function needsApproval(
  { kind, content }: Pick<Change, 'kind' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
  { dates, versions }: MemberRules,
  today: LocalDate,
): boolean {
  if (kind !== 'entries') return false
  const [oldAbsence, newAbsence] = [absenceOf(before?.content), absenceOf(content)]
  if (![oldAbsence, newAbsence].some((absence) => absence && doRulesHold(dates, today, absence.date))) return false
  if (oldAbsence && newAbsence && isSameAbsence(oldAbsence, newAbsence)) return false
  const rules = versions.findLast(({ from }) => from <= today)
  if (!rules) return false
  const isAsked = (absence: AccountAbsence | undefined) =>
    absence !== undefined && haveDate(dates, absence.date) && rules.ask.some((kind) => kind === absence.kind)
  const isCancelledAhead =
    oldAbsence !== undefined &&
    newAbsence === undefined &&
    oldAbsence.date > today &&
    rules.cancelAhead.some((kind) => kind === oldAbsence.kind)
  return (isAsked(oldAbsence) && !isCancelledAhead) || isAsked(newAbsence)
}

/** True if HR manages what a change that would be applied is of, so that its user has to ask for it (D28.6). */
export function isManaged(
  { kind, content }: Pick<Change, 'kind' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
  { dates, versions }: MemberRules,
  today: LocalDate,
): boolean {
  const named = [before?.content, content].flatMap((one) => (one ? [dateNamedBy(one)] : []))
  if (!named.some((date) => doRulesHold(dates, today, date))) return false
  const managed = versions.findLast(({ from }) => from <= today)?.managed ?? []
  switch (kind) {
    case 'settings_history':
      return managed.includes('settings')
    case 'balance_adjustments':
      return managed.includes('adjustments')
    case 'entries':
      return managed.includes('grants') && [before?.content, content].some((one) => one?.kind === 'vacation_grant')
  }
}

/** True if a change is of an absence, in its old or new content: no other one needs approval. */
export function isOfAbsence(
  { kind, content }: Pick<Change, 'kind' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
): boolean {
  return kind === 'entries' && [before?.content, content].some((one) => absenceOf(one) !== undefined)
}

/** Returns the date of an adjustment or a grant, or that from which settings count. */
function dateNamedBy({ effective_from, effective_date, date }: Record<string, unknown>): LocalDate | undefined {
  return (effective_from ?? effective_date ?? date) as LocalDate | undefined
}

function absenceOf(content: Record<string, unknown> | null | undefined): AccountAbsence | undefined {
  const entry = content as Content<'entries'> | null | undefined
  return entry && isAbsence(entry) ? entry : undefined
}

function isSameAbsence(one: AccountAbsence, other: AccountAbsence): boolean {
  return (
    one.kind === other.kind &&
    one.date === other.date &&
    one.day_share === other.day_share &&
    one.amount_ms === other.amount_ms
  )
}
