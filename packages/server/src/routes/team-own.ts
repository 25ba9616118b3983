import { OwnMembership, OwnVisibility } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { acceptMembership, declineMembership, ownMemberships, ownVisibility } from '../team/own-company.ts'
import type { RouteContext } from './route-context.ts'
import { TeamId } from './team-query.ts'

const PATH = '/api/me/memberships'
const common = { tag: 'team', access: 'session' } as const

/** The memberships of the signed-in user, and who sees what of them. */
export function ownCompanyRoutes({ companies }: RouteContext): Route[] {
  return [
    route({
      ...common,
      endpoint: `GET ${PATH}`,
      summary: 'List the own memberships in companies',
      description:
        'Those that wait for acceptance too, with what accepting means. Where the service sends mails, these show ' +
        'once the address is confirmed.',
      responses: {
        200: { description: 'Memberships that have not ended.', schema: v.object({ items: v.array(OwnMembership) }) },
      },
      handle: async ({ identity }) => json(200, { items: await ownMemberships(companies, identity.user) }),
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/{id}/acceptance`,
      summary: 'Accept a membership',
      description: 'From the present date on, others see what the policy says. A second company is a `conflict`.',
      params: TeamId,
      responses: { 200: { description: 'The membership.', schema: OwnMembership } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity: { user }, params: { id } }) => {
        const outcome = await acceptMembership(companies, user, id)
        if (outcome === 'other_company') {
          throw new ProblemError('conflict', 'You are a member of another company. That membership has to end first.')
        }
        if (outcome === 'only_hr') {
          const detail = 'Your role of HR would end with this membership, and nobody else is HR then.'
          throw new ProblemError('conflict', detail)
        }
        const own = (await ownMemberships(companies, user)).find((membership) => membership.id === id)
        if (outcome === 'not_found' || !own) throw noMembership()
        return json(200, own)
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/{id}`,
      summary: 'Decline a membership',
      description: 'A `conflict` once it was accepted: then HR ends it.',
      params: TeamId,
      responses: { 204: { description: 'Declined.' } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity: { user }, params: { id } }) => {
        const outcome = await declineMembership(companies, user, id)
        if (outcome === 'declined') return { status: 204 }
        if (outcome === 'not_found') throw noMembership()
        throw new ProblemError('conflict', 'You have accepted this membership. Ask HR to end it.')
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/visibility',
      summary: 'Read who sees what of the own data',
      responses: { 200: { description: 'The policy, and each person with a role.', schema: OwnVisibility } },
      handle: async ({ identity }) => json(200, await ownVisibility(companies, identity.user)),
    }),
  ]
}

function noMembership(): ProblemError {
  return new ProblemError('not_found', 'This membership does not exist.')
}
