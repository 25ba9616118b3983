/** The company of a user: who is away, requests, decisions, months, people. @module */
import type {
  AccountTrailPage,
  AwayPage,
  BlockedPeriod,
  BoardPage,
  CompanyLeave,
  CompanyPolicy,
  CompanyTrailRow,
  ExitSettlement,
  GroupInput,
  GroupRow,
  HrChangesInput,
  InboxRow,
  ItemResult,
  LeaveResult,
  LeaveRow,
  LocalDate,
  MemberRecords,
  MemberRow,
  MemberTrailPage,
  Month,
  MonthResult,
  MonthSheet,
  MonthsInput,
  NewDecision,
  OwnMembership,
  OwnMonths,
  OwnRequest,
  OwnVisibility,
  PayrollCheck,
  PayrollFileRow,
  PayrollMapping,
  PayrollRun,
  PersonInput,
  PersonnelInput,
  PersonnelRow,
  PolicyVersion,
  ProposalRow,
  RemarkRow,
  RequestContent,
  RequestContext,
  RequestToDecide,
  RoleInput,
  RoleRow,
  SubstitutionInput,
  SubstitutionRow,
  TeamSummary,
  UserNumber,
} from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'
import type { Proof } from './user-accounts.ts'

const PATH = '/api/team'
const OWN_MONTHS = '/api/me/months'

/** The company of a user. */
export type Team = ReturnType<typeof teamOf>

/** The people that a list shows; `''` and null for all. */
export interface PeopleQuery {
  search: string
  group: number | null
  state: MemberRow['state'] | null
  cursor: string | null
}

/** The people whose month is locked, returned or reopened, at most 100, and the reason. */
export type MonthsOfPeople = Pick<MonthsInput, 'users'> & Partial<MonthsInput>

/** A payroll file that was made, or the text of a draft; neither if there are obstacles (D31.3). */
export interface PayrollOutcome extends PayrollCheck {
  file: PayrollFileRow | null
  name: string | null
  draft: string | null
}

/**
 * Returns the company of a user of the page's own service. All methods throw `OfflineError` and `RejectedError`:
 * `not_found` without a company, `forbidden` without the role that a method needs.
 */
export function teamOf(user: UserNumber, transport: Transport = fetchTransport({ url: ownAddress(), user })) {
  const items = async <T>(path: string) => (await request<{ items: T[] }>(transport, 'GET', path)).items
  const putAll = async <T>(path: string, all: readonly T[], more: object = {}) =>
    (await request<{ items: ItemResult[] }>(transport, 'PUT', path, { items: all, ...more })).items
  const actOnMonth = async (month: Month, action: 'lock' | 'return' | 'reopen', input: MonthsOfPeople) =>
    (await request<{ items: MonthResult[] }>(transport, 'POST', `${PATH}/months/${month}/${action}`, input)).items
  const leaveResults = async (part: string, leave: CompanyLeave) =>
    (await request<{ items: LeaveResult[] }>(transport, 'POST', `${PATH}/leave${part}`, leave)).items
  const requestPath = (owner: number, id: string) => `${PATH}/requests/${owner}/${encodeURIComponent(id)}`
  return {
    summary: () => request<TeamSummary>(transport, 'GET', PATH),
    /** Founds a company; its first HR needs nobody's confirmation. */
    found: (company: { name: string; hr: string }, proof: Proof) =>
      request<{ id: number }>(transport, 'POST', '/api/admin/companies', { ...company, ...proof }),

    /** Returns the memberships of the user, those that wait for acceptance too. */
    memberships: () => items<OwnMembership>('/api/me/memberships'),
    /** Accepts a membership: from now on it takes effect (D24.3). */
    accept: (id: number) => request<OwnMembership>(transport, 'POST', `/api/me/memberships/${id}/acceptance`),
    /** Declines a membership. Throws `RejectedError`, `conflict`, once it was accepted: then HR ends it. */
    decline: (id: number) => request(transport, 'DELETE', `/api/me/memberships/${id}`),
    visibility: () => request<OwnVisibility>(transport, 'GET', '/api/me/visibility'),

    /** Returns a page of who is away in a range of dates. */
    away: (query: { from: LocalDate; to: LocalDate; group: number | null; cursor: string | null }) =>
      request<AwayPage>(transport, 'GET', withQuery(`${PATH}/away`, query)),
    ownRequests: () => items<OwnRequest>(`${PATH}/requests/mine`),
    /** Returns what the user sees before they ask (D26.11). */
    contextOf: (content: RequestContent) =>
      request<RequestContext>(transport, 'POST', `${PATH}/requests/preview`, content),
    /** Returns the requests that name the user as the substitute: dates only (D26.13). */
    substitutions: () => items<SubstitutionRow>(`${PATH}/substitutions`),
    /**
     * Answers whether the user can stand in on the dates of a request (D26.13). Throws `RejectedError`:
     * `precondition_failed` if it has other dates by now.
     */
    answerAsSubstitute: (owner: number, id: string, answer: SubstitutionInput) =>
      request(transport, 'POST', `${requestPath(owner, id)}/substitution`, answer),

    /** Returns the requests that wait for the user, the longest waiting first. */
    inbox: (cursor: string | null) =>
      request<{ items: InboxRow[]; cursor: string | null }>(transport, 'GET', withQuery(`${PATH}/inbox`, { cursor })),
    requestOf: (owner: number, id: string) => request<RequestToDecide>(transport, 'GET', requestPath(owner, id)),
    /**
     * Decides a request. Throws `RejectedError`: `precondition_failed` if the digest is not that of its present
     * content, `conflict` if it was decided meanwhile, or if a record that it changes has changed since (D27.11).
     */
    decide: (owner: number, id: string, decision: NewDecision) =>
      request(transport, 'POST', `${requestPath(owner, id)}/decision`, decision),

    /** Returns the months of the user from joining on, the latest first. Only members have months. */
    ownMonths: () => request<OwnMonths>(transport, 'GET', OWN_MONTHS),
    /** Returns the own sheet of a month: the stored one of a locked month, or as it is now (D27.16). */
    ownSheet: (month: Month) => request<MonthSheet>(transport, 'GET', `${OWN_MONTHS}/${month}`),
    /** Submits an own month. Throws `RejectedError`, `conflict`, if it is locked or has not begun. */
    submitMonth: (month: Month) => request(transport, 'POST', `${OWN_MONTHS}/${month}/submission`),
    /** Withdraws an own month that was submitted. Throws `RejectedError`, `conflict`, if it is locked. */
    withdrawMonth: (month: Month) => request(transport, 'DELETE', `${OWN_MONTHS}/${month}/submission`),
    /** Adds a remark to an own month, locked or not. Throws `RejectedError`, `conflict`, if there are too many. */
    addRemark: (remark: { month: Month; text: string }) =>
      request<RemarkRow>(transport, 'POST', '/api/me/remarks', remark),
    removeRemark: (id: string) => request(transport, 'DELETE', `/api/me/remarks/${encodeURIComponent(id)}`),
    /** Returns a page of the trail of the own account, the earliest rows first, with its last hash (D29.4, D29.6). */
    ownTrail: (after: string | null) =>
      request<AccountTrailPage>(transport, 'GET', withQuery('/api/me/trail', { after })),
    /** Returns the changes that HR proposed or made to the account of the user, the latest first (D28.1). */
    ownProposals: () => items<ProposalRow>('/api/me/proposals'),
    /** Accepts or declines a proposal. Throws `RejectedError`, `conflict`, if it was answered or cannot be made. */
    answerProposal: (id: string, answer: 'accept' | 'decline') =>
      request(transport, 'POST', `/api/me/proposals/${encodeURIComponent(id)}/answer`, { answer }),
    /** Returns a page of the people whom the user leads, with the state of a month and open points, by name (D25.7). */
    board: (query: { month: Month; cursor: string | null }) =>
      request<BoardPage>(transport, 'GET', withQuery(`${PATH}/board`, query)),
    /** Returns the sheet of a month of a member, as far as the user sees it by the policy. The look is in the trail. */
    sheetOf: (owner: number, month: Month) =>
      request<MonthSheet>(transport, 'GET', `${PATH}/members/${owner}/months/${month}`),
    /** Locks a month of members. Returns an outcome for each in their order; one that fails stops no other (D27.13). */
    lockMonths: (month: Month, people: MonthsOfPeople) => actOnMonth(month, 'lock', people),
    /** Returns a submitted month to its people. Throws `RejectedError`, `invalid_record`, without a reason. */
    returnMonths: (month: Month, people: MonthsOfPeople) => actOnMonth(month, 'return', people),
    /** Reopens a locked month. Throws `RejectedError`, `invalid_record`, if the reason has less than 10 characters. */
    reopenMonths: (month: Month, people: MonthsOfPeople) => actOnMonth(month, 'reopen', people),

    /** Returns the records of a month of a member that HR can propose changes of. The look is in the trail. */
    recordsOf: (owner: number, month: Month) =>
      request<MemberRecords>(transport, 'GET', `${PATH}/members/${owner}/months/${month}/records`),
    /**
     * Proposes changes to a member, or makes them where the policy lets HR (D28.1). Throws `RejectedError`, `conflict`,
     * if they cannot be made.
     */
    proposeTo: (owner: number, changes: HrChangesInput) =>
      request<ProposalRow>(transport, 'POST', `${PATH}/members/${owner}/changes`, changes),
    /** Returns the changes that HR proposed to a member or made, the latest first. */
    proposalsTo: (owner: number) => items<ProposalRow>(`${PATH}/members/${owner}/changes`),
    /** Withdraws a proposal. Throws `RejectedError`, `conflict`, once its person has answered. */
    withdrawProposal: (owner: number, id: string) =>
      request(transport, 'DELETE', `${PATH}/members/${owner}/changes/${encodeURIComponent(id)}`),
    /** Returns a page of the trail of a member, the earliest rows first. The look is in the trail. */
    trailOf: (owner: number, after: string | null) =>
      request<MemberTrailPage>(transport, 'GET', withQuery(`${PATH}/members/${owner}/trail`, { after })),
    /** Returns what is open when a member leaves (D31.5). Throws `RejectedError`, `conflict`, without an exit date. */
    settlementOf: (owner: number) => request<ExitSettlement>(transport, 'GET', `${PATH}/members/${owner}/settlement`),
    /** Returns the company leave that was written and not removed, the latest dates first. */
    leave: () => items<LeaveRow>(`${PATH}/leave`),
    /** Says what company leave would write, and writes nothing (D28.7). */
    previewLeave: (leave: CompanyLeave) => leaveResults('/preview', leave),
    /** Writes company leave. Returns an outcome for each of its people. */
    writeLeave: (leave: CompanyLeave) => leaveResults('', leave),
    /** Removes the days of company leave that nobody has changed since. */
    removeLeave: (leave: CompanyLeave) => leaveResults('/removal', leave),

    people: (query: PeopleQuery) =>
      request<{ items: MemberRow[]; cursor: string | null }>(transport, 'POST', `${PATH}/people-search`, given(query)),
    /** Says what would become of people who are added or changed, and changes nothing. */
    previewPeople: (people: readonly PersonInput[]) => putAll(`${PATH}/people`, people, { dry_run: true }),
    /** Adds or changes people. Whoever invites needs a proof. */
    putPeople: (people: readonly PersonInput[], proof: Proof = {}) => putAll(`${PATH}/people`, people, proof),
    /** Sends the invitations of users once more. */
    inviteAgain: (users: readonly number[]) => putAll(`${PATH}/people/invitations`, users),
    groups: () => items<GroupRow>(`${PATH}/groups`),
    putGroups: (groups: readonly GroupInput[]) => putAll(`${PATH}/groups`, groups),
    removeGroup: (id: number) => request(transport, 'DELETE', `${PATH}/groups/${id}`),
    roles: () => items<RoleRow>(`${PATH}/roles`),
    putRoles: (roles: readonly RoleInput[], proof: Proof) => putAll(`${PATH}/roles`, roles, proof),
    confirmRole: (id: number, proof: Proof) => request(transport, 'POST', `${PATH}/roles/${id}/confirmation`, proof),
    /** Returns the versions of the policy, in the order of their dates. */
    policies: () => items<PolicyVersion>(`${PATH}/policy`),
    /** Changes the policy from the next day on (D25.9). */
    putPolicy: (policy: CompanyPolicy) => request<PolicyVersion>(transport, 'PUT', `${PATH}/policy`, policy),
    /** Returns a page of the company's trail, the newest rows first. */
    trail: (cursor: string | null) =>
      request<{ items: CompanyTrailRow[]; cursor: string | null }>(
        transport,
        'GET',
        withQuery(`${PATH}/trail`, { cursor }),
      ),
    blocks: () => items<BlockedPeriod>(`${PATH}/blocks`),
    /** Replaces the blocked periods. */
    putBlocks: (blocks: readonly BlockedPeriod[]) => request(transport, 'PUT', `${PATH}/blocks`, { items: blocks }),

    /** Returns the personnel data of all people by name, for HR and payroll (D31.1). */
    personnel: () => items<PersonnelRow>(`${PATH}/personnel`),
    /** Returns the own personnel data as HR keeps them (D31.1). */
    ownPersonnel: () => request<PersonnelRow>(transport, 'GET', '/api/me/personnel'),
    /** Replaces the personnel data of people, for HR. Returns an outcome for each. */
    putPersonnel: (people: readonly PersonnelInput[]) => putAll(`${PATH}/personnel`, people),
    payrollMapping: () => request<PayrollMapping>(transport, 'GET', `${PATH}/mapping`),
    /** Changes the form and the wage types of all later payroll files. */
    putPayrollMapping: (mapping: PayrollMapping) => request(transport, 'PUT', `${PATH}/mapping`, mapping),
    /** Returns the payroll files that were made, the latest first. */
    payrollFiles: () => items<PayrollFileRow>(`${PATH}/exports`),
    /**
     * Makes the payroll file of a month, which counts as sent, or a draft, which is not kept. With obstacles, it makes
     * nothing and names them (D31.2, D31.3).
     */
    makePayrollFile: (run: PayrollRun) => request<PayrollOutcome>(transport, 'POST', `${PATH}/exports`, run),
  }
}

/** Returns the path from which the browser downloads a payroll file of `payrollFiles`. */
export function payrollFilePath(number: number): string {
  return `${PATH}/exports/${number}`
}

function withQuery(path: string, query: object): string {
  const values = Object.entries(given(query)).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(values).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Returns the fields of a query that ask for something. */
function given(query: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null && value !== ''))
}
