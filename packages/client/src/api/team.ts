/** The company of a user: who is away, requests, decisions, people. @module */
import type {
  AwayPage,
  BlockedPeriod,
  CompanyPolicy,
  GroupInput,
  GroupRow,
  InboxRow,
  ItemResult,
  LocalDate,
  MemberRow,
  NewDecision,
  OwnMembership,
  OwnRequest,
  OwnVisibility,
  PersonInput,
  PolicyVersion,
  RequestContent,
  RequestContext,
  RequestToDecide,
  RoleInput,
  RoleRow,
  TeamSummary,
  UserNumber,
} from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'
import type { Proof } from './user-accounts.ts'

const PATH = '/api/team'

/** The company of a user. */
export type Team = ReturnType<typeof teamOf>

/** The people that a list shows; `''` and null for all. */
export interface PeopleQuery {
  search: string
  group: number | null
  state: MemberRow['state'] | null
  cursor: string | null
}

/**
 * Returns the company of a user of the page's own service. All methods throw `OfflineError` and `RejectedError`:
 * `not_found` without a company, `forbidden` without the role that a method needs.
 */
export function teamOf(user: UserNumber, transport: Transport = fetchTransport({ url: ownAddress(), user })) {
  const items = async <T>(path: string) => (await request<{ items: T[] }>(transport, 'GET', path)).items
  const putAll = async <T>(path: string, all: readonly T[], more: object = {}) =>
    (await request<{ items: ItemResult[] }>(transport, 'PUT', path, { items: all, ...more })).items
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
    /** Answers whether the user can stand in on the dates of a request (D26.13). */
    answerAsSubstitute: (owner: number, id: string, answer: 'can' | 'cannot') =>
      request(transport, 'POST', `${requestPath(owner, id)}/substitution`, { answer }),

    /** Returns the requests that wait for the user, the longest waiting first. */
    inbox: (cursor: string | null) =>
      request<{ items: InboxRow[]; cursor: string | null }>(transport, 'GET', withQuery(`${PATH}/inbox`, { cursor })),
    requestOf: (owner: number, id: string) => request<RequestToDecide>(transport, 'GET', requestPath(owner, id)),
    /**
     * Decides a request. Throws `RejectedError`: `precondition_failed` if the digest is not that of its present
     * content, `conflict` if it was decided meanwhile.
     */
    decide: (owner: number, id: string, decision: NewDecision) =>
      request(transport, 'POST', `${requestPath(owner, id)}/decision`, decision),

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
    blocks: () => items<BlockedPeriod>(`${PATH}/blocks`),
    /** Replaces the blocked periods. */
    putBlocks: (blocks: readonly BlockedPeriod[]) => request(transport, 'PUT', `${PATH}/blocks`, { items: blocks }),
  }
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
