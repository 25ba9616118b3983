import { MonthResult, MonthSheet, MonthsInput, MonthText, OwnMonths } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import type { RouteContext } from './route-context.ts'
import { UserInPath } from './team-query.ts'

const InMonth = v.object({ month: MonthText })
const OfMember = v.object({
  user: UserInPath,
  month: MonthText,
})
const common = { tag: 'team', access: 'session' } as const
/** The fewest characters of a reason to reopen a month (D27.12). */
const LEAST_REASON = 10

/** Months: submitted by their person, returned and locked by a lead or HR, reopened by HR (D27). */
export function teamMonthRoutes({ months }: RouteContext): Route[] {
  const actions = (['lock', 'return', 'reopen'] as const).map((action) =>
    route({
      ...common,
      endpoint: `POST /api/team/months/{month}/${action}`,
      summary: { lock: 'Lock a month', return: 'Return a submitted month', reopen: 'Reopen a locked month' }[action],
      description: 'For up to 100 people, each with an outcome. Repeating it changes nothing.',
      params: InMonth,
      body: MonthsInput,
      responses: {
        200: { description: 'In the order of `users`.', schema: v.object({ items: v.array(MonthResult) }) },
      },
      problems: ['not_found', 'invalid_record'],
      handle: async ({ identity, params: { month }, body }) => {
        const least = { lock: 0, return: 1, reopen: LEAST_REASON }[action]
        if ((body.reason ?? '').trim().length < least) {
          const detail = least === 1 ? 'must say why' : `must say why, in at least ${least} characters`
          throw new ProblemError('invalid_record', 'A reason is missing.', { errors: [{ pointer: '/reason', detail }] })
        }
        return json(200, { items: await months.actOnMany(identity.user, month, action, body) })
      },
    }),
  )
  return [
    route({
      ...common,
      endpoint: 'GET /api/me/months',
      summary: 'List own months with their states',
      responses: { 200: { description: 'The latest first.', schema: OwnMonths } },
      problems: ['not_found'],
      handle: async ({ identity }) => json(200, await months.own(identity.user)),
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/months/{month}',
      summary: 'Read the own sheet of a month',
      params: InMonth,
      responses: { 200: { description: 'The stored sheet of a locked month, or as it is now.', schema: MonthSheet } },
      problems: ['not_found'],
      handle: async ({ identity, params: { month } }) => json(200, await months.ownSheet(identity.user, month)),
    }),
    route({
      ...common,
      endpoint: 'POST /api/me/months/{month}/submission',
      summary: 'Submit a month',
      params: InMonth,
      responses: { 204: { description: 'Submitted.' } },
      problems: ['not_found', 'conflict', 'quota_exceeded'],
      handle: async ({ identity, params: { month } }) => {
        await months.actOnOwn(identity.user, month, 'submit')
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: 'DELETE /api/me/months/{month}/submission',
      summary: 'Withdraw a submitted month',
      params: InMonth,
      responses: { 204: { description: 'Withdrawn.' } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, params: { month } }) => {
        await months.actOnOwn(identity.user, month, 'withdraw')
        return { status: 204 }
      },
    }),
    ...actions,
    route({
      ...common,
      endpoint: 'GET /api/team/members/{user}/months/{month}',
      summary: 'Read the sheet of a member',
      description: 'As far as the policy lets you see it. The look is in the trail of the member.',
      params: OfMember,
      responses: { 200: { description: 'The stored sheet of a locked month, or as it is now.', schema: MonthSheet } },
      problems: ['not_found'],
      handle: async ({ identity, params: { user, month } }) =>
        json(200, await months.sheetOf(identity.user, user, month)),
    }),
  ]
}
