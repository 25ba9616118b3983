import {
  BoardPage,
  MonthText,
  PayrollCheck,
  PayrollFileRow,
  PayrollMapping,
  PayrollRun,
  PersonnelInput,
  PersonnelRow,
} from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, type RouteResponse, route } from '../http/route.ts'
import { readBoard } from '../team/board.ts'
import type { MadeFile } from '../team/payroll.ts'
import { described, numberText } from './collection.ts'
import type { RouteContext } from './route-context.ts'
import { bodyOfItems, dryRunField, Items, itemResults, memberCursor, memberOf } from './team-query.ts'

const PATH = '/api/team'
const common = { tag: 'team', access: 'session' } as const
const FileNumber = v.object({ number: numberText(1, Number.MAX_SAFE_INTEGER) })
const BoardQuery = v.object({
  month: described(MonthText, 'The month whose states are shown; the present one without it.'),
  group: described(numberText(1, Number.MAX_SAFE_INTEGER), 'The group with all below it.'),
  cursor: described(v.string(), 'The `cursor` of the previous page.'),
})

/** The board of leads and HR, personnel data, and payroll (D31). */
export function teamPayrollRoutes({ team, clock, payroll }: RouteContext): Route[] {
  return [
    route({
      ...common,
      endpoint: `GET ${PATH}/board`,
      summary: 'Read the board: states of a month and open points of members',
      description: 'For leads and HR, of the groups below them, by name. Figures are as far as the policy says.',
      query: BoardQuery,
      responses: { 200: { description: 'At most 100 people.', schema: BoardPage } },
      problems: ['not_found', 'invalid_cursor'],
      handle: async ({ identity, query: { month, group, cursor } }) => {
        const nowMs = clock.now()
        const shown = month ?? (new Date(nowMs).toISOString().slice(0, 7) as `${number}-${number}`)
        const after = cursor === undefined ? undefined : memberOf(cursor)
        const read = await readBoard(team, identity.user, { month: shown, groupId: group, after }, nowMs)
        switch (read.outcome) {
          case 'no_company':
            throw new ProblemError('not_found', 'You belong to no company.')
          case 'no_role':
            throw new ProblemError('forbidden', 'The board is for leads and HR.')
          case 'read':
            return json(200, { items: read.items, cursor: read.last ? memberCursor(read.last) : null })
        }
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/personnel`,
      summary: 'List the personnel data of the company',
      description: 'For HR and payroll.',
      responses: { 200: { description: 'By name.', schema: v.object({ items: v.array(PersonnelRow) }) } },
      problems: ['not_found'],
      handle: async ({ identity }) => json(200, { items: await payroll.personnel(identity.user) }),
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/personnel`,
      summary: 'Change personnel data of many',
      description: 'For HR. People are known by their addresses.',
      body: v.object({ ...Items.entries, ...dryRunField }),
      documentedBody: v.object({ ...bodyOfItems(PersonnelInput).entries, ...dryRunField }),
      responses: itemResults,
      problems: ['not_found'],
      handle: async ({ identity, body }) =>
        json(200, { items: await payroll.putPersonnel(identity.user, body.items, body.dry_run) }),
    }),
    route({
      ...common,
      endpoint: 'GET /api/me/personnel',
      summary: 'Read the own personnel data',
      responses: { 200: { description: 'As HR keeps it.', schema: PersonnelRow } },
      problems: ['not_found'],
      handle: async ({ identity }) => {
        const own = await payroll.ownPersonnel(identity.user)
        if (!own) throw new ProblemError('not_found', 'You belong to no company.')
        return json(200, own)
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/mapping`,
      summary: 'Read how the payroll file is made',
      responses: { 200: { description: 'The mapping.', schema: PayrollMapping } },
      problems: ['not_found'],
      handle: async ({ identity }) => json(200, await payroll.mapping(identity.user)),
    }),
    route({
      ...common,
      endpoint: `PUT ${PATH}/mapping`,
      summary: 'Change how the payroll file is made',
      description: 'For HR and payroll. No wage type is guessed.',
      body: PayrollMapping,
      responses: { 204: { description: 'Changed.' } },
      problems: ['not_found'],
      handle: async ({ identity, body }) => {
        await payroll.putMapping(identity.user, body)
        return { status: 204 }
      },
    }),
    route({
      ...common,
      endpoint: `POST ${PATH}/exports`,
      summary: 'Make a payroll file',
      description:
        'For HR and payroll. From stored sheets, with the differences to earlier files. The same sheets and mapping ' +
        'give the same file. With obstacles, nothing is made. A draft comes as text in the response alone.',
      body: PayrollRun,
      responses: {
        200: {
          description: 'The file, or all that stands in its way.',
          schema: v.object({
            file: v.nullable(PayrollFileRow),
            name: v.nullable(v.string()),
            draft: v.nullable(v.string()),
            ...PayrollCheck.entries,
          }),
        },
      },
      problems: ['not_found'],
      handle: async ({ identity, body }) => {
        const run = await payroll.run(identity.user, body)
        if (run.outcome === 'obstacles')
          return json(200, { file: null, name: null, draft: null, obstacles: run.obstacles })
        const draft = run.row ? null : textOf(run.file)
        return json(200, { file: run.row, name: run.file.name, draft, obstacles: [] })
      },
    }),
    route({
      ...common,
      endpoint: `GET ${PATH}/exports`,
      summary: 'List the payroll files',
      responses: { 200: { description: 'The latest first.', schema: v.object({ items: v.array(PayrollFileRow) }) } },
      problems: ['not_found'],
      handle: async ({ identity }) => json(200, { items: await payroll.files(identity.user) }),
    }),
    route({
      tag: 'team',
      access: 'payroll',
      endpoint: `GET ${PATH}/exports/{number}`,
      summary: 'Download a payroll file',
      description: 'The bytes as they were made.',
      params: FileNumber,
      responses: { 200: { description: 'The file.', contentType: 'text/csv' } },
      problems: ['not_found'],
      handle: async ({ identity, params }): Promise<RouteResponse> => {
        const file = await payroll.file(identity.user, params.number)
        if (!file) throw new ProblemError('not_found', 'This file does not exist.')
        return fileResponse(file)
      },
    }),
  ]
}

function textOf({ bytes, encoding }: MadeFile): string {
  return new TextDecoder(encoding).decode(bytes)
}

function fileResponse({ name, bytes, encoding }: MadeFile): RouteResponse {
  return {
    status: 200,
    body: bytes,
    headers: {
      'content-type': `text/csv; charset=${encoding}`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    },
  }
}
