import * as v from 'valibot'
import { absenceKinds, chosenAbsenceKinds } from '../choices.ts'
import { Entry } from '../entry.ts'
import { Profile } from '../profile.ts'
import { StartingSettings } from '../settings.ts'
import { DateText, givenText, InstantText, UserNumberValue, Uuid, wholeNumber } from '../validation.ts'
import { GroupId, GroupName } from './groups.ts'
import { PolicyVersion } from './policy.ts'
import { decisionOutcomes, MAX_DECIDERS_NAMED } from './requests.ts'
import { teamRoles } from './roles.ts'

const count = v.pipe(v.number(), v.integer())

/** The most items of one page or of one request of the team (D30.2). */
export const TEAM_PAGE = 100

/** A person as the team pages name them. */
export const TeamPerson = v.object({ user_id: UserNumberValue, name: v.string() })
export type TeamPerson = v.InferOutput<typeof TeamPerson>

/** The settings with which new members of a group start; those of the nearest group count. */
export const MemberDefaults = v.pipe(
  StartingSettings,
  v.metadata({ description: 'Fields of a settings row; what is left out is asked in the first steps.' }),
)
export type MemberDefaults = v.InferOutput<typeof MemberDefaults>

/** A group, or the company, which has no parent. */
export const GroupRow = v.object({
  id: GroupId,
  parent_id: v.nullable(GroupId),
  name: GroupName,
  sees_members: v.pipe(v.boolean(), v.metadata({ description: 'True if members see when the others are away.' })),
  least_present: v.nullable(wholeNumber(0, 10_000)),
  defaults: v.nullable(MemberDefaults),
  members: v.pipe(count, v.metadata({ description: 'Accepted memberships today.' })),
})
export type GroupRow = v.InferOutput<typeof GroupRow>

/** A group to add or to change. Without an id, it is the group of that name below that parent, or a new one. */
export const GroupInput = v.object({
  id: v.optional(GroupId),
  parent_id: v.optional(v.nullable(GroupId)),
  name: GroupName,
  sees_members: v.optional(v.boolean(), true),
  least_present: v.optional(v.nullable(wholeNumber(0, 10_000)), null),
  defaults: v.optional(v.nullable(MemberDefaults), null),
})
export type GroupInput = v.InferOutput<typeof GroupInput>

/** A role of somebody. `state` says whether it gives its rights now, and if not, for what it waits. */
export const RoleRow = v.object({
  id: count,
  /** With the address: whoever confirms the role knows a name that its holder chose. */
  user: v.object({ ...TeamPerson.entries, email: v.string() }),
  role: v.picklist(teamRoles),
  group_id: GroupId,
  from: DateText,
  until: v.nullable(DateText),
  stands_in_for: v.nullable(TeamPerson),
  given_by: v.nullable(TeamPerson),
  state: v.picklist(['in_force', 'waits_for_hr', 'needs_second_factor', 'later', 'ended', 'lead_present']),
})
export type RoleRow = v.InferOutput<typeof RoleRow>

/** A role to give or to change; it is the one of that user, role, group and first date, or a new one. */
export const RoleInput = v.object({
  user_id: UserNumberValue,
  role: v.picklist(teamRoles),
  group_id: GroupId,
  from: DateText,
  until: v.optional(v.nullable(DateText), null),
  stands_in_for: v.optional(v.nullable(UserNumberValue), null),
})
export type RoleInput = v.InferOutput<typeof RoleInput>

/** A person to add to a group, or a membership to change. An address without an account gets an invitation. */
export const PersonInput = v.object({
  email: v.string(),
  name: v.optional(Profile.entries.name, ''),
  group_id: GroupId,
  from: DateText,
  until: v.optional(v.nullable(DateText), null),
})
export type PersonInput = v.InferOutput<typeof PersonInput>

/** The outcome of one item of a request for many. */
export const itemOutcomes = ['added', 'invited', 'changed', 'unchanged', 'rejected'] as const

/** The reasons why one item of a request for many is rejected (D24.12). */
export const itemRefusals = [
  'invalid',
  'group_missing',
  'parent_missing',
  'group_exists',
  'is_company',
  'cycle',
  'other_company',
  'too_deep',
  'too_many_groups',
  'too_many_roles',
  'address_invalid',
  'address_repeated',
  'address_added',
  'not_to_add',
  'person_missing',
  'own_membership',
  'dates_reversed',
  'membership_ended',
  'membership_overlaps',
  'already_member',
  'role_of_company',
  'deputy_only',
  'own_deputy',
  'lead_missing',
  'own_role',
  'hr_ended_late',
  'exit_before_entry',
  'mails_off',
  'not_invited',
  'invited_lately',
  'mail_failed',
  'account_gone',
  'only_hr',
  'mailed_often',
  'hr_only',
  'address_unconfirmed',
] as const
/** One of `itemRefusals`. */
export type ItemRefusal = (typeof itemRefusals)[number]

/** The outcome of one item, in the order of the items; `refusal` and `detail` say why it was rejected. */
export const ItemResult = v.object({
  outcome: v.picklist(itemOutcomes),
  id: v.nullable(count),
  detail: v.optional(v.string()),
  refusal: v.optional(v.picklist(itemRefusals)),
  link: v.optional(
    v.pipe(v.string(), v.metadata({ description: 'The path of an invitation that was not mailed, to pass on.' })),
  ),
})
export type ItemResult = v.InferOutput<typeof ItemResult>

/** A member of the company as HR and admins see them. No response has times of anybody. */
export const MemberRow = v.object({
  ...TeamPerson.entries,
  email: v.string(),
  state: v.picklist(['invited', 'waits_for_acceptance', 'member', 'left']),
  memberships: v.array(
    v.object({
      id: count,
      group_id: GroupId,
      from: DateText,
      until: v.nullable(DateText),
      accepted_on: v.nullable(DateText),
    }),
  ),
  roles: v.array(v.picklist(teamRoles)),
  last_active_at: v.nullable(InstantText),
})
export type MemberRow = v.InferOutput<typeof MemberRow>

/** A period in which absences are unwelcome. It warns, and refuses nothing (D26.11). */
export const BlockedPeriod = v.pipe(
  v.object({ group_id: GroupId, from: DateText, to: DateText, reason: givenText(1, 200) }),
  v.forward(
    v.check(({ from, to }) => from <= to, 'must not be before from'),
    ['to'],
  ),
)
export type BlockedPeriod = v.InferOutput<typeof BlockedPeriod>

/** The company of the viewer, their roles in force, and whether they manage its people. */
export const TeamSummary = v.object({
  company: v.object({ id: GroupId, name: GroupName }),
  roles: v.array(v.object({ role: v.picklist(teamRoles), group_id: GroupId })),
  /** Own roles that rest until the viewer has a second factor (D24.9). */
  roles_without_key: v.array(v.picklist(teamRoles)),
  is_member: v.boolean(),
  left_on: v.pipe(
    v.nullable(DateText),
    v.metadata({ description: 'The last date of a membership that has ended: own months and trail stay readable.' }),
  ),
  is_admin: v.boolean(),
  policy: PolicyVersion,
  next_policy: v.nullable(PolicyVersion),
})
export type TeamSummary = v.InferOutput<typeof TeamSummary>

/** A membership of the signed-in user, with what accepting it means. */
export const OwnMembership = v.object({
  id: count,
  company: v.string(),
  group: v.string(),
  from: DateText,
  until: v.nullable(DateText),
  accepted_on: v.nullable(DateText),
  sees_members: v.boolean(),
  policy: PolicyVersion,
  defaults: MemberDefaults,
})
export type OwnMembership = v.InferOutput<typeof OwnMembership>

/** The events of a company's trail (D24.5). */
export const companyEvents = [
  'company_founded',
  'hr_replaced',
  'role_given',
  'role_changed',
  'role_ended',
  'role_confirmed',
  'role_rests',
  'policy_changed',
  'group_added',
  'group_changed',
  'group_removed',
  'member_added',
  'member_joined',
  'member_changed',
  'member_declined',
  'personnel_changed',
  'payroll_mapping_changed',
  'payroll_exported',
  'leave_written',
  'leave_removed',
] as const
export type CompanyEvent = (typeof companyEvents)[number]

/** A row of a company's trail. Names of groups are those of that time; `actor` is null for the operator. */
export const CompanyTrailRow = v.object({
  number: count,
  at: InstantText,
  actor: v.nullable(TeamPerson),
  kind: v.picklist(companyEvents),
  user: v.nullable(TeamPerson),
  role: v.nullable(v.picklist(teamRoles)),
  group: v.nullable(v.string()),
  from: v.nullable(DateText),
  until: v.nullable(DateText),
})
export type CompanyTrailRow = v.InferOutput<typeof CompanyTrailRow>

/** Somebody with a role over the user: who they are, and what they see (D25.10). */
export const Onlooker = v.object({
  ...TeamPerson.entries,
  role: v.picklist(teamRoles),
  group: v.string(),
  from: DateText,
  until: v.nullable(DateText),
  in_force: v.boolean(),
})

/** The page "Who sees what of me" (D25.10). */
export const OwnVisibility = v.object({
  policy: v.nullable(PolicyVersion),
  people: v.array(Onlooker),
  groups: v.pipe(
    v.array(v.object({ name: v.string(), members: count })),
    v.metadata({ description: 'The groups whose members see when the user is away.' }),
  ),
})
export type OwnVisibility = v.InferOutput<typeof OwnVisibility>

/**
 * Dates on which somebody is away, alike in what the viewer sees of them (D25.2). `asked` is a request that is marked
 * as planned; a kind is there for those who see kinds.
 */
export const AwayDates = v.object({
  from: DateText,
  to: DateText,
  sight: v.picklist(['away', 'part', 'asked']),
  kind: v.optional(v.picklist(absenceKinds)),
})
export type AwayDates = v.InferOutput<typeof AwayDates>

/** A page of who is away, by name. */
export const AwayPage = v.object({
  groups: v.array(v.object({ id: GroupId, name: v.string() })),
  items: v.array(v.object({ ...TeamPerson.entries, group_id: GroupId, dates: v.array(AwayDates) })),
  cursor: v.nullable(v.string()),
})
export type AwayPage = v.InferOutput<typeof AwayPage>

/** The state of a request; `withdrawn` if it was deleted before its decision. */
export const requestStates = ['waiting', 'waiting_for_hr', 'approved', 'declined', 'withdrawn'] as const

/** A decision as those see it whom it concerns. */
export const DecisionRow = v.object({
  stage: v.picklist([1, 2]),
  outcome: v.picklist(decisionOutcomes),
  reason: v.nullable(v.string()),
  by: TeamPerson,
  own: v.pipe(v.boolean(), v.metadata({ description: 'True if the only HR decided their own request.' })),
  at: InstantText,
})
export type DecisionRow = v.InferOutput<typeof DecisionRow>

/** The substitute of a request, with the answer for its present dates (D26.13). */
const Substitute = v.nullable(v.object({ ...TeamPerson.entries, answer: v.nullable(v.picklist(['can', 'cannot'])) }))

/** A request of the signed-in user, with what came of it. */
export const OwnRequest = v.object({
  id: Uuid,
  state: v.picklist(requestStates),
  digest: v.string(),
  decisions: v.array(DecisionRow),
  deciders: v.pipe(
    v.array(TeamPerson),
    v.maxLength(MAX_DECIDERS_NAMED),
    v.metadata({
      description: 'Who can decide it: leads with their deputies, whoever of them is away, or HR; at most 20 of them.',
    }),
  ),
  substitute: Substitute,
})
export type OwnRequest = v.InferOutput<typeof OwnRequest>

/** A request in the inbox of somebody who may decide it. */
export const InboxRow = v.object({
  user: TeamPerson,
  request_id: Uuid,
  asks: v.picklist(['absence', 'cancel', 'change']),
  absence: v.nullable(v.picklist(chosenAbsenceKinds)),
  from: DateText,
  to: DateText,
  asked_at: InstantText,
  stage: v.picklist([1, 2]),
})
export type InboxRow = v.InferOutput<typeof InboxRow>

/** The facts that asker and decider see before they ask or decide (D26.11). They refuse nothing. */
export const RequestContext = v.object({
  days: v.pipe(v.number(), v.metadata({ description: 'Working days of the absence.' })),
  vacation: v.pipe(
    v.nullable(v.object({ left: v.number(), asked: v.number(), left_if_approved: v.number() })),
    v.metadata({ description: 'The vacation account of the year, if the request is about vacation (D26.10).' }),
  ),
  away: v.pipe(v.array(v.object({ ...TeamPerson.entries, dates: v.array(AwayDates) })), v.maxLength(TEAM_PAGE)),
  short_staffed: v.pipe(
    v.array(v.object({ date: DateText, present: count, least: count })),
    v.metadata({ description: 'Dates on which fewer members would be there than shall be.' }),
  ),
  blocked: v.array(BlockedPeriod),
})
export type RequestContext = v.InferOutput<typeof RequestContext>

/** A request with all that its decision needs. */
export const RequestToDecide = v.object({
  ...InboxRow.entries,
  digest: v.string(),
  request: Entry,
  present: v.pipe(
    v.array(v.nullable(v.record(v.string(), v.unknown()))),
    v.metadata({ description: 'For a request of changes: the present content of each record, null for none.' }),
  ),
  other_notes: v.pipe(
    v.array(v.boolean()),
    v.metadata({
      description: 'For each change, true if note, tags or project would be others, which nobody else reads.',
    }),
  ),
  decisions: v.array(DecisionRow),
  substitute: Substitute,
  context: RequestContext,
})
export type RequestToDecide = v.InferOutput<typeof RequestToDecide>

/** A decision to make. `digest` is that of the content which was read (D26.4). */
export const DecisionInput = v.pipe(
  v.object({
    digest: v.string(),
    outcome: v.picklist(decisionOutcomes),
    reason: v.optional(v.nullable(givenText(0, 1_000)), null),
    overwrite: v.optional(
      v.pipe(
        v.boolean(),
        v.metadata({
          description: 'True to make changes whose records have changed since, or of other dates.',
        }),
      ),
      false,
    ),
  }),
  v.forward(
    v.check(({ outcome, reason }) => outcome === 'approved' || (reason ?? '').trim() !== '', 'must say why'),
    ['reason'],
  ),
)
export type DecisionInput = v.InferOutput<typeof DecisionInput>
/** The same as its sender writes it. */
export type NewDecision = v.InferInput<typeof DecisionInput>

/** The outcome of a decision: the state of the request, and all its decisions. */
export const DecisionResult = v.object({ state: v.picklist(requestStates), decisions: v.array(DecisionRow) })
export type DecisionResult = v.InferOutput<typeof DecisionResult>

/** A request that names the viewer as substitute: dates only (D26.13). */
export const SubstitutionRow = v.object({
  user: TeamPerson,
  request_id: Uuid,
  from: DateText,
  to: DateText,
  answer: v.nullable(v.picklist(['can', 'cannot'])),
})
export type SubstitutionRow = v.InferOutput<typeof SubstitutionRow>

/** The answer of a substitute for the dates that they read. It decides nothing. */
export const SubstitutionInput = v.object({ from: DateText, to: DateText, answer: v.picklist(['can', 'cannot']) })
export type SubstitutionInput = v.InferOutput<typeof SubstitutionInput>
