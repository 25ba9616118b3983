import { BalanceSummary } from '@saldo/core'
import { balanceSummary } from '../account/balance.ts'
import { json, type Route, route } from '../http/route.ts'
import type { Services } from './services.ts'

/** The balance (R1.4, R2.7). */
export function balanceRoutes({ records, clock }: Services): Route[] {
  return [
    route({
      endpoint: 'GET /api/balance',
      tag: 'account',
      summary: 'Read the balance: closed weeks plus adjustments',
      access: 'user',
      answers: { 200: { description: 'The summary.', schema: BalanceSummary } },
      handle: async ({ identity }) => {
        const nowMs = clock.now()
        return json(200, await records.read(identity.user, (reader) => balanceSummary(reader, nowMs)))
      },
    }),
  ]
}
