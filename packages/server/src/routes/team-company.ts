import { hash } from 'node:crypto'
import {
  BlockedPeriod,
  CompanyPolicy,
  CompanyTrailRow,
  GroupName,
  type PolicyVersion,
  PolicyVersion as PolicyVersionSchema,
  TEAM_PAGE,
  TeamSummary,
  type UserNumber,
} from '@saldo/core'
import * as v from 'valibot'
import { isExpected } from '../http/preconditions.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { TeamAccessError } from '../team/access.ts'
import { leftCompany, summaryOf } from '../team/own-company.ts'
import { Email } from '../users/credentials.ts'
import { described, numberText } from './collection.ts'
import { PasswordOrPasskey, requireProof } from './guards.ts'
import type { RouteContext } from './route-context.ts'
import { InCompany, requireTeam } from './team-query.ts'

const PATH = '/api/team'
const common = { tag: 'team', access: 'session' } as const
const Policies = v.object({ items: v.array(PolicyVersionSchema) })
const Blocks = v.object({ items: v.pipe(v.array(BlockedPeriod), v.maxLength(TEAM_PAGE)) })
const Trail = v.object({ items: v.array(CompanyTrailRow), cursor: v.nullable(v.string()) })

/** The company itself: founding, policy, blocked periods and trail. */
export function companyRoutes(services: RouteContext): Route[] {
  const { companies, log, nameOf, mailLimits } = services
  return [
    route({
      tag: 'admin',
      access: 'admin',
      endpoint: 'POST /api/admin/companies',
      summary: 'Found a company',
      description:
        'With the password or a passkey of the admin. `hr` is the e-mail address of its first HR, whom nobody has to ' +
        'confirm; all later roles need HR.',
      body: v.object({ name: GroupName, hr: Email, ...PasswordOrPasskey.entries }),
      responses: { 201: { description: 'The number of the company.', schema: v.object({ id: v.number() }) } },
      problems: ['conflict'],
      handle: async ({ identity, headers, body: { name, hr, ...proof } }) => {
        await requireProof(services, identity, proof, headers)
        const founded = await companies.found(identity.user, {
          name,
          hr,
        })
        if (founded.outcome !== 'founded') throw foundRefusals[founded.outcome]()
        log.info({ user: nameOf(identity.user) }, 'user founded a company')
        return json(201, { id: founded.id })
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}`,
      summary: 'Read the company, the own roles in force, and the policy',
      description: 'For whoever has left it, as it was then; nothing else of it.',
      query: InCompany,
      responses: { 200: { description: 'The company.', schema: TeamSummary } },
      problems: ['not_found'],
      handle: async ({ identity, query }) => {
        const left = await leftCompany(companies, services.records, identity.user)
        try {
          const callers = (await companies.isProven(identity.user)) ? 'concerned' : 'all'
          const summary = await summaryOf(companies, await requireTeam(services, identity, callers, query))
          // An admin who has left is still one.
          const hasLeft = !summary.is_member && left?.company.id === summary.company.id
          return json(200, hasLeft ? { ...summary, left_on: left.left_on } : summary)
        } catch (error) {
          if (left && error instanceof TeamAccessError && error.reason === 'no_company') return json(200, left)
          throw error
        }
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/policy`,
      summary: 'List the versions of the policy',
      query: InCompany,
      responses: {
        200: { description: 'All versions, by date; the last of a date counts.', schema: Policies, headers: ['ETag'] },
      },
      problems: ['not_found'],
      handle: async ({ identity, query }) => {
        const { companyId } = await requireTeam(services, identity, 'all', query)
        const items = await companies.store.policies(companyId)
        return json(200, { items }, { etag: etagOf(items.at(-1)) })
      },
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/policy`,
      summary: 'Change the policy',
      description: 'For HR. Applies from the next day on, in UTC, and is announced to all members.',
      body: CompanyPolicy,
      responses: {
        200: {
          description: 'The new version; the last one if it is the same.',
          schema: PolicyVersionSchema,
          headers: ['ETag'],
        },
      },
      problems: ['not_found', 'precondition_failed'],
      handle: async ({ identity, headers, body }) => {
        const viewer = await requireTeam(services, identity, ['hr'])
        const version = await companies.changePolicy(viewer, body, {
          isCurrent: (last) => isExpected(headers, etagOf(last)),
          countMail: () => mailLimits.takePolicy(identity.user),
        })
        if (!version) {
          throw new ProblemError(
            'precondition_failed',
            'The policy has changed. Read it again, then repeat the change.',
          )
        }
        return json(200, version, { etag: etagOf(version) })
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/blocks`,
      summary: 'List blocked periods',
      responses: { 200: { description: 'The periods, by date.', schema: Blocks } },
      problems: ['not_found'],
      handle: async ({ identity }) => {
        const { companyId } = await requireTeam(services, identity, 'all')
        const blocks = await companies.store.blocks(companyId)
        return json(200, { items: blocks.map(({ number: _number, ...block }) => block) })
      },
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/blocks`,
      summary: 'Replace all blocked periods',
      description: 'For HR. They warn whoever asks and decides, and refuse nothing.',
      body: Blocks,
      responses: { 200: { description: 'The periods.', schema: Blocks } },
      problems: ['not_found'],
      handle: async ({ identity, body: { items } }) => {
        const viewer = await requireTeam(services, identity, ['hr'])
        const stored = await companies.putBlocks(viewer, items)
        if (stored) return json(200, { items: stored })
        const errors = [{ pointer: '/items', detail: 'must name groups of the company' }]
        throw new ProblemError('invalid_request', 'The body is not valid.', { errors })
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/trail`,
      summary: 'Read the trail of the company',
      description: 'For HR and the works council: who gave, changed and confirmed roles, groups and policy.',
      query: v.object({ cursor: described(numberText(1, Number.MAX_SAFE_INTEGER), 'The cursor of the page before.') }),
      responses: { 200: { description: 'A page of 100 rows, the newest first.', schema: Trail } },
      problems: ['not_found'],
      handle: async ({ identity, query: { cursor = Number.MAX_SAFE_INTEGER } }) => {
        const { companyId } = await requireTeam(services, identity, ['hr', 'auditor'])
        const rows = await companies.store.trail(companyId, cursor)
        const people = await companies.store.names(
          rows.flatMap(({ actor, data }) => [actor ?? [], data.user ?? []].flat()),
          companyId,
        )
        const personOf = (user: UserNumber | null | undefined) =>
          user == null ? null : { user_id: user, name: people.get(user)?.name ?? '' }
        const items = rows.map(({ number, at, actor, kind, data }) => ({
          ...{ number, at, actor: personOf(actor), kind, user: personOf(data.user) },
          role: data.role ?? null,
          group: data.group ?? null,
          from: data.from ?? null,
          until: data.until ?? null,
        }))
        const last = rows.length === TEAM_PAGE ? rows.at(-1)?.number : undefined
        return json(200, { items, cursor: last === undefined ? null : String(last) })
      },
    }),
  ]
}

/** Returns the entity tag of a policy: its number and content, so that it differs in a restored database. */
function etagOf(version: PolicyVersion | undefined): string {
  const digest = hash('sha256', JSON.stringify(version ?? null), 'base64url').slice(0, 16)
  return `"${version?.number ?? 0}-${digest}"`
}

const foundRefusals = {
  no_user: () =>
    new ProblemError('invalid_request', 'The body is not valid.', {
      errors: [{ pointer: '/hr', detail: 'must be the address of an active account' }],
    }),
  unconfirmed: () =>
    new ProblemError('invalid_request', 'The body is not valid.', {
      errors: [{ pointer: '/hr', detail: 'must be an address that its person has confirmed' }],
    }),
  link_shown: () =>
    new ProblemError(
      'conflict',
      'This person has a link that sets the password. They have to use it before they are HR.',
    ),
  name_taken: () => new ProblemError('conflict', 'There is a company of this name already.'),
  other_company: () => new ProblemError('conflict', 'This person belongs to another company.'),
}
