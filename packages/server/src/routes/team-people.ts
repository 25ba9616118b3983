import {
  GroupId,
  GroupInput,
  GroupRow,
  type ItemResult,
  MemberRow,
  PersonInput,
  RoleInput,
  RoleRow,
  type UserNumber,
} from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { MANAGERS, type TeamViewer } from '../team/access.ts'
import { groupRows, putGroups, removeGroup } from '../team/groups.ts'
import { rejected } from '../team/items.ts'
import { type PersonResult, peoplePage, putPeople } from '../team/people.ts'
import { confirmRole, putRoles, roleRows } from '../team/roles.ts'
import type { LinkRequest } from '../users/user-accounts.ts'
import { described, numberText } from './collection.ts'
import { PasswordOrPasskey, requireProof } from './guards.ts'
import type { RouteContext } from './route-context.ts'
import {
  bodyOfItems,
  companyField,
  dryRunField,
  InCompany,
  Items,
  itemResults,
  requireTeam,
  TeamId,
} from './team-query.ts'

const PATH = '/api/team'
const common = { tag: 'team', access: 'session' } as const
const withProof = { ...Items.entries, ...PasswordOrPasskey.entries }

const UserText = v.pipe(
  numberText(0, Number.MAX_SAFE_INTEGER),
  v.transform((number) => number as UserNumber),
)
const cursorField = { cursor: described(UserText, 'The cursor of the page before.') }
const PeopleSearch = v.object({
  ...cursorField,
  search: v.optional(v.pipe(v.string(), v.maxLength(200, 'must have at most 200 characters')), ''),
  group: v.optional(GroupId),
  state: v.optional(MemberRow.entries.state),
})
const peopleResponses = {
  200: {
    description: 'A page of people; `cursor` is null on the last one.',
    schema: v.object({ items: v.array(MemberRow), cursor: v.nullable(v.string()) }),
  },
}

/** Groups, people and roles of a company. No response has times of anybody. */
export function teamPeopleRoutes(services: RouteContext): Route[] {
  const { companies, users, userAccounts, acts, mailer, mailLimits } = services

  const invitationBy = (viewer: TeamViewer): LinkRequest => ({
    ...{ language: mailer.companyLanguage, by: viewer.user, isOfCompany: true },
    permit: companies.stillMay(viewer, MANAGERS),
  })

  /** Sends the invitations of new accounts; where no mail goes, the result has the link to pass on. */
  const invite = async (results: readonly PersonResult[], viewer: TeamViewer) => {
    const by = viewer.user
    const answered: ItemResult[] = []
    for (const { invited, mailed: _mailed, ...result } of results) {
      if (invited === undefined) {
        answered.push(result)
        continue
      }
      await acts.done('invite', invited, by)
      const link = await userAccounts.createLink(invited, invitationBy(viewer))
      answered.push(link?.path ? { ...result, link: link.path } : result)
    }
    return answered
  }

  return [
    route({
      ...common,
      endpoint: `GET ${PATH}/groups`,
      summary: 'List the groups of the company',
      description: 'For HR and admins. The company itself comes first, each group behind the one above it.',
      query: InCompany,
      responses: { 200: { description: 'All groups.', schema: v.object({ items: v.array(GroupRow) }) } },
      problems: ['not_found'],
      handle: async ({ identity, query }) => {
        const { companyId } = await requireTeam(services, identity, MANAGERS, query)
        return json(200, { items: await groupRows(companies, companyId) })
      },
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/groups`,
      summary: 'Add, change and move groups',
      description:
        'For HR and admins. An item without `id` is the group of that name below that parent, or a new one; without ' +
        '`parent_id`, it is below the company. An item that is rejected stops no other. HR alone moves a group below ' +
        'a lead, or lets members see each other; both are announced.',
      query: InCompany,
      body: v.object({ ...Items.entries, ...dryRunField }),
      documentedBody: v.object({ ...bodyOfItems(GroupInput).entries, ...dryRunField }),
      responses: itemResults,
      problems: ['not_found'],
      handle: async ({ identity, query, body: { items, dry_run: isDryRun } }) => {
        const viewer = await requireTeam(services, identity, MANAGERS, query)
        const mayMailMany = (count: number) => mailLimits.allowsGroup(identity.user, count)
        return json(200, { items: await putGroups(companies, viewer, items, { isDryRun, mayMailMany }) })
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${PATH}/groups/{id}`,
      summary: 'Remove a group',
      description: 'For HR and admins. A `conflict` unless nobody was ever in it and nothing is below it.',
      params: TeamId,
      query: InCompany,
      responses: { 204: { description: 'Removed.' } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params, query }) => {
        const viewer = await requireTeam(services, identity, MANAGERS, query)
        const outcome = await removeGroup(companies, viewer, params.id)
        if (outcome === 'removed') return { status: 204 }
        if (outcome === 'not_found') throw new ProblemError('not_found', 'This group does not exist.')
        throw new ProblemError('conflict', 'People, roles or groups belong to this group. Move them first.')
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/people`,
      summary: 'List the people of the company',
      description: 'For HR and admins. By name, 100 on a page.',
      query: v.object({ ...companyField, ...cursorField }),
      responses: peopleResponses,
      problems: ['not_found'],
      handle: async ({ identity, query: { company, cursor: after } }) => {
        const { companyId } = await requireTeam(services, identity, MANAGERS, { company })
        return json(200, pageOf(await peoplePage(companies, companyId, { after })))
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/people-search`,
      isRead: true,
      summary: 'Find people of the company',
      description:
        'For HR and admins. `search` has words that the name or the address contains; a `group` counts with those ' +
        'below.',
      query: InCompany,
      body: PeopleSearch,
      responses: peopleResponses,
      problems: ['not_found'],
      handle: async ({ identity, query, body: { cursor: after, ...sought } }) => {
        const { companyId } = await requireTeam(services, identity, MANAGERS, query)
        return json(200, pageOf(await peoplePage(companies, companyId, { ...sought, after })))
      },
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/people`,
      summary: 'Add people, and change their memberships',
      description:
        'For HR and admins. An address without an account gets an invitation, for which the password or a passkey is ' +
        'needed. A membership takes effect when the person accepts it; `until` ends it. An item that is rejected ' +
        'stops no other.',
      query: InCompany,
      body: v.object({ ...withProof, ...dryRunField }),
      documentedBody: v.object({ ...bodyOfItems(PersonInput).entries, ...PasswordOrPasskey.entries, ...dryRunField }),
      responses: itemResults,
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, query, body: { items, dry_run: isDryRun, ...proof } }) => {
        const viewer = await requireTeam(services, identity, MANAGERS, query)
        const planned = await putPeople(companies, users, viewer, items, { isDryRun: true, mayInvite: true })
        if (isDryRun) return json(200, { items: planned.map(({ invited, mailed, ...result }) => withoutId(result)) })
        // Whoever invites lets somebody in, as an admin does.
        const mayInvite = planned.some(({ outcome }) => outcome === 'invited')
        if (mayInvite) await requireProof(services, identity, proof, headers)
        const accepted: unknown[] = []
        const refused = new Map<number, ItemResult>()
        for (const [index, { mailed, ...result }] of planned.entries()) {
          const isAllowed = mailed === undefined || (await mailLimits.allowsOne(identity.user, mailed))
          if (!isAllowed) refused.set(index, rejected('mailed_often'))
          else if (result.outcome === 'rejected') refused.set(index, result)
          else accepted.push(items[index])
        }
        const put = await putPeople(companies, users, viewer, accepted, { isDryRun: false, mayInvite })
        const results = (await invite(put, viewer)).values()
        return json(200, { items: items.map((_, index) => refused.get(index) ?? results.next().value) })
      },
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/people/invitations`,
      summary: 'Mail invitations again',
      description: 'For HR and admins. `items` are the numbers of people who have not accepted theirs.',
      query: InCompany,
      body: Items,
      documentedBody: bodyOfItems(v.number()),
      responses: itemResults,
      problems: ['not_found'],
      handle: async ({ identity, query, body }) => {
        const viewer = await requireTeam(services, identity, MANAGERS, query)
        const people = await companies.store.people(viewer.companyId)
        const invited = new Map<unknown, string>(
          people.flatMap(({ isInvited, user, email }) => (isInvited ? [[user, email]] : [])),
        )
        const items: ItemResult[] = []
        for (const item of body.items) {
          const address = invited.get(item)
          if (!mailer.isOn) items.push(rejected('mails_off'))
          else if (address === undefined) items.push(rejected('not_invited'))
          else if (!(await mailLimits.allowsInvitationAgain(address))) {
            items.push(rejected('invited_lately'))
          } else {
            const link = await userAccounts.createLink(item as UserNumber, invitationBy(viewer))
            if (link?.mail === 'sent') items.push({ outcome: 'invited', id: null })
            else items.push(rejected('mail_failed'))
            await acts.done('link', item as UserNumber, viewer.user, mailer.companyLanguage)
          }
        }
        return json(200, { items })
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/roles`,
      summary: 'List the roles of the company',
      description: 'For HR and admins. Roles that have ended are in the list too.',
      query: InCompany,
      responses: { 200: { description: 'All roles.', schema: v.object({ items: v.array(RoleRow) }) } },
      problems: ['not_found'],
      handle: async ({ identity, query }) => {
        const viewer = await requireTeam(services, identity, MANAGERS, query)
        return json(200, { items: await roleRows(companies, viewer) })
      },
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/roles`,
      summary: 'Give, change and end roles',
      description:
        'For HR and admins, with the password or a passkey. A role takes effect when another HR confirms it; what the ' +
        'only HR gives to others needs no confirmation. Nobody gives a role to themself. `until` ends it.',
      query: InCompany,
      body: v.object(withProof),
      documentedBody: v.object({ ...bodyOfItems(RoleInput).entries, ...PasswordOrPasskey.entries }),
      responses: itemResults,
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, query, body: { items, ...proof } }) => {
        const viewer = await requireTeam(services, identity, MANAGERS, query)
        await requireProof(services, identity, proof, headers)
        const countMail = () => mailLimits.takeRoles(identity.user)
        return json(200, { items: await putRoles(companies, viewer, items, countMail) })
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/roles/{id}/confirmation`,
      summary: 'Confirm a role',
      description:
        'For another HR than the one who gave it, with the password or a passkey. A `conflict` for somebody who was ' +
        'only offered a membership.',
      params: TeamId,
      body: PasswordOrPasskey,
      responses: { 200: { description: 'The role.', schema: RoleRow } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, params, body }) => {
        const viewer = await requireTeam(services, identity, ['hr'])
        await requireProof(services, identity, body, headers)
        const outcome = await confirmRole(companies, viewer, params.id, () => mailLimits.takeRoles(identity.user))
        if (outcome === 'not_yours') throw new ProblemError('forbidden', 'Another HR has to confirm this role.')
        if (outcome === 'not_joined') {
          throw new ProblemError('conflict', 'This person has not accepted the membership yet. Confirm the role then.')
        }
        const found = (await roleRows(companies, viewer)).find(({ id }) => id === params.id)
        if (outcome === 'not_found' || !found) throw new ProblemError('not_found', 'This role does not exist.')
        return json(200, found)
      },
    }),
  ]
}

function pageOf({ items, last }: Awaited<ReturnType<typeof peoplePage>>) {
  return { items, cursor: last === undefined ? null : String(last) }
}

/** A dry run has numbers of rows that were not kept. */
function withoutId(result: ItemResult): ItemResult {
  return result.outcome === 'added' || result.outcome === 'invited' ? { ...result, id: null } : result
}
