import {
  AccountDay,
  AccountToday,
  AskedVacation,
  BalanceSummary,
  type DateRange,
  DateText,
  daysBetween,
  ExpiryProposal,
  ReportSummary,
  reportGroups,
  VacationYear,
} from '@saldo/core'
import * as v from 'valibot'
import { balanceSummary } from '../account/balance.ts'
import { accountDays, MAX_WARNED_ENTRIES } from '../account/days.ts'
import { accountProposals } from '../account/proposals.ts'
import { MAX_REPORT_ENTRIES, MAX_REPORT_TAGS, timeReport } from '../account/reports.ts'
import { accountToday } from '../account/today.ts'
import { vacationAccount } from '../account/vacation.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { described, numberText } from './collection.ts'
import type { RouteContext } from './route-context.ts'

const MAX_DAYS = 400

const ORDER = 'must not be before `from`'
const LENGTH = `must be less than ${MAX_DAYS} days after \`from\``
const isShort = ({ from, to }: DateRange) => daysBetween(from, to) < MAX_DAYS

const Range = v.pipe(
  v.object({ from: DateText, to: DateText }),
  v.forward(
    v.check(({ from, to }) => to >= from, ORDER),
    ['to'],
  ),
  v.forward(
    v.check((range) => isShort(range), LENGTH),
    ['to'],
  ),
)

const FilterText = v.pipe(v.string(), v.maxLength(200, 'must be at most 200 characters'))
const ReportRequest = v.pipe(
  v.object({
    from: DateText,
    to: DateText,
    group: v.pipe(v.picklist(reportGroups), v.metadata({ description: 'What the lines are.' })),
    kind: described(v.picklist(['work', 'break']), 'What to count; work unless given.'),
    project: described(FilterText, 'Only entries of this project.'),
    tag: described(FilterText, 'Only entries with this tag.'),
    words: described(FilterText, 'Only entries whose note, project and tags contain these words.'),
  }),
  v.forward(
    v.check(({ from, to }) => to >= from, ORDER),
    ['to'],
  ),
  v.forward(
    v.check((range) => isShort(range), LENGTH),
    ['to'],
  ),
)

const yearMessage = 'must be a year such as 2026'
const Year = v.object({
  year: v.pipe(v.string(yearMessage), v.length(4, yearMessage), numberText(1, 9_999, yearMessage)),
})

function tooManyEntries(detail: string): ProblemError {
  const errors = [{ pointer: '/to', detail }]
  return new ProblemError('invalid_request', 'This range has too many entries. Choose a shorter one.', { errors })
}

/** The balance, and the figures of days: stored ones of closed days, computed ones of open days (R1.4, R2.7). */
export function accountRoutes({ records, clock }: RouteContext): Route[] {
  return [
    route({
      endpoint: 'GET /api/balance',
      tag: 'account',
      summary: 'Read the balance: closed weeks plus adjustments',
      access: 'read',
      responses: { 200: { description: 'The summary.', schema: BalanceSummary } },
      handle: async ({ identity }) =>
        json(200, await records.read(identity.user, (reader) => balanceSummary(reader, clock.now()))),
    }),
    route({
      endpoint: 'GET /api/account/days',
      tag: 'account',
      summary: 'Read the figures and warnings of each day in a range',
      description: `The warnings of all days name at most ${MAX_WARNED_ENTRIES} entries.`,
      access: 'read',
      query: Range,
      responses: {
        200: { description: 'The days in order of date.', schema: v.object({ items: v.array(AccountDay) }) },
      },
      handle: async ({ identity, query }) => {
        const outcome = await records.read(identity.user, (reader) => accountDays(reader, query, clock.now()))
        if (outcome.outcome === 'days') return json(200, { items: outcome.days })
        throw tooManyEntries(`must leave at most ${MAX_WARNED_ENTRIES} entries in the warnings of the range`)
      },
    }),
    route({
      endpoint: 'GET /api/account/today',
      tag: 'account',
      summary: 'Read whether work is running, and the figures of today so far',
      description: 'The figures of today as if running entries ended now.',
      access: 'read',
      responses: { 200: { description: 'Today so far.', schema: AccountToday } },
      handle: async ({ identity }) =>
        json(200, await records.read(identity.user, (reader) => accountToday(reader, clock.now()))),
    }),
    route({
      endpoint: 'POST /api/reports',
      isRead: true,
      tag: 'account',
      summary: 'Report time by project, tag, day, week or month',
      description:
        'The time that entries cover, as the app reports it: `total_ms` is the sum of the lines less `repeated_ms` and ' +
        `\`deducted_ms\`. At most ${MAX_REPORT_ENTRIES} entries may overlap the range, for a report by tag with at most ` +
        `${MAX_REPORT_TAGS} tags.`,
      access: 'read',
      body: ReportRequest,
      responses: { 200: { description: 'The report.', schema: ReportSummary } },
      handle: async ({ identity, body }) => {
        const { from, to, group, kind = 'work', project = '', tag = '', words = '' } = body
        const filter = { kind, project, tag, words }
        const outcome = await records.read(identity.user, (reader) => timeReport(reader, filter, { from, to }, group))
        if (outcome.outcome === 'report') return json(200, outcome.report)
        const tags = group === 'tag' ? ` and ${MAX_REPORT_TAGS} tags of them` : ''
        throw tooManyEntries(`must leave at most ${MAX_REPORT_ENTRIES} entries${tags} in the range`)
      },
    }),
    route({
      endpoint: 'GET /api/account/vacation',
      tag: 'account',
      summary: 'Read the vacation account of a year',
      access: 'read',
      query: Year,
      responses: {
        200: {
          description: 'The account; null if up to that year there is neither a vacation rule nor a grant.',
          schema: v.object({
            vacation: v.nullable(VacationYear),
            asked: v.pipe(
              v.nullable(AskedVacation),
              v.metadata({ description: 'Vacation that a member of a company has asked for; it counts nowhere yet.' }),
            ),
          }),
        },
      },
      handle: async ({ identity, query: { year } }) => {
        const { user } = identity
        const nowMs = clock.now()
        return json(200, await records.read(user, (reader) => vacationAccount(reader, { user, year }, nowMs)))
      },
    }),
    route({
      endpoint: 'GET /api/account/proposals',
      tag: 'account',
      summary: 'Read which hours may expire at the ends of periods, and what was decided about them',
      access: 'read',
      responses: {
        200: {
          description: 'The decided periods, and the first undecided one with an excess, in order of date.',
          schema: v.object({ items: v.array(ExpiryProposal) }),
        },
      },
      handle: async ({ identity: { user } }) => {
        const items = await records.read(user, (reader) => accountProposals(reader, user, clock.now()))
        return json(200, { items })
      },
    }),
  ]
}
