import type { Route } from '../http/route.ts'
import { DateQuery, listAnswer, spanOf } from './collection.ts'
import { recordRoutes } from './records.ts'
import type { Services } from './services.ts'

export function settingsRoutes(services: Services): Route[] {
  return recordRoutes(services, {
    kind: 'settings_history',
    path: '/api/settings',
    noun: 'settings',
    query: DateQuery,
    list: (reader, query) => listAnswer(reader, 'settings_history', spanOf(query), query),
  })
}
