import type { Route } from '../http/route.ts'
import { DateQuery, listAnswer, spanOf } from './collection.ts'
import { recordRoutes } from './records.ts'
import type { Services } from './services.ts'

/** Settings and balance adjustments: records on dates. */
export function datedRecordRoutes(services: Services): Route[] {
  const routesOf = (kind: 'settings_history' | 'balance_adjustments', path: string, noun: string) =>
    recordRoutes(services, {
      kind,
      path,
      noun,
      query: DateQuery,
      list: (reader, query) => listAnswer(reader, kind, spanOf(query), query),
    })
  return [
    ...routesOf('settings_history', '/api/settings', 'settings'),
    ...routesOf('balance_adjustments', '/api/balance/adjustments', 'balance adjustments'),
  ]
}
