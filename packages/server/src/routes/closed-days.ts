import { ClosedDay, DateText } from '@saldo/core'
import * as v from 'valibot'
import { dayKey } from '../account/closed-records.ts'
import { closeOneDay, reopenDay } from '../account/closing.ts'
import { type Route, route } from '../http/route.ts'
import { closeAnswer, readAnswer, reopenAnswer } from './closings.ts'
import { DateQuery, listAnswer, pageOf, spanOf } from './collection.ts'
import type { Services } from './services.ts'

const PATH = '/api/closed-days'
const common = { tag: 'closed days', access: 'user' as const }
const DateParam = v.object({ date: DateText })

/** Closed days (D3, D9): listed, closed, read and reopened; never written by clients (R1.3). */
export function closedDayRoutes(services: Services): Route[] {
  const { records } = services
  return [
    route(
      {
        ...common,
        method: 'GET',
        path: PATH,
        summary: 'List closed days',
        query: DateQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(ClosedDay) } },
        problems: ['invalid_cursor'],
      },
      ({ identity, query }) =>
        records.read(identity.user, (reader) => listAnswer(reader, 'closed_days', spanOf(query), query)),
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: PATH,
        summary: 'Close a day that has ended',
        body: v.object({ date: DateText }),
        answers: {
          200: { description: 'It was closed already.', schema: ClosedDay, headers: ['ETag'] },
          201: { description: 'Closed.', schema: ClosedDay, headers: ['ETag', 'Location'] },
        },
        problems: ['conflict'],
      },
      ({ identity, body: { date } }) =>
        closeAnswer(services, identity.user, `${PATH}/${date}`, (writer, closer) => closeOneDay(writer, date, closer)),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${PATH}/{date}`,
        summary: 'Read a closed day',
        params: DateParam,
        answers: {
          200: { description: 'The closed day.', schema: ClosedDay, headers: ['ETag'] },
          304: { description: 'The version that `If-None-Match` names still stands.' },
        },
        problems: ['not_found'],
      },
      ({ identity, params, headers }) =>
        readAnswer(records, identity.user, dayKey(identity.user, params.date), headers),
    ),
    route(
      {
        ...common,
        method: 'DELETE',
        path: `${PATH}/{date}`,
        summary: 'Reopen a closed day',
        description: 'Auto-close then leaves it alone. A day of a closed week is reopened with its week.',
        params: DateParam,
        answers: { 204: { description: 'Reopened.' } },
        problems: ['not_found', 'conflict', 'precondition_failed'],
      },
      ({ identity, params: { date }, headers }) =>
        reopenAnswer(services, identity.user, dayKey(identity.user, date), headers, (writer, closer) =>
          reopenDay(writer, date, closer),
        ),
    ),
  ]
}
