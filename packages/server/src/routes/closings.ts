import {
  addDays,
  type DateRange,
  DateText,
  type IsoWeek,
  type LocalDate,
  mondayOf,
  recordSchemas,
  type UserNumber,
  WeekText,
} from '@saldo/core'
import * as v from 'valibot'
import { readTimeline } from '../account/account-reads.ts'
import { dayKey, weekKey } from '../account/closed-records.ts'
import {
  type CloseOutcome,
  closeDay,
  closeWeek,
  type ReopenOutcome,
  reopenDay,
  reopenWeek,
} from '../account/closing.ts'
import type { AccountContext } from '../account/context.ts'
import { requireMatch } from '../http/preconditions.ts'
import { ProblemError } from '../http/problem.ts'
import { type Route, route } from '../http/route.ts'
import type { RecordKey, UserWriter } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { described, listing, listResponse, paging, readRoute, recordResponse } from './collection.ts'
import type { RouteContext } from './route-context.ts'

/** Closed days or closed weeks: listed, closed, read and reopened, but never written by clients (R1.3). */
interface ClosingResource<Name extends LocalDate | IsoWeek> {
  kind: 'closed_days' | 'closed_weeks'
  /** The unit that is closed; paths and bodies name it by `field`. */
  unit: 'day' | 'week'
  field: 'date' | 'week'
  name: v.GenericSchema<string, Name>
  /** Returns the first and the last date of a day or week. */
  datesOf(name: Name): DateRange
  keyOf(user: UserNumber, name: Name): RecordKey
  close(writer: UserWriter, name: Name, context: AccountContext): Promise<CloseOutcome>
  reopen(writer: UserWriter, name: Name, context: AccountContext): Promise<ReopenOutcome>
}

export function closedDayRoutes(services: RouteContext): Route[] {
  return closingRoutes(services, {
    kind: 'closed_days',
    unit: 'day',
    field: 'date',
    name: DateText,
    datesOf: (date) => ({ from: date, to: date }),
    keyOf: dayKey,
    close: closeDay,
    reopen: reopenDay,
  })
}

export function closedWeekRoutes(services: RouteContext): Route[] {
  return closingRoutes(services, {
    kind: 'closed_weeks',
    unit: 'week',
    field: 'week',
    name: WeekText,
    datesOf: (week) => ({ from: mondayOf(week), to: addDays(mondayOf(week), 6) }),
    keyOf: weekKey,
    close: async (writer, week, context) =>
      closeWeek({ ...context, writer, timeline: await readTimeline(writer) }, week, 'user'),
    reopen: reopenWeek,
  })
}

function closingRoutes<Name extends LocalDate | IsoWeek>(
  services: RouteContext,
  resource: ClosingResource<Name>,
): Route[] {
  const { records, clock } = services
  const { kind, unit, field, name, datesOf, keyOf } = resource
  const path = `/api/closed-${unit}s`
  const noun = `closed ${unit}s`
  const schema = recordSchemas[kind]
  const common = { tag: noun, access: 'full' as const }
  const Named = v.object({ [field]: name })
  const Query = v.object({
    from: described(name, `The first ${unit}, inclusive.`),
    to: described(name, `The last ${unit}, inclusive.`),
    ...paging,
  })
  const nameIn = (fields: Record<string, Name>) => fields[field] as Name

  return [
    route({
      ...listing(kind, path, noun),
      query: Query,
      handle: ({ identity, query: { from, to, ...page } }) => {
        const span = dateSpan({ from: from && datesOf(from).from, to: to && datesOf(to).to })
        return records.read(identity.user, (reader) => listResponse(reader, kind, span, page))
      },
    }),
    route({
      ...common,
      endpoint: `POST ${path}`,
      summary: `Close a ${unit} that has ended`,
      body: Named,
      responses: {
        200: { description: `The ${unit} was already closed.`, schema, headers: ['ETag'] },
        201: { description: 'Closed.', schema, headers: ['ETag', 'Location'] },
      },
      problems: ['conflict'],
      handle: async ({ identity: { user }, body }) => {
        const name = nameIn(body)
        const context: AccountContext = { user, nowMs: clock.now() }
        const outcome = await records.write(user, (writer) => resource.close(writer, name, context))
        if (outcome.outcome === 'conflict') throw new ProblemError('conflict', outcome.reason)
        const response = recordResponse(outcome.record)
        if (outcome.outcome !== 'closed') return response
        return { ...response, status: 201, headers: { ...response.headers, location: `${path}/${name}` } }
      },
    }),
    readRoute(services, kind, path, noun, { field, name, keyOf }),
    route({
      ...common,
      endpoint: `DELETE ${path}/{${field}}`,
      summary: `Reopen a closed ${unit}`,
      description:
        'Auto-close ignores it from then on. A week reopens with its days, and a day of it only with the week.',
      params: Named,
      responses: { 204: { description: 'Reopened.' } },
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
        if (outcome.outcome === 'not_closed') throw new ProblemError('not_found', `This ${unit} is not closed.`)
        return { status: 204 }
      },
    }),
  ]
}
