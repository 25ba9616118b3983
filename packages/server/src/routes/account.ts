import { AccountDay, DateText, daysBetween } from '@saldo/core'
import * as v from 'valibot'
import { accountDays } from '../account/days.ts'
import { json, type Route, route } from '../http/route.ts'
import type { Services } from './services.ts'

/** The most days of one answer: a year and a bit. */
const MAX_DAYS = 400

const Range = v.pipe(
  v.object({ from: DateText, to: DateText }),
  v.forward(
    v.check(({ from, to }) => to >= from, 'must not be before from'),
    ['to'],
  ),
  v.forward(
    v.check(({ from, to }) => daysBetween(from, to) < MAX_DAYS, `must be at most ${MAX_DAYS} days from from`),
    ['to'],
  ),
)

/** The days of the account: closed figures, or those computed of open days. */
export function accountRoutes({ records, clock }: Services): Route[] {
  return [
    route(
      {
        method: 'GET',
        path: '/api/account/days',
        tag: 'account',
        summary: 'The figures of each day of a range, and what is odd about its entries',
        access: 'user',
        query: Range,
        answers: { 200: { description: 'The days in order.', schema: v.object({ items: v.array(AccountDay) }) } },
      },
      async ({ identity, query }) => {
        const items = await records.read(identity.user, (reader) => accountDays(reader, query, clock.now()))
        return json(200, { items })
      },
    ),
  ]
}
