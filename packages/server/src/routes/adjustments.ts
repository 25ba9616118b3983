import type { Route } from '../http/route.ts'
import { DateQuery, listAnswer, spanOf } from './collection.ts'
import { recordRoutes } from './records.ts'
import type { Services } from './services.ts'

export function adjustmentRoutes(services: Services): Route[] {
  return recordRoutes(services, {
    kind: 'balance_adjustments',
    path: '/api/balance/adjustments',
    noun: 'balance adjustments',
    query: DateQuery,
    list: (reader, query) => listAnswer(reader, 'balance_adjustments', spanOf(query), query),
  })
}
