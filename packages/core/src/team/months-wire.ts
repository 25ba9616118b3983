import * as v from 'valibot'
import { adjustmentKinds } from '../adjustment.ts'
import { absenceKinds, timedEntryKinds } from '../choices.ts'
import { DateText, givenText, InstantText, MonthText, SignedMs, UserNumberValue, Uuid } from '../validation.ts'
import { monthStates } from './months.ts'
import { StoredSheet } from './stored-sheet.ts'
import { TEAM_PAGE, TeamPerson } from './team-wire.ts'
import { accountEvents } from './trail.ts'

const count = v.pipe(v.number(), v.integer())
const state = v.picklist(monthStates)

/** A month of somebody, with who changed its state last and the code of its stored sheet. */
export const MonthRow = v.object({
  month: MonthText,
  state,
  changed_by: v.nullable(TeamPerson),
  changed_at: v.nullable(InstantText),
  reason: v.pipe(v.nullable(v.string()), v.metadata({ description: 'Why it was returned or reopened.' })),
  check_code: v.pipe(
    v.nullable(v.string()),
    v.metadata({ description: 'That of the stored sheet of a locked month.' }),
  ),
  carried_differs: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True if the balance before the month is another one now than on the stored sheet.' }),
  ),
})
export type MonthRow = v.InferOutput<typeof MonthRow>

/** The own months from joining on. */
export const OwnMonths = v.object({
  items: v.array(MonthRow),
  months_kept: v.pipe(
    v.number(),
    v.metadata({ description: 'Months for which the company keeps sheets and trail, the account deleted or not.' }),
  ),
})
export type OwnMonths = v.InferOutput<typeof OwnMonths>

/** Members whose month is locked, reopened or returned. */
export const MonthsInput = v.object({
  users: v.pipe(v.array(UserNumberValue), v.minLength(1), v.maxLength(TEAM_PAGE, `must have at most ${TEAM_PAGE}`)),
  reason: v.optional(v.nullable(givenText(0, 1_000)), null),
  digests: v.optional(
    v.pipe(
      v.array(v.object({ user_id: UserNumberValue, digest: v.string() })),
      v.metadata({
        description: 'To lock: those of sheets that were read. Of others, what was submitted is locked.',
      }),
    ),
    [],
  ),
})
export type MonthsInput = v.InferOutput<typeof MonthsInput>

/** Why nothing was changed in a month (D27.1, D27.2), in words for programs. */
export const monthRefusals = [
  ...(['not_allowed', 'locked', 'not_submitted', 'not_begun', 'changed'] as const),
  ...(['outside_account', 'not_ended', 'entry_runs', 'recomputing'] as const),
] as const
/** One of `monthRefusals`. */
export type MonthRefusal = (typeof monthRefusals)[number]

/** The outcome for one person; `detail` and `refusal` say why nothing was changed (D27.13). */
export const MonthResult = v.object({
  user_id: UserNumberValue,
  outcome: v.picklist(['changed', 'unchanged', 'rejected']),
  detail: v.optional(v.string()),
  refusal: v.optional(v.picklist(monthRefusals)),
})
export type MonthResult = v.InferOutput<typeof MonthResult>

/** A remark of a person on a month, which the sheet prints and only they remove (D28.4). */
export const RemarkRow = v.object({ id: Uuid, month: MonthText, text: v.string(), at: InstantText })
export type RemarkRow = v.InferOutput<typeof RemarkRow>
export const RemarkInput = v.object({ id: v.optional(Uuid), month: MonthText, text: givenText(1, 1_000) })
export type RemarkInput = v.InferOutput<typeof RemarkInput>

/** The sheet of a month: the stored one of a locked month, or as it is now. */
export const MonthSheet = v.object({
  ...MonthRow.entries,
  is_stored: v.boolean(),
  shows_balance: v.pipe(
    v.boolean(),
    v.metadata({ description: 'False for a viewer who sees no balances: those of the sheet begin with 0 then.' }),
  ),
  sheet: v.nullable(StoredSheet),
  digest: v.pipe(
    v.nullable(v.string()),
    v.metadata({ description: 'Names what is shown, to lock it; null if it is stored.' }),
  ),
  remarks: v.array(RemarkRow),
})
export type MonthSheet = v.InferOutput<typeof MonthSheet>

/** A row of an account's trail. */
export const AccountTrailRow = v.object({
  number: count,
  at: InstantText,
  actor: v.nullable(TeamPerson),
  kind: v.picklist(accountEvents),
  data: v.record(v.string(), v.unknown()),
})
export type AccountTrailRow = v.InferOutput<typeof AccountTrailRow>

/** A row of the own trail, with its hash in the chain (D29.4). */
export const OwnTrailRow = v.object({ ...AccountTrailRow.entries, hash: v.string() })
export type OwnTrailRow = v.InferOutput<typeof OwnTrailRow>

/** A page of the own trail with the last hash of the whole, which a device keeps (D29.4). */
export const AccountTrailPage = v.object({
  items: v.array(OwnTrailRow),
  cursor: v.nullable(v.string()),
  last: v.object({ number: count, hash: v.string() }),
})
export type AccountTrailPage = v.InferOutput<typeof AccountTrailPage>

/**
 * A page of the trail of a member as HR reads it: without hashes, which are also of rows that another company wrote
 * and would prove guesses of them (D29.8).
 */
export const MemberTrailPage = v.object({ items: v.array(AccountTrailRow), cursor: v.nullable(v.string()) })
export type MemberTrailPage = v.InferOutput<typeof MemberTrailPage>

/** A change by HR that the person accepts or declines. */
export const ProposalRow = v.object({
  id: Uuid,
  by: TeamPerson,
  at: InstantText,
  reason: v.string(),
  changes: v.pipe(v.array(v.unknown()), v.metadata({ description: 'Changes as a push has them.' })),
  state: v.picklist(['waiting', 'accepted', 'declined', 'applied', 'withdrawn']),
  answered_at: v.pipe(v.nullable(InstantText), v.metadata({ description: 'When it was answered or withdrawn.' })),
  overridden_at: v.pipe(
    v.nullable(InstantText),
    v.metadata({ description: 'When the person last edited what HR had changed: their edit counts.' }),
  ),
})
export type ProposalRow = v.InferOutput<typeof ProposalRow>

/** Changes by HR to the account of a member (D28.1). The id makes a repeat harmless. */
export const HrChangesInput = v.object({
  id: Uuid,
  reason: givenText(10, 1_000),
  changes: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(50, 'must have at most 50 changes')),
  apply: v.optional(
    v.pipe(v.boolean(), v.metadata({ description: 'True to apply them at once, if the policy allows that.' })),
    false,
  ),
})
export type HrChangesInput = v.InferOutput<typeof HrChangesInput>
export const ProposalAnswer = v.object({ answer: v.picklist(['accept', 'decline']) })

/**
 * The records of a member that HR can propose changes of: the entries and adjustments of a month, and the working hours
 * in force since the membership began. They have times and figures, and no text of the member (D29.3); a change that
 * leaves these out keeps them (D28.2).
 */
export const MemberRecords = v.object({
  entries: v.array(
    v.union([
      v.object({
        id: Uuid,
        kind: v.picklist(timedEntryKinds),
        started_at: InstantText,
        ended_at: v.nullable(InstantText),
      }),
      v.object({
        id: Uuid,
        kind: v.picklist(absenceKinds),
        date: DateText,
        day_share: v.nullable(v.number()),
        amount_ms: v.nullable(count),
      }),
      v.object({ id: Uuid, kind: v.literal('vacation_grant'), date: DateText, days: v.number() }),
    ]),
  ),
  balance_adjustments: v.array(
    v.object({ id: Uuid, kind: v.picklist(adjustmentKinds), effective_date: DateText, delta_ms: SignedMs }),
  ),
  settings: v.pipe(
    v.array(v.looseObject({ effective_from: DateText, time_zone: v.string(), target_ms: v.array(count) })),
    v.metadata({ description: 'Without ids: new working hours are a row of their own. The earliest first.' }),
  ),
  may_apply: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True if the policy lets HR make changes without an answer.' }),
  ),
})
export type MemberRecords = v.InferOutput<typeof MemberRecords>

/** A member on the board: the part of the month and of open points that the viewer sees (D25.7). */
export const BoardRow = v.object({
  ...TeamPerson.entries,
  state,
  balance: v.pipe(
    v.nullable(v.union([v.picklist(['green', 'yellow', 'red']), SignedMs])),
    v.metadata({ description: 'A light, the figure in milliseconds, or null, as the policy says.' }),
  ),
  without_entries: v.pipe(
    v.nullable(v.array(DateText)),
    v.metadata({
      description: 'Past days of the month with planned time and without work or absence; null if it is too long ago.',
    }),
  ),
  vacation_left: v.nullable(v.number()),
  waiting: v.pipe(count, v.metadata({ description: 'Requests that wait for a decision.' })),
})
export type BoardRow = v.InferOutput<typeof BoardRow>
export const BoardPage = v.object({ items: v.array(BoardRow), cursor: v.nullable(v.string()) })
export type BoardPage = v.InferOutput<typeof BoardPage>
