import {
  type Checked,
  check,
  contentSchemas,
  type InputError,
  InstantText,
  isJsonObject,
  type JsonObject,
  parseContent,
  recordSchemas,
  Uuid,
  type WritableKind,
  wholeNumber,
} from '@saldo/core'
import * as v from 'valibot'
import { etagOf, isFresh, requireMatch } from '../http/preconditions.ts'
import { ProblemError, problemAnswer } from '../http/problem.ts'
import type { RequestHeaders } from '../http/request-headers.ts'
import { type Answer, type Route, route } from '../http/route.ts'
import type { StoredRecord, UserReader } from '../store/store.ts'
import { applyChanges } from '../sync/apply-changes.ts'
import type { Identity } from '../users/auth.ts'
import { type DateQuery, type EntryQuery, pageOf } from './collection.ts'
import type { Services } from './services.ts'

/** One kind of client-writable record over REST. */
export interface RecordResource<Q extends typeof DateQuery | typeof EntryQuery> {
  kind: WritableKind
  path: string
  /** What one record is called in the API's words. */
  noun: string
  query: Q
  list(reader: UserReader, query: v.InferOutput<Q>): Promise<Answer>
}

const IdParam = v.object({ id: Uuid })

/** What a device says of its direct write (D6). */
const DeviceStamp = v.object({
  updated_at: v.optional(
    v.pipe(InstantText, v.metadata({ description: 'When the device made the change: then the rule of push holds.' })),
  ),
  device: v.optional(v.pipe(Uuid, v.metadata({ description: 'The device’s own UUID.' }))),
  seq: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,16}$/, 'must be a whole number'),
      v.transform(Number),
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      v.metadata({ description: 'The number of the edit on that device.' }),
    ),
  ),
})

type Stamp = v.InferOutput<typeof DeviceStamp>
const tombstoneHeaders = ['Saldo-Version', 'Saldo-Updated-At']

/** The routes of a kind of record (R1.2, D6, D9): list, create, read, update, delete. */
export function recordRoutes<Q extends typeof DateQuery | typeof EntryQuery>(
  { records, clock, random }: Services,
  { kind, path, noun, query, list }: RecordResource<Q>,
): Route[] {
  const schema = recordSchemas[kind]
  const content = contentSchemas[kind]
  const common = { tag: noun, access: 'user' as const }

  /** Makes one change of one record, provided what stands passes `admit`. */
  function change(
    request: { identity: Identity; headers: RequestHeaders },
    id: string,
    content: JsonObject | null,
    stamp: Stamp,
    admit: (standing: StoredRecord | undefined) => Answer | undefined,
  ) {
    const { user } = request.identity
    const nowMs = clock.now()
    const { updated_at: updatedAt, device, seq } = stamp
    const change = { kind, id, content, updatedAt: updatedAt ?? null, device, seq }
    return records.write(user, async (writer) => {
      const [standing] = await writer.find([{ kind, id }])
      requireMatch(request.headers, standing)
      const refused = admit(standing)
      if (refused) return { answer: refused }
      const [outcome] = await applyChanges(writer, [change], { user, nowMs, random })
      if (!outcome) throw new Error('a change has no outcome')
      if (outcome.status === 'rejected') throw invalidRecord(outcome.errors)
      return { existed: standing?.deleted === false, ...outcome }
    })
  }

  return [
    route(
      {
        ...common,
        method: 'GET',
        path,
        summary: `List ${noun}, in time order`,
        query: query as typeof DateQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(schema) } },
        problems: ['invalid_cursor'],
      },
      ({ identity, query }) => records.read(identity.user, (reader) => list(reader, query as v.InferOutput<Q>)),
    ),
    route(
      {
        ...common,
        method: 'POST',
        path,
        summary: `Create one of the ${noun}`,
        description:
          'With an `id` in the body, the same id again creates nothing and answers with what is stored; without one, the service makes it.',
        query: DeviceStamp,
        record: content,
        answers: {
          200: { description: 'The id was there already: what is stored.', schema, headers: ['ETag'] },
          201: { description: 'Created.', schema, headers: ['ETag', 'Location'] },
        },
        problems: ['not_found', 'precondition_failed'],
      },
      async (request) => {
        const id = idIn(request.record) ?? random.uuid()
        const isStamped = request.query.updated_at !== undefined
        const outcome = await change(request, id, contentIn(kind, request.record), request.query, (standing) =>
          standing && !isStamped ? whatStands(standing) : undefined,
        )
        if ('answer' in outcome) return outcome.answer
        const created = outcome.status === 'applied' && !outcome.existed
        const answer = whatStands(outcome.record)
        if (!created) return answer
        return { ...answer, status: 201, headers: { ...answer.headers, location: `${path}/${id}` } }
      },
    ),
    route(
      {
        ...common,
        method: 'GET',
        path: `${path}/{id}`,
        summary: `Read one of the ${noun}`,
        params: IdParam,
        answers: {
          200: { description: 'The record.', schema, headers: ['ETag'] },
          304: { description: 'The version that `If-None-Match` names still stands.' },
        },
        problems: ['not_found'],
      },
      async ({ identity, params, headers }) => {
        const [standing] = await records.read(identity.user, (reader) => reader.find([{ kind, id: params.id }]))
        if (standing && !standing.deleted && isFresh(headers, etagOf(standing))) {
          return { status: 304, headers: { etag: etagOf(standing) } }
        }
        return whatStands(standing)
      },
    ),
    route(
      {
        ...common,
        method: 'PUT',
        path: `${path}/{id}`,
        summary: `Replace one of the ${noun}`,
        description: 'With `updated_at`, an upsert by the conflict rule; without it, the record must exist.',
        params: IdParam,
        query: DeviceStamp,
        record: content,
        answers: { 200: { description: 'What is now stored.', schema, headers: ['ETag'] } },
        problems: ['not_found', 'precondition_failed'],
      },
      async (request) => {
        const { id } = request.params
        if ((idIn(request.record) ?? id) !== id) {
          throw invalidRecord([{ pointer: '/id', detail: 'must be the id of the address' }])
        }
        const isStamped = request.query.updated_at !== undefined
        const outcome = await change(request, id, contentIn(kind, request.record), request.query, (standing) =>
          standing?.deleted === false || isStamped ? undefined : whatStands(standing),
        )
        return 'answer' in outcome ? outcome.answer : whatStands(outcome.record)
      },
    ),
    route(
      {
        ...common,
        method: 'DELETE',
        path: `${path}/{id}`,
        summary: `Delete one of the ${noun}`,
        params: IdParam,
        query: DeviceStamp,
        answers: {
          200: { description: 'A later change stands against the deletion.', schema, headers: ['ETag'] },
          204: { description: 'Deleted.', headers: tombstoneHeaders },
        },
        problems: ['not_found', 'precondition_failed'],
      },
      async (request) => {
        const isStamped = request.query.updated_at !== undefined
        const outcome = await change(request, request.params.id, null, request.query, (standing) =>
          standing?.deleted === false || isStamped ? undefined : whatStands(standing),
        )
        if ('answer' in outcome) return outcome.answer
        if (outcome.status === 'superseded') return whatStands(outcome.record)
        return { status: 204, headers: tombstoneOf(outcome.record) }
      },
    ),
  ]
}

/** The record that stands, or 404 where none does; of a deleted one with its version and time (D6). */
export function whatStands(standing: StoredRecord | undefined): Answer {
  if (standing && !standing.deleted) {
    return { status: 200, body: standing.body, headers: { etag: etagOf(standing) } }
  }
  const headers = standing ? tombstoneOf(standing) : {}
  return problemAnswer(new ProblemError('not_found', 'There is no such record.', { headers }))
}

function tombstoneOf({ version, updatedAt }: StoredRecord): Record<string, string> {
  return { 'saldo-version': String(version), 'saldo-updated-at': updatedAt }
}

/** The id that a body names, if it names one. */
function idIn(record: unknown): string | undefined {
  if (!isJsonObject(record) || record.id === undefined) return undefined
  return valid(check(Uuid, record.id, '/id'))
}

function contentIn(kind: WritableKind, record: unknown): JsonObject {
  return valid(parseContent(kind, record)) as JsonObject
}

function valid<T>(checked: Checked<T>): T {
  if (!checked.ok) throw invalidRecord(checked.errors)
  return checked.value
}

function invalidRecord(errors: InputError[]): ProblemError {
  return new ProblemError('invalid_record', 'The record is not valid.', { errors })
}
