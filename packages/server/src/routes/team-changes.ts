import {
  AccountTrailPage,
  CompanyLeave,
  ExitSettlement,
  HrChangesInput,
  LeaveResult,
  LeaveRow,
  MemberRecords,
  MemberTrailPage,
  MonthText,
  ProposalAnswer,
  ProposalRow,
  RemarkInput,
  RemarkRow,
  type UserNumber,
  Uuid,
} from '@saldo/core'
import * as v from 'valibot'
import { listInParts } from '../http/parts.ts'
import { json, type Route, route } from '../http/route.ts'
import { companyLeave } from '../team/company-leave.ts'
import { noteLeave, standingLeave } from '../team/leave-list.ts'
import { described, numberText } from './collection.ts'
import type { RouteContext } from './route-context.ts'
import { requireTeam, UserInPath } from './team-query.ts'

const common = { tag: 'team', access: 'session' } as const
const OfMember = v.object({
  user: UserInPath,
})
const OfId = v.object({ id: Uuid })
const After = v.object({
  after: described(
    numberText(0, Number.MAX_SAFE_INTEGER),
    'The `cursor` of the previous page: the number of its last row.',
  ),
})

/** Changes by HR, remarks of the person, and the trail of an account (D28, D29). */
export function teamChangeRoutes(services: RouteContext): Route[] {
  const { hrChanges, accountTrails, months, companies, random, records, team, clock, users, mailLimits } = services
  return [
    route({
      ...common,
      endpoint: 'POST /api/team/members/{user}/changes',
      summary: 'Propose changes to a member, or apply them',
      description:
        'For HR. A proposal waits until the person accepts or declines; `apply` makes the changes at once where the ' +
        'policy allows that. In a locked month the month is reopened and locked again. Repeating it changes nothing.',
      params: OfMember,
      body: HrChangesInput,
      responses: { 200: { description: 'The proposal.', schema: ProposalRow } },
      problems: ['not_found', 'conflict', 'invalid_record'],
      handle: async ({ identity, params, body }) => {
        const address = (await users.byId(params.user))?.email ?? ''
        const countMail = () => mailLimits.takeOne(identity.user, address)
        const { row, company, actorName, isNew } = await hrChanges.propose(identity.user, params.user, body, countMail)
        const what = row.state === 'applied' ? ('change_applied' as const) : ('change_proposed' as const)
        const news = [{ what, person: actorName }]
        if (isNew) companies.announcements.tell(company, params.user, news)
        return json(200, row)
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/team/members/{user}/changes',
      summary: 'List the changes that HR proposed to a member or made',
      description: 'For HR, with the answers, and whether the person has edited since what was changed.',
      params: OfMember,
      responses: { 200: { description: 'The latest first.', schema: v.object({ items: v.array(ProposalRow) }) } },
      problems: ['not_found'],
      handle: async ({ identity, params }) =>
        json(200, { items: await hrChanges.ofMember(identity.user, params.user) }),
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/team/members/{user}/changes/{id}',
      summary: 'Withdraw a proposal',
      description: 'For HR. A `conflict` once the person has answered. Repeating it changes nothing.',
      params: v.object({ ...OfMember.entries, ...OfId.entries }),
      responses: { 204: { description: 'Withdrawn.' } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params: { user, id } }) => {
        await hrChanges.withdraw(identity.user, user, id)
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/team/members/{user}/months/{month}/records',
      summary: 'Read the records of a month of a member, to change them',
      description:
        'For HR: entries and adjustments with their ids, times and figures, without any text of the member, and the ' +
        'working hours. The look is in the trail.',
      params: v.object({ ...OfMember.entries, month: MonthText }),
      responses: { 200: { description: 'By their dates.', schema: MemberRecords } },
      problems: ['not_found'],
      handle: async ({ identity, params: { user, month } }) =>
        json(200, await hrChanges.recordsOf(identity.user, user, month)),
    }),
    route({
      ...common,
      endpoint: 'GET /api/team/members/{user}/settlement',
      summary: 'Read what is open when a member leaves',
      description:
        'For HR: the balance and both readings of the vacation left on the exit date of the personnel data, and the ' +
        'changes to propose that end planned time. The look is in the trail.',
      params: OfMember,
      responses: { 200: { description: 'The open points.', schema: ExitSettlement } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params }) =>
        json(200, await hrChanges.settlement(identity.user, params.user, random.uuid())),
    }),
    ...(['write', 'preview', 'remove'] as const).map((act) =>
      route({
        ...common,
        endpoint: `POST /api/team/leave${act === 'write' ? '' : act === 'preview' ? '/preview' : '/removal'}`,
        ...(act === 'preview' && { isRead: true as const }),
        summary: {
          write: 'Write company leave for many',
          preview: 'Read what company leave would write',
          remove: 'Remove company leave that nobody has changed',
        }[act],
        description:
          'For HR: whole planned days without another absence, of up to 100 people, each with an outcome. Days that a ' +
          'person has changed stay. Repeating it changes nothing.',
        body: CompanyLeave,
        responses: {
          200: { description: 'In the order of `users`.', schema: v.object({ items: v.array(LeaveResult) }) },
        },
        problems: ['not_found', 'conflict'],
        handle: async ({ identity, body }) => {
          const viewer = await requireTeam(services, identity, ['hr'])
          if (act !== 'preview') await noteLeave(companies, viewer, body, { act })
          const { user: actor } = identity
          const people = await team.names([actor, ...body.users], viewer.companyId)
          const person = people.get(actor)?.name ?? ''
          const leave = {
            ...{ actor, leave: body, act },
            countMail: (user: UserNumber) => mailLimits.takeOne(actor, people.get(user)?.email ?? ''),
            tell: (user: UserNumber) =>
              companies.announcements.tell(viewer, user, [{ what: 'change_applied', person }]),
          }
          return json(200, { items: await companyLeave({ records, team }, leave, clock.now()) })
        },
      }),
    ),
    route({
      ...common,
      endpoint: 'GET /api/team/leave',
      summary: 'List company leave',
      description: 'For HR: what was written and not removed, with its people.',
      responses: { 200: { description: 'The latest dates first.', schema: v.object({ items: v.array(LeaveRow) }) } },
      problems: ['not_found'],
      handle: async ({ identity }) => {
        const { companyId } = await requireTeam(services, identity, ['hr'])
        const leave = await standingLeave(team.leaveTrail(companyId))
        const names = await team.names(
          leave.flatMap(({ actor }) => actor ?? []),
          companyId,
        )
        const items = leave.map(({ actor, ...row }) => {
          return { ...row, by: actor === null ? null : { user_id: actor, name: names.get(actor)?.name ?? '' } }
        })
        return { status: 200, parts: listInParts(items, () => requireTeam(services, identity, ['hr'])) }
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/proposals',
      summary: 'List the changes that HR proposed or made',
      responses: { 200: { description: 'The latest first.', schema: v.object({ items: v.array(ProposalRow) }) } },
      handle: async ({ identity }) => json(200, { items: await hrChanges.own(identity.user) }),
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/proposals/{id}/answer',
      summary: 'Accept or decline a proposal',
      params: OfId,
      body: ProposalAnswer,
      responses: { 204: { description: 'Answered.' } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params, body }) => {
        await hrChanges.answer(identity.user, params.id, body.answer)
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/remarks',
      summary: 'List own remarks on months',
      responses: { 200: { description: 'The earliest first.', schema: v.object({ items: v.array(RemarkRow) }) } },
      handle: async ({ identity }) => json(200, { items: await months.remarks(identity.user) }),
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/remarks',
      summary: 'Add a remark to a month',
      description: 'The sheet of the month shows it, locked or not. Only you remove it.',
      body: RemarkInput,
      responses: { 201: { description: 'Added.', schema: RemarkRow } },
      problems: ['not_found', 'conflict', 'quota_exceeded'],
      handle: async ({ identity, body }) =>
        json(201, await months.addRemark(identity.user, { ...body, id: body.id ?? random.uuid() })),
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/remarks/{id}',
      summary: 'Remove an own remark',
      params: OfId,
      responses: { 204: { description: 'Removed.' } },
      problems: ['not_found'],
      handle: async ({ identity, params }) => {
        await months.removeRemark(identity.user, params.id)
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/trail',
      summary: 'Read the trail of the own account',
      description:
        'Changes by others, decisions, states of months, looks, and own changes of dates long past. A program that ' +
        'keeps `last` finds it again later, unless somebody has rewritten the trail.',
      query: After,
      responses: { 200: { description: 'At most 100 rows, the earliest first.', schema: AccountTrailPage } },
      handle: async ({ identity, query }) => json(200, await accountTrails.own(identity.user, query.after ?? 0)),
    }),
    route({
      ...common,
      endpoint: 'GET /api/team/members/{user}/trail',
      summary: 'Read the trail of a member',
      description: 'For HR. The look is in the trail.',
      params: OfMember,
      query: After,
      responses: { 200: { description: 'At most 100 rows, the earliest first.', schema: MemberTrailPage } },
      problems: ['not_found'],
      handle: async ({ identity, params, query }) =>
        json(200, await accountTrails.ofMember(identity.user, params.user, query.after ?? 0)),
    }),
  ]
}
