import { AccountDay, BalanceSummary, DateText, daysBetween, ExpiryProposal, VacationYear } from '@saldo/core'
import * as v from 'valibot'
import { balanceSummary } from '../account/balance.ts'
import { accountDays } from '../account/days.ts'
import { accountProposals } from '../account/proposals.ts'
import { vacationAccount } from '../account/vacation.ts'
import { json, type Route, route } from '../http/route.ts'
import type { Services } from './services.ts'

const MAX_DAYS = 400

const Range = v.pipe(
  v.object({ from: DateText, to: DateText }),
  v.forward(
    v.check(({ from, to }) => to >= from, 'must not be before `from`'),
    ['to'],
  ),
  v.forward(
    v.check(({ from, to }) => daysBetween(from, to) < MAX_DAYS, `must be less than ${MAX_DAYS} days after \`from\``),
    ['to'],
  ),
)

const yearMessage = 'must be a year such as 2026'
const Year = v.object({
  year: v.pipe(v.string(yearMessage), v.regex(/^(?!0000)\d{4}$/, yearMessage), v.toNumber()),
})

/** The balance, and the figures of days: stored ones of closed days, computed ones of open days (R1.4, R2.7). */
export function accountRoutes({ records, clock }: Services): Route[] {
  return [
    route({
      endpoint: 'GET /api/balance',
      tag: 'account',
      summary: 'Read the balance: closed weeks plus adjustments',
      access: 'read',
      answers: { 200: { description: 'The summary.', schema: BalanceSummary } },
      handle: async ({ identity }) =>
        json(200, await records.read(identity.user, (reader) => balanceSummary(reader, clock.now()))),
    }),
    route({
      endpoint: 'GET /api/account/days',
      tag: 'account',
      summary: 'Read the figures and warnings of each day in a range',
      access: 'read',
      query: Range,
      answers: {
        200: { description: 'The days in order of date.', schema: v.object({ items: v.array(AccountDay) }) },
      },
      handle: async ({ identity, query }) => {
        const items = await records.read(identity.user, (reader) => accountDays(reader, query, clock.now()))
        return json(200, { items })
      },
    }),
    route({
      endpoint: 'GET /api/account/vacation',
      tag: 'account',
      summary: 'Read the vacation account of a year',
      access: 'read',
      query: Year,
      answers: {
        200: {
          description: 'The account; null if up to that year there is neither a vacation rule nor a grant.',
          schema: v.object({ vacation: v.nullable(VacationYear) }),
        },
      },
      handle: async ({ identity, query: { year } }) => {
        const vacation = await records.read(identity.user, (reader) => vacationAccount(reader, year, clock.now()))
        return json(200, { vacation })
      },
    }),
    route({
      endpoint: 'GET /api/account/proposals',
      tag: 'account',
      summary: 'Read which hours may expire at the ends of periods, and what was decided about them',
      access: 'read',
      answers: {
        200: {
          description: 'The decided periods, and the first undecided one with an excess, in order of date.',
          schema: v.object({ items: v.array(ExpiryProposal) }),
        },
      },
      handle: async ({ identity: { user } }) => {
        const items = await records.read(user, (reader) => accountProposals(reader, user))
        return json(200, { items })
      },
    }),
  ]
}
