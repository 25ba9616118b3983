import { addDays, DateText, mondayOf, recordSchemas, type UserNumber, WeekText } from '@saldo/core'
import * as v from 'valibot'
import { type AccountContext, dayKey, weekKey } from '../account/closed-records.ts'
import {
  type CloseOutcome,
  closeDay,
  closeWeek,
  type ReopenOutcome,
  reopenDay,
  reopenWeek,
} from '../account/closing.ts'
import { requireMatch } from '../http/preconditions.ts'
import { ProblemError } from '../http/problem.ts'
import { type Route, route } from '../http/route.ts'
import { readTimeline } from '../records/reading.ts'
import type { RecordKey, UserWriter } from '../store/store.ts'
import { described, listAnswer, pageOf, paging, recordAnswer, spanOf, unlessFresh } from './collection.ts'
import type { Services } from './services.ts'

const schemas = { date: DateText, week: WeekText }

/** Closed days or closed weeks: listed, closed, read and reopened, but never written by clients (R1.3, D3, D9). */
interface ClosingResource {
  kind: 'closed_days' | 'closed_weeks'
  noun: 'day' | 'week'
  /** The field that names a day or week, in paths and bodies. */
  field: keyof typeof schemas
  closeSummary: string
  reopenSummary: string
  reopenDescription: string
  /** Returns the first and the last date of a day or week. */
  datesOf(name: string): { from: string; to: string }
  keyOf(user: UserNumber, name: string): RecordKey
  close(writer: UserWriter, name: string, context: AccountContext): Promise<CloseOutcome>
  reopen(writer: UserWriter, name: string, context: AccountContext): Promise<ReopenOutcome>
}

export function closedDayRoutes(services: Services): Route[] {
  return closingRoutes(services, {
    kind: 'closed_days',
    noun: 'day',
    field: 'date',
    closeSummary: 'Close a day that has ended',
    reopenSummary: 'Reopen a closed day',
    reopenDescription: 'Auto-close ignores it from then on. A day of a closed week can only be reopened with its week.',
    datesOf: (date) => ({ from: date, to: date }),
    keyOf: dayKey,
    close: closeDay,
    reopen: reopenDay,
  })
}

export function closedWeekRoutes(services: Services): Route[] {
  return closingRoutes(services, {
    kind: 'closed_weeks',
    noun: 'week',
    field: 'week',
    closeSummary: 'Close a week that has ended, and its days',
    reopenSummary: 'Reopen a closed week and its days',
    reopenDescription: 'Auto-close ignores them from then on.',
    datesOf: (week) => ({ from: mondayOf(week), to: addDays(mondayOf(week), 6) }),
    keyOf: weekKey,
    close: async (writer, week, context) => closeWeek(writer, await readTimeline(writer), week, 'user', context),
    reopen: reopenWeek,
  })
}

function closingRoutes({ records, clock }: Services, resource: ClosingResource): Route[] {
  const { kind, noun, field, datesOf, keyOf } = resource
  const path = `/api/closed-${noun}s`
  const schema = recordSchemas[kind]
  const common = { tag: `closed ${noun}s`, access: 'user' as const }
  const Name = v.object({ [field]: schemas[field] })
  const Query = v.object({
    from: described(schemas[field], `The first ${noun}, inclusive.`),
    to: described(schemas[field], `The last ${noun}, inclusive.`),
    ...paging,
  })
  const nameIn = (fields: Record<string, string>) => fields[field] as string

  return [
    route({
      ...common,
      endpoint: `GET ${path}`,
      summary: `List closed ${noun}s`,
      query: Query,
      answers: { 200: { description: 'A page.', schema: pageOf(schema) } },
      problems: ['invalid_cursor'],
      handle: ({ identity, query: { from, to, ...page } }) => {
        const span = spanOf({ from: from && datesOf(from).from, to: to && datesOf(to).to })
        return records.read(identity.user, (reader) => listAnswer(reader, kind, span, page))
      },
    }),
    route({
      ...common,
      endpoint: `POST ${path}`,
      summary: resource.closeSummary,
      body: Name,
      answers: {
        200: { description: `The ${noun} was already closed.`, schema, headers: ['ETag'] },
        201: { description: 'Closed.', schema, headers: ['ETag', 'Location'] },
      },
      problems: ['conflict'],
      handle: async ({ identity: { user }, body }) => {
        const name = nameIn(body)
        const context: AccountContext = { user, nowMs: clock.now() }
        const outcome = await records.write(user, (writer) => resource.close(writer, name, context))
        if (outcome.outcome === 'conflict') throw new ProblemError('conflict', outcome.reason)
        const answer = recordAnswer(outcome.record)
        if (outcome.outcome !== 'closed') return answer
        return { ...answer, status: 201, headers: { ...answer.headers, location: `${path}/${name}` } }
      },
    }),
    route({
      ...common,
      endpoint: `GET ${path}/{${field}}`,
      summary: `Read a closed ${noun}`,
      params: Name,
      answers: {
        200: { description: `The closed ${noun}.`, schema, headers: ['ETag'] },
        304: { description: 'Still the version in `If-None-Match`.' },
      },
      problems: ['not_found'],
      handle: async ({ identity: { user }, params, headers }) => {
        const key = keyOf(user, nameIn(params))
        const [stored] = await records.read(user, (reader) => reader.find([key]))
        return unlessFresh(headers, stored?.deleted ? undefined : stored)
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${path}/{${field}}`,
      summary: resource.reopenSummary,
      description: resource.reopenDescription,
      params: Name,
      answers: { 204: { description: 'Reopened.' } },
      problems: ['not_found', 'conflict', 'precondition_failed'],
      handle: async ({ identity: { user }, params, headers }) => {
        const name = nameIn(params)
        const context: AccountContext = { user, nowMs: clock.now() }
        const outcome = await records.write(user, async (writer) => {
          const [stored] = await writer.find([keyOf(user, name)])
          requireMatch(headers, stored)
          return resource.reopen(writer, name, context)
        })
        if (outcome.outcome === 'conflict') throw new ProblemError('conflict', outcome.reason)
        if (outcome.outcome === 'not_closed') throw new ProblemError('not_found', `This ${noun} is not closed.`)
        return { status: 204 }
      },
    }),
  ]
}
