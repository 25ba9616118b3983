import { type RecordKind, recordSchemas, type UserNumber, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { etagOf, isFresh } from '../http/preconditions.ts'
import { ProblemError, responseOfProblem } from '../http/problem.ts'
import { type Route, type RouteResponse, route } from '../http/route.ts'
import { timeKeyOf } from '../store/records/rows.ts'
import type { EntrySpan, LiveRecord, RecordKey, StoredRecord, TimeKey, UserReader } from '../store/store.ts'
import { formatCursor, parseCursor, readPage } from '../sync/pages.ts'
import type { RouteContext } from './route-context.ts'

const DEFAULT_LIMIT = 200
const MAX_LIMIT = 1000

export const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.optional(v.pipe(schema, v.metadata({ description })))

/** Returns the schema of text that is a whole number from `min` to `max`. OpenAPI has it as the number. */
export function numberText(min: number, max: number, message = `must be a whole number from ${min} to ${max}`) {
  const isNumber = (text: string) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max
  return v.pipe(
    v.string(message),
    v.check(isNumber, message),
    v.transform(Number),
    v.metadata({ type: 'integer', minimum: min, maximum: max }),
  )
}

/** Returns the schema of a query field that limits the records of a response. */
export function limitField(max: number, defaultLimit: number) {
  return v.optional(
    v.pipe(
      numberText(1, max),
      v.metadata({ description: `The maximum number of records: 1 to ${max}; default ${defaultLimit}.` }),
    ),
    String(defaultLimit),
  )
}

export const paging = {
  limit: limitField(MAX_LIMIT, DEFAULT_LIMIT),
  cursor: described(v.string(), 'The `next_cursor` of the previous page.'),
}

/** Returns what all routes that list a kind have in common. */
export function listing(kind: RecordKind, path: string, noun: string) {
  const Page = v.object({ items: v.array(recordSchemas[kind]), next_cursor: v.nullable(v.string()) })
  return {
    endpoint: `GET ${path}`,
    tag: noun,
    summary: `List ${noun} in time order`,
    access: 'read',
    responses: { 200: { description: 'A page.', schema: Page } },
    problems: ['invalid_cursor'],
  } as const
}

/** Answers a page of the live records of a kind that overlap a span, in time order; `isWanted` can leave some out. */
export async function listResponse(
  reader: UserReader,
  kind: RecordKind,
  span: EntrySpan,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  isWanted: (record: LiveRecord) => boolean = () => true,
): Promise<RouteResponse> {
  const start = cursor === undefined ? undefined : readCursor(cursor)
  const { records, last } = await readPage<LiveRecord>(
    (after, count) => reader.overlapping(kind, span, { after: after ? timeKeyOf(after) : start, limit: count }),
    limit,
  )
  const items = records.filter(isWanted).map(({ body }) => body)
  const nextCursor = JSON.stringify(last ? formatCursor(timeKeyOf(last)) : null)
  return { status: 200, body: `{"items":[${items.join(',')}],"next_cursor":${nextCursor}}` }
}

const Cursor = v.object({ startsMs: v.pipe(v.number(), v.safeInteger()), id: Uuid })

/** Returns the place that a cursor names, so that pages stay correct while records come and go. Throws 400. */
function readCursor(text: string): TimeKey {
  const place = parseCursor(Cursor, text)
  if (place) return place
  throw new ProblemError('invalid_cursor', 'The cursor is not valid. Start again without it.')
}

/** Answers a live record, or 404; for a tombstone with its version and time. */
export function recordResponse(stored: StoredRecord | undefined): RouteResponse {
  if (stored && !stored.deleted) {
    return { status: 200, body: stored.body, headers: { etag: etagOf(stored) } }
  }
  const headers = stored ? tombstoneHeaders(stored) : {}
  return responseOfProblem(new ProblemError('not_found', 'This record does not exist.', { headers }))
}

/** Returns the route that reads one record; `field` names the record in the path, in the form of `name`. */
export function readRoute<Name extends string>(
  { records }: RouteContext,
  kind: RecordKind,
  path: string,
  noun: string,
  { field, name, keyOf }: { field: string; name: v.GenericSchema<string, Name>; keyOf: KeyOf<Name> },
): Route {
  return route({
    endpoint: `GET ${path}/{${field}}`,
    tag: noun,
    summary: `Read one of the ${noun}`,
    access: 'read',
    params: v.object({ [field]: name }),
    responses: {
      200: { description: 'The record.', schema: recordSchemas[kind], headers: ['ETag'] },
      304: { description: 'Still the version in `If-None-Match`.' },
    },
    problems: ['not_found'],
    handle: async ({ identity: { user }, params, headers }) => {
      const key = keyOf(user, params[field] as Name)
      const [stored] = await records.read(user, (reader) => reader.find([key]))
      const response = recordResponse(stored)
      const etag = response.headers?.etag
      return etag !== undefined && isFresh(headers, etag) ? { status: 304, headers: { etag } } : response
    },
  })
}

type KeyOf<Name> = (user: UserNumber, name: Name) => RecordKey

export function tombstoneHeaders({ version, updatedAt }: StoredRecord): Record<string, string> {
  return { 'saldo-version': String(version), 'saldo-updated-at': updatedAt }
}
