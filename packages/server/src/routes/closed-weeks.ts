import { addDays, ClosedWeek, mondayOf, WeekText } from '@saldo/core'
import * as v from 'valibot'
import { weekKey } from '../account/closed-records.ts'
import { closeOneWeek, reopenWeek } from '../account/closing.ts'
import { type Route, route } from '../http/route.ts'
import { readTimeline } from '../records/reading.ts'
import { closeAnswer, readAnswer, reopenAnswer } from './closings.ts'
import { listAnswer, pageOf, paging, spanOf } from './collection.ts'
import type { Services } from './services.ts'

const PATH = '/api/closed-weeks'
const common = { tag: 'closed weeks', access: 'user' as const }
const WeekParam = v.object({ week: WeekText })
const WeekQuery = v.object({ from: v.optional(WeekText), to: v.optional(WeekText), ...paging })

/** Closed weeks (D3, D9): listed, closed, read and reopened; never written by clients (R1.3). */
export function closedWeekRoutes(services: Services): Route[] {
  const { records } = services
  return [
    route(
      {
        ...common,
        method: 'GET',
        path: PATH,
        summary: 'List closed weeks',
        query: WeekQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(ClosedWeek) } },
        problems: ['invalid_cursor'],
      },
      ({ identity, query: { from, to, ...page } }) => {
        const span = spanOf({ from: from && mondayOf(from), to: to && addDays(mondayOf(to), 6) })
        return records.read(identity.user, (reader) => listAnswer(reader, 'closed_weeks', span, page))
      },
    ),
    route(
      {
        ...common,
        method: 'POST',
        path: PATH,
        summary: 'Close a week that has ended, and its days',
        body: v.object({ week: WeekText }),
        answers: {
          200: { description: 'It was closed already.', schema: ClosedWeek, headers: ['ETag'] },
          201: { description: 'Closed.', schema: ClosedWeek, headers: ['ETag', 'Location'] },
        },
        problems: ['conflict'],
      },
      ({ identity, body: { week } }) =>
        closeAnswer(services, identity.user, `${PATH}/${week}`, async (writer, closer) =>
          closeOneWeek(writer, await readTimeline(writer), week, closer),
        ),
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${PATH}/{week}`,
        summary: 'Read a closed week',
        params: WeekParam,
        answers: {
          200: { description: 'The closed week.', schema: ClosedWeek, headers: ['ETag'] },
          304: { description: 'The version that `If-None-Match` names still stands.' },
        },
        problems: ['not_found'],
      },
      ({ identity, params, headers }) =>
        readAnswer(records, identity.user, weekKey(identity.user, params.week), headers),
    ),
    route(
      {
        ...common,
        method: 'DELETE',
        path: `${PATH}/{week}`,
        summary: 'Reopen a closed week, and its days',
        description: 'Auto-close then leaves it alone.',
        params: WeekParam,
        answers: { 204: { description: 'Reopened.' } },
        problems: ['not_found', 'precondition_failed'],
      },
      ({ identity, params: { week }, headers }) =>
        reopenAnswer(services, identity.user, weekKey(identity.user, week), headers, (writer, closer) =>
          reopenWeek(writer, week, closer),
        ),
    ),
  ]
}
